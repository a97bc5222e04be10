// Deprecated API versions: records their requests in apiserver_requested_deprecated_apis and in audit annotations.
import type { Dialect } from '../../dialect/index.ts';
import type { Target } from '../../registry/target.ts';
import type { Metrics, NumberFamily } from '../../telemetry/metrics.ts';
import type { Exchange } from '../../transport/exchange.ts';

export class DeprecatedApis {
  readonly #requested: NumberFamily;
  readonly #dialect: Dialect;

  constructor(metrics: Metrics, dialect: Dialect) {
    this.#dialect = dialect;
    this.#requested = metrics.gauge('apiserver_requested_deprecated_apis');
  }

  /** Records a request for a deprecated version. The annotations have the names of the server's dialect. */
  record({ audit }: Exchange, { resource, subresource }: Target): void {
    const { group, version, definition } = resource;
    const removedIn = definition.deprecation?.removedIn ?? '';
    this.#requested.child(group, removedIn, definition.plural, subresource, version).value = 1;
    const { deprecated, removedRelease } = this.#dialect.annotations;
    audit?.annotate(deprecated, 'true');
    if (removedIn !== '') audit?.annotate(removedRelease, removedIn);
  }
}
