package io.orch.orchtest;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests with the real client of fabric8. */
@ExtendWith(OrchExtension.class)
class OrchExtensionTest {
  private static KubernetesClient clientOf(OrchServer server) {
    return new KubernetesClientBuilder().withConfig(Config.fromKubeconfig(server.kubeconfig())).build();
  }

  @Test
  void objectsAreCreatedAndInformersSeeThem(OrchServer server) throws Exception {
    try (KubernetesClient client = clientOf(server)) {
      ConfigMap configMap =
          new ConfigMapBuilder().withNewMetadata().withName("a").withNamespace("default").endMetadata().build();
      client.resource(configMap).create();
      var informer = client.configMaps().inNamespace("default").inform();
      assertTrue(informer.getStore().list().stream().anyMatch(found -> found.getMetadata().getName().equals("a")));
      client.configMaps().inNamespace("default").withName("a").delete();
      client.configMaps().inNamespace("default").withName("a").waitUntilCondition(found -> found == null, 10, TimeUnit.SECONDS);
      assertNull(client.configMaps().inNamespace("default").withName("a").get());
    }
  }

  @Test
  void testsShareTheServer(OrchServer server, OrchServer again) {
    assertTrue(server == again);
  }

  @Test
  void aClosedServerDeletesItsData() {
    OrchServer server = OrchServer.start();
    Path path = server.kubeconfigPath();
    assertTrue(Files.exists(path));
    server.close();
    assertFalse(Files.exists(path));
  }

  @Test
  void aServerThatCannotStartSaysWhy() {
    Exception error = assertThrows(IllegalStateException.class, () -> OrchServer.start("--no-such-flag"));
    assertTrue(error.getMessage().contains("unknown flag --no-such-flag"), error.getMessage());
  }
}
