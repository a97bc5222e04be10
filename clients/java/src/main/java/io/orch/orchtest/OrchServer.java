package io.orch.orchtest;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A running Orch server with memory storage, on a free port of loopback. `close` stops it and deletes its data. */
public final class OrchServer implements AutoCloseable {
  private static final Duration START_TIMEOUT = Duration.ofSeconds(30);
  private static final long STOP_SECONDS = 10;
  private static final long POLL_MILLIS = 10;

  private final Process process;
  private final Path directory;
  private final String token;

  private OrchServer(Process process, Path directory, String token) {
    this.process = process;
    this.directory = directory;
    this.token = token;
  }

  /**
   * Starts a server and waits until it is ready. Orch is started by the command in the environment variable ORCH, or by orch
   * in the PATH, or by npx orch.
   *
   * @param flags further flags of `orch serve`
   * @throws IllegalStateException if the server does not become ready; with its output
   */
  public static OrchServer start(String... flags) {
    try {
      Path directory = Files.createTempDirectory("orchtest-");
      List<String> words = command();
      words.addAll(List.of("serve", "--dialect=kubernetes", "--storage=memory", "--bind-address=127.0.0.1", "--secure-port=auto"));
      words.add("--data-dir=" + directory.resolve("data"));
      String token = UUID.randomUUID().toString();
      Path tokens = Files.writeString(directory.resolve("tokens.csv"), token + ",admin,admin,\"system:masters\"\n");
      words.add("--token-auth-file=" + tokens);
      words.addAll(List.of(flags));
      Path output = directory.resolve("output");
      ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
      // The server ends with its standard input: also if this process is killed.
      builder.environment().put("ORCH_END_WITH_STDIN", "1");
      OrchServer server = new OrchServer(builder.start(), directory, token);
      if (!server.isReadyInTime()) {
        String text = Files.readString(output);
        server.close();
        throw new IllegalStateException(String.join(" ", words) + " did not become ready:\n" + text);
      }
      return server;
    } catch (IOException error) {
      throw new UncheckedIOException("cannot start Orch, set ORCH to its command", error);
    }
  }

  /**
   * The kubeconfig of a cluster administrator, with a token: clients in Java read the elliptic-curve key of the server's own
   * kubeconfig only with further libraries.
   */
  public String kubeconfig() {
    try {
      String certificateLines = "client-certificate-data: .*\n *client-key-data: .*";
      return Files.readString(kubeconfigPath()).replaceFirst(certificateLines, "token: \"" + token + "\"");
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }

  /** A file with the kubeconfig, for programs such as kubectl. */
  public Path kubeconfigPath() {
    return directory.resolve("data").resolve("kubeconfig");
  }

  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
      try (Stream<Path> paths = Files.walk(directory)) {
        paths.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    } catch (InterruptedException error) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** The server writes its kubeconfig once it is ready. */
  private boolean isReadyInTime() {
    Instant deadline = Instant.now().plus(START_TIMEOUT);
    while (!Files.exists(kubeconfigPath())) {
      if (!process.isAlive() || Instant.now().isAfter(deadline)) return false;
      try {
        Thread.sleep(POLL_MILLIS);
      } catch (InterruptedException error) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return true;
  }

  private static List<String> command() {
    String configured = System.getenv().getOrDefault("ORCH", "").trim();
    if (!configured.isEmpty()) return new ArrayList<>(List.of(configured.split("\\s+")));
    String path = System.getenv().getOrDefault("PATH", "");
    boolean isInstalled =
        Stream.of(path.split(File.pathSeparator)).anyMatch(folder -> new File(folder, "orch").canExecute());
    return new ArrayList<>(isInstalled ? List.of("orch") : List.of("npx", "--yes", "orch"));
  }
}
