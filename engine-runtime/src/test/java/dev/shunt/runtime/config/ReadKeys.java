package dev.shunt.runtime.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigUtil;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.TreeSet;

/** Notes which keys somebody reads. */
final class ReadKeys {
  private final Set<String> read = new TreeSet<>();

  /** A configuration that notes what is read of it. */
  Config watching(Config config) {
    return watching(config, "");
  }

  /** Whether a key was read, by itself or with a section or list around it. */
  boolean has(String path) {
    return read.contains(path);
  }

  private Config watching(Config config, String prefix) {
    return (Config)
        Proxy.newProxyInstance(
            ReadKeys.class.getClassLoader(),
            new Class<?>[] {Config.class},
            (_, method, arguments) -> call(config, prefix, method, arguments));
  }

  private Object call(Config config, String prefix, Method method, Object[] arguments)
      throws Throwable {
    Object result;
    try {
      result = method.invoke(config, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    var name = method.getName();
    if (name.equals("getConfig")) {
      return watching((Config) result, prefix + arguments[0] + ".");
    }
    if (name.startsWith("with") && result instanceof Config changed) {
      return watching(changed, prefix);
    }
    if (name.startsWith("get") && arguments != null && arguments[0] instanceof String path) {
      note(prefix + path);
      if (result instanceof ConfigObject object && !prefix.isEmpty()) {
        all(object, prefix + path + ".");
      }
    }
    if (name.equals("entrySet") || name.equals("root")) {
      if (!prefix.isEmpty()) {
        all(config.root(), prefix);
      }
    }
    return result;
  }

  private void all(ConfigObject object, String prefix) {
    object.forEach(
        (key, value) -> {
          note(prefix + ConfigUtil.quoteString(key).replace("\"", ""));
          if (value instanceof ConfigObject inner) {
            all(inner, prefix + key + ".");
          }
        });
  }

  private void note(String path) {
    read.add(path);
  }
}
