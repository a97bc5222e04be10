// Admission plugin MutatingAdmissionWebhook: calls mutating webhooks in order, with reinvocation.
import { internalError } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin, PluginDependencies } from '../plugin.ts';
import { type WebhookCall, WebhookDispatcher } from './asking.ts';
import { Configurations } from './configurations.ts';
import type { Hook } from './hook.ts';
import { HookConditions } from './hook-conditions.ts';
import { keepOwnersReadable } from './keep-owners-readable.ts';
import { fromVersion, inVersion, ReviewSerializer } from './review.ts';
import type { AdmissionResponse } from './review-answer.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

/** Calls webhooks in order: each sees the changes of the previous ones. */
export class MutatingWebhooks implements Plugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #configurations: Configurations;
  readonly #asking: WebhookDispatcher;
  readonly #conditions: HookConditions;
  readonly #metrics: WebhookMetrics;
  /** The state of the first round that reinvocation needs. */
  readonly #rounds = new WeakMap<Attributes, Rounds>();

  constructor({ api, admissionMetrics: { webhooks } }: Pick<PluginDependencies, 'api' | 'admissionMetrics'>) {
    this.#configurations = new Configurations(api, 'mutatingwebhookconfigurations');
    const side = { mayChange: true, type: 'admit', noted: 'mutation' } as const;
    this.#conditions = new HookConditions(api);
    this.#asking = new WebhookDispatcher(api, side, webhooks);
    this.#metrics = webhooks;
  }

  handles(sort: AdmissionTarget): boolean {
    return this.#configurations.concerned(sort).length > 0;
  }

  async admit(attributes: Attributes): Promise<void> {
    const rounds = this.#roundsOf(attributes);
    const { isReinvocation, object: before } = attributes;
    if (isReinvocation && rounds.result !== textOf(attributes)) rounds.askAgain();
    let telling = new ReviewSerializer(attributes);
    for (const { hook, matcher } of this.#configurations.concerned(attributes.admissionTarget)) {
      if (isReinvocation && !rounds.wantsAgain(hook)) continue;
      const as = matcher.match(attributes);
      if (!as || !(await this.#conditions.areMet(hook, attributes, as))) continue;
      const place = `round_${isReinvocation ? 1 : 0}_index_${hook.index}`;
      const question = { hook, attributes, telling, as, place };
      if (await this.#change(question, await this.#ask(question))) {
        telling = new ReviewSerializer(attributes);
        rounds.askAgain();
        attributes.needsReinvocation = true;
      }
      rounds.asked(hook);
    }
    if (before && attributes.object && before !== attributes.object) {
      keepOwnersReadable(before, attributes.object, attributes.warnings);
    }
    if (attributes.needsReinvocation && !isReinvocation) rounds.result = textOf(attributes);
  }

  reset(): void {
    this.#configurations.reset();
    this.#asking.reset();
  }

  close(): void {
    this.#configurations.close();
  }

  async #ask(question: WebhookCall): Promise<AdmissionResponse | undefined> {
    const start = performance.now();
    try {
      return await this.#asking.ask(question);
    } finally {
      question.attributes.addExternalLatency(performance.now() - start);
    }
  }

  /** Puts what a webhook makes of the object in its place. False: nothing has changed. */
  async #change(question: WebhookCall, verdict: AdmissionResponse | undefined): Promise<boolean> {
    const { attributes } = question;
    const was = attributes.object && textOf(attributes);
    try {
      if (verdict?.patch && (await this.#apply(question, verdict, verdict.patch))) {
        const mutated = textOf(attributes) !== was;
        this.#note(question, mutated);
        return mutated;
      }
    } catch (error) {
      this.#metrics.reject('admit', question.hook.name, attributes.operation, 'apiserver_internal_error');
      throw error;
    }
    this.#note(question, false);
    return false;
  }

  async #apply(question: WebhookCall, { patchType }: AdmissionResponse, patch: Buffer): Promise<boolean> {
    const { hook, attributes, as } = question;
    // Patches are rare beside answers without one.
    const { patched, stepsIn } = await import('./patched.ts');
    const steps = stepsIn(patch);
    if (steps.length === 0) return false;
    if (patchType !== 'JSONPatch') {
      if (hook.failsOpen) return false;
      throw internalError(
        `failed calling webhook ${quote(hook.name)}: unsupported patch type ${quote(patchType)}`,
      );
    }
    if (!attributes.object) {
      throw internalError(
        `admission webhook ${quote(hook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    }
    const kind = as.kindOf(attributes.target.subresource);
    const shown = await inVersion(attributes, as, attributes.object);
    const changed = patched(attributes.api.registry, kind, shown, steps);
    attributes.object = await fromVersion(attributes, as, changed);
    this.#notePatch(question, patch);
    return true;
  }

  #note(question: WebhookCall, mutated: boolean): void {
    const { configuration, name: webhook } = question.hook;
    this.#asking.note(question, 'mutation', JSON.stringify({ configuration, webhook, mutated }));
  }

  /** A patch may say what only those are to read who read the request itself. */
  #notePatch(question: WebhookCall, patch: Buffer): void {
    if (!question.attributes.request?.audit?.keepsRequestObject) return;
    const { configuration, name: webhook } = question.hook;
    const value = { configuration, webhook, patch: JSON.parse(patch.toString()), patchType: 'JSONPatch' };
    this.#asking.note(question, 'patch', JSON.stringify(value));
  }

  #roundsOf(attributes: Attributes): Rounds {
    let rounds = this.#rounds.get(attributes);
    if (!rounds) {
      rounds = new Rounds();
      this.#rounds.set(attributes, rounds);
    }
    return rounds;
  }
}

const textOf = ({ kind, object }: Attributes) =>
  object === undefined ? '' : String(kind.definition.schema.write(object));

/** Who has been asked, and who wants to be asked again because others have changed the object since. */
class Rounds {
  /** The object at the end of the first round. */
  result = '';
  #askedBefore = new Set<Hook>();
  readonly #again = new Set<Hook>();

  asked(hook: Hook): void {
    if (hook.webhook.reinvocationPolicy === 'IfNeeded') this.#askedBefore.add(hook);
  }

  askAgain(): void {
    for (const hook of this.#askedBefore) this.#again.add(hook);
    this.#askedBefore = new Set();
  }

  wantsAgain(hook: Hook): boolean {
    return this.#again.has(hook);
  }
}
