package io.orch.orchtest;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store.CloseableResource;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Passes an {@link OrchServer} to tests that have such a parameter. All tests of a run share the server; it stops after the last
 * one.
 */
public final class OrchExtension implements ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(OrchExtension.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == OrchServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context.getRoot().getStore(NAMESPACE).getOrComputeIfAbsent(Shared.class).server;
  }

  /** JUnit closes it after the last test. */
  static final class Shared implements CloseableResource {
    final OrchServer server = OrchServer.start();

    @Override
    public void close() {
      server.close();
    }
  }
}
