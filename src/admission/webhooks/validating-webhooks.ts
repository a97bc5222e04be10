// Admission plugin ValidatingAdmissionWebhook: calls validating webhooks in parallel.
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin, PluginDependencies } from '../plugin.ts';
import { type WebhookCall, WebhookDispatcher } from './asking.ts';
import { Configurations } from './configurations.ts';
import { HookConditions } from './hook-conditions.ts';
import { ReviewSerializer } from './review.ts';

/** Asks those who only say yes or no, all at the same time. */
export class ValidatingWebhooks implements Plugin {
  readonly name = 'ValidatingAdmissionWebhook';
  readonly #configurations: Configurations;
  readonly #asking: WebhookDispatcher;
  readonly #conditions: HookConditions;

  constructor({ api, admissionMetrics: { webhooks } }: Pick<PluginDependencies, 'api' | 'admissionMetrics'>) {
    this.#configurations = new Configurations(api, 'validatingwebhookconfigurations');
    const side = { mayChange: false, type: 'validating', noted: 'validating' } as const;
    this.#conditions = new HookConditions(api);
    this.#asking = new WebhookDispatcher(api, side, webhooks);
  }

  handles(sort: AdmissionTarget): boolean {
    return this.#configurations.concerned(sort).length > 0;
  }

  async validate(attributes: Attributes): Promise<void> {
    const telling = new ReviewSerializer(attributes);
    const questions: WebhookCall[] = [];
    for (const { hook, matcher } of this.#configurations.concerned(attributes.admissionTarget)) {
      const as = matcher.match(attributes);
      if (!as || !(await this.#conditions.areMet(hook, attributes, as))) continue;
      questions.push({ hook, attributes, telling, as, place: `round_0_index_${questions.length}` });
    }
    const start = performance.now();
    const outcomes = await Promise.allSettled(questions.map((question) => this.#asking.ask(question)));
    attributes.addExternalLatency(performance.now() - start);
    // Whoever says no first, the one that comes first is heard: the same write is always refused alike.
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
    }
  }

  reset(): void {
    this.#configurations.reset();
    this.#asking.reset();
  }

  close(): void {
    this.#configurations.close();
  }
}
