import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.constant.ConstantDescs;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Provides;
import java.lang.reflect.AccessFlag;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes {@code META-INF/services} from a compiled {@code module-info.class}, so that a jar serves
 * the class path as it serves the module path while a service is declared in one place only.
 *
 * <p>The one argument is a module's directory of classes. Files of services that are no longer
 * provided are removed. A provider that the class path could not instantiate is an error.
 */
final class Services {
  private Services() {}

  public static void main(String[] args) throws IOException {
    Path classes = Path.of(args[0]);
    Path services = classes.resolve("META-INF/services");
    removeAll(services);
    for (Provides provides : descriptor(classes).provides()) {
      for (String provider : provides.providers()) {
        requireInstantiable(classes, provider);
      }
      Files.createDirectories(services);
      Files.writeString(
          services.resolve(provides.service()), String.join("\n", provides.providers()) + "\n");
    }
  }

  private static ModuleDescriptor descriptor(Path classes) throws IOException {
    try (InputStream in = Files.newInputStream(classes.resolve("module-info.class"))) {
      return ModuleDescriptor.read(in);
    }
  }

  private static void requireInstantiable(Path classes, String provider) throws IOException {
    ClassModel model = ClassFile.of().parse(classes.resolve(provider.replace('.', '/') + ".class"));
    boolean constructor =
        model.methods().stream()
            .anyMatch(
                m ->
                    m.methodName().equalsString(ConstantDescs.INIT_NAME)
                        && m.methodTypeSymbol().equals(ConstantDescs.MTD_void)
                        && m.flags().has(AccessFlag.PUBLIC));
    if (!constructor || !model.flags().has(AccessFlag.PUBLIC)) {
      System.err.println(
          provider
              + " is provided in module-info.java but has to be a public class with a public"
              + " constructor without parameters, or the class path cannot make one");
      System.exit(1);
    }
  }

  private static void removeAll(Path services) throws IOException {
    if (Files.isDirectory(services)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(services)) {
        for (Path file : files) {
          Files.delete(file);
        }
      }
      Files.delete(services);
    }
  }
}
