// Conversion webhooks: one webhook for each definition, kept while its configuration is unchanged.
import type { CustomResourceDefinition } from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import type { Converter } from '../../kind/definition.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { ConversionContext } from './calls.ts';
import { ConversionMetrics } from './conversion-metrics.ts';
import { ConversionCalls, ConversionWebhook } from './conversion-webhook.ts';

interface Kept {
  /** spec.conversion as JSON. */
  readonly said: string;
  readonly webhook: ConversionWebhook;
}

/** The webhooks of all custom kinds that have one. */
export class ConversionWebhooks {
  readonly #calls: ConversionCalls;
  readonly #byName = new Map<string, Kept>();

  constructor(api: ConversionContext, meters: Metrics) {
    this.#calls = new ConversionCalls(api, new ConversionMetrics(meters));
  }

  /** The converter of a definition: the same one, with its connections, while spec.conversion is unchanged. */
  of(definition: CustomResourceDefinition): Converter | undefined {
    const { metadata, spec } = definition;
    const { name = '' } = metadata;
    if (spec.conversion?.strategy !== 'Webhook') {
      this.forget(name);
      return undefined;
    }
    const said = JSON.stringify(spec.conversion);
    const known = this.#byName.get(name);
    if (known?.said === said) return known.webhook;
    this.forget(name);
    const webhook = new ConversionWebhook(definition, this.#calls);
    this.#byName.set(name, { said, webhook });
    return webhook;
  }

  forget(name: string): void {
    this.#byName.get(name)?.webhook.retire();
    this.#byName.delete(name);
  }

  /** The store was replaced by another state. */
  reset(): void {
    this.#calls.reset();
  }

  close(): void {
    for (const { webhook } of this.#byName.values()) webhook.close();
  }
}
