package dev.shunt.runtime.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import dev.shunt.runtime.discovery.Discovered;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SecretsTest {
  private static final String KEYS =
      """
      password = ""
      # The other one.
      # @secret
      pin = ""
      depth = 1
      endpoint = ""
      users = []
      """;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password",
        "etcd-password",
        "secret",
        "client-secret",
        "token",
        "auth-tokens",
        "key-file-passphrase",
        "credentials",
        "tls-private-key",
        "api-key",
        "clientSecret"
      })
  void aKeyIsSecretByItsWords(String key) {
    assertTrue(Secrets.isSecret(key));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "port",
        "password-file",
        "token-ttl",
        "key",
        "key-file",
        "secretary",
        "tokenizer",
        "keep-alive-timeout",
        "token-timeout",
        "key-count"
      })
  void otherKeysAreNot(String key) {
    assertFalse(Secrets.isSecret(key));
  }

  @Test
  void whatIsShownHasNoSecretsByNameByMarkOrInAUrl() {
    var shown =
        shown(
            """
            shunt.transports.vault {
              password = hunter2
              pin = swordfish
              endpoint = "https://joe:opensesame@h:1/"
              users = [{ name = joe, password = hunter3 }]
            }
            """);
    for (var secret : List.of("hunter2", "swordfish", "opensesame", "hunter3")) {
      assertFalse(shown.toString().contains(secret), shown::toString);
    }
    assertEquals("\"https://joe:******@h:1/\"", shown.get("shunt.transports.vault.endpoint"));
    assertEquals("\"******\"", shown.get("shunt.transports.vault.pin"));
    assertTrue(shown.get("shunt.transports.vault.users").contains("joe"), shown::toString);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "password { a = hunter2 }",
        "password = [hunter2]",
        "depth = hunter2, password = hunter2",
        "endpoint = hunter2, pin = hunter2, depth = 9",
        "password = hunter2, deptth = 1"
      })
  void whatIsRefusedTellsNoSecret(String line) {
    var refused =
        assertThrows(
            InvalidConfigurationException.class,
            () -> Fixture.load("shunt.transports.vault { " + line + " }", vault()));
    assertFalse(refused.getMessage().contains("hunter2"), refused::getMessage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api-token = \"hunter2\"${NOPE}",
        "api-token = hunter2${NOPE}",
        "api-token = \"${hunter2}\"${NOPE}",
        "api-tokens = [hunter2, ${NOPE}]",
        "plain = [{ password = hunter2, b = ${NOPE} }]",
        "api-token = ${NOPE} hunter2",
        "pin = hunter2 ${NOPE}"
      })
  void besideASubstitutionThatRefersToNothingNoValueIsTold(String line) {
    var refused = refused("shunt.nodes.a { " + line + " }");
    assertFalse(refused.getMessage().contains("hunter2"), refused::getMessage);
    assertTrue(refused.getMessage().contains(": ${NOPE} refers to nothing"), refused::getMessage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "api-token = \"hunter2\" ${section}",
        "api-token = 72727272 ${section}",
        "plain = [{ password = x }] ${section}",
        "name = [[{ password = hunter2 }]]",
        "control.bind = [{ pin = hunter2 }]",
        "transports = [{ pin = hunter2 }]"
      })
  void whatCannotBeJoinedOrHasTheWrongTypeIsNotTold(String line) {
    var refused = refused("section { a = 1 }\nshunt.name = a\nshunt.nodes.a { " + line + " }");
    assertFalse(refused.getMessage().contains("hunter2"), refused::getMessage);
    assertFalse(refused.getMessage().contains("7272"), refused::getMessage);
  }

  @Test
  void whatAProviderThrowsTellsNoSecret() {
    var provider =
        new Fixture.Moves("vault") {
          @Override
          public void validate(Config config) {
            throw new IllegalStateException("cannot use " + config.getString("pin"));
          }
        };
    var found = Fixture.of(List.of(Fixture.transport(provider, KEYS)), List.of());
    var inspection =
        new Inspector(
                ConfigLayers.of(Fixture.parse("shunt.transports.vault.pin = swordfish")), found)
            .inspect();
    var told = inspection.discovered().plugins().toString();
    assertTrue(told.contains("cannot use"), told);
    assertFalse(told.contains("swordfish"), told);
  }

  @Test
  void secretsThatOverlapAreBlottedOutTogether() {
    var blotter = new Blotter(List.of("abcd", "abcdef", "efghi", "xyz"));
    assertEquals("a ****** b xyz", blotter.blot("a abcdefghi b xyz", "******"));
    assertEquals("**", blotter.blot("abcdabcd", "*"));
  }

  private static InvalidConfigurationException refused(String text) {
    return assertThrows(InvalidConfigurationException.class, () -> Fixture.load(text, vault()));
  }

  private static Map<String, String> shown(String text) {
    var inspection = new Inspector(ConfigLayers.of(Fixture.parse(text)), vault()).inspect();
    assertEquals(List.of(), inspection.problems());
    var map = new java.util.TreeMap<String, String>();
    Shown.all(inspection).forEach(s -> map.put(s.path(), s.value()));
    return map;
  }

  private static Discovered vault() {
    var provider =
        new Fixture.Moves("vault") {
          @Override
          public void validate(Config config) {
            if (config.getInt("depth") == 9) {
              throw new ConfigException.BadValue(
                  config.getValue("depth").origin(),
                  "depth",
                  "what of " + config.getString("endpoint") + "?");
            }
          }
        };
    return Fixture.of(List.of(Fixture.transport(provider, KEYS)), List.of());
  }
}
