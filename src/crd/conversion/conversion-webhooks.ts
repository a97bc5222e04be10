// Conversion webhooks: one webhook for each definition, kept while its configuration is unchanged.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import type { Converter } from '../../kind/definition.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { ConversionContext } from './conversion-client.ts';
import { ConversionMetrics } from './conversion-metrics.ts';
import { ConversionWebhook, LazyConversionClient } from './conversion-webhook.ts';

interface CachedWebhook {
  /** spec.conversion as JSON. */
  readonly conversionJson: string;
  readonly webhook: ConversionWebhook;
}

export class ConversionWebhooks {
  readonly #client: LazyConversionClient;
  readonly #byName = new Map<string, CachedWebhook>();

  constructor(api: ConversionContext, metrics: Metrics) {
    this.#client = new LazyConversionClient(api, new ConversionMetrics(metrics));
  }

  /**
   * The converter of a definition: the same one, with its connections, while spec.conversion is unchanged. Undefined for the
   * strategy None.
   */
  converterFor(definition: CustomResourceDefinition): Converter | undefined {
    const { metadata, spec } = definition;
    const { name = '' } = metadata;
    if (spec.conversion?.strategy !== 'Webhook') {
      this.remove(name);
      return undefined;
    }
    const conversionJson = JSON.stringify(spec.conversion);
    const cached = this.#byName.get(name);
    if (cached?.conversionJson === conversionJson) return cached.webhook;
    this.remove(name);
    const webhook = new ConversionWebhook(definition, this.#client);
    this.#byName.set(name, { conversionJson, webhook });
    return webhook;
  }

  /** Drops the webhook of a definition, by name. */
  remove(name: string): void {
    this.#byName.get(name)?.webhook.retire();
    this.#byName.delete(name);
  }

  /** The store was restored to another state: Services are resolved again. */
  reset(): void {
    this.#client.reset();
  }

  close(): void {
    for (const { webhook } of this.#byName.values()) webhook.close();
  }
}
