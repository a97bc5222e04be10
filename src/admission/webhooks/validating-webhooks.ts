// Admission plugin ValidatingAdmissionWebhook: calls validating webhooks in parallel.
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin, PluginDependencies } from '../plugin.ts';
import { WebhookConfigurations } from './configurations.ts';
import { type WebhookCall, WebhookDispatcher } from './dispatcher.ts';
import { WebhookMatchConditions } from './match-conditions.ts';
import { ReviewSerializer } from './review.ts';

/** Calls all matching webhooks in parallel; they may not change the object. */
export class ValidatingWebhooks implements Plugin {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly #configurations: WebhookConfigurations;
  readonly #dispatcher: WebhookDispatcher;
  readonly #conditions: WebhookMatchConditions;

  constructor({ api, admissionMetrics: { webhooks } }: Pick<PluginDependencies, 'api' | 'admissionMetrics'>) {
    this.#configurations = new WebhookConfigurations(api, 'validatingwebhookconfigurations');
    const kind = { mayPatch: false, type: 'validating', auditName: 'validating' } as const;
    this.#conditions = new WebhookMatchConditions(api);
    this.#dispatcher = new WebhookDispatcher(api, kind, webhooks);
  }

  handles(target: AdmissionTarget): boolean {
    return this.#configurations.candidates(target).length > 0;
  }

  async validate(attributes: Attributes): Promise<void> {
    const serializer = new ReviewSerializer(attributes);
    const calls: WebhookCall[] = [];
    for (const { hook, matcher } of this.#configurations.candidates(attributes.admissionTarget)) {
      const matchedResource = matcher.match(attributes);
      if (!matchedResource || !(await this.#conditions.areMet(hook, attributes, matchedResource))) continue;
      calls.push({
        hook,
        attributes,
        serializer,
        matchedResource,
        annotationName: `round_0_index_${calls.length}`,
      });
    }
    const start = performance.now();
    const outcomes = await Promise.allSettled(calls.map((call) => this.#dispatcher.dispatch(call)));
    attributes.addExternalLatency(performance.now() - start);
    // The error of the first webhook in order, not of the fastest one: the same request always gets the same error.
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
  }

  reset(): void {
    this.#configurations.reset();
    this.#dispatcher.reset();
  }

  close(): void {
    this.#configurations.close();
  }
}
