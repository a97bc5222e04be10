// Admission webhooks: calls one webhook and applies its failure policy, metrics, warnings and audit annotations.
import { badRequest, internalError } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Api } from '../../registry/api.ts';
import { qualifiedName } from '../../schema/names.ts';
import type { Attributes } from '../attributes.ts';
import type { Caller, NoVerdict } from './caller.ts';
import type { Hook } from './hook.ts';
import { refusalBy } from './refusal.ts';
import type { ReviewSerializer } from './review.ts';
import type { AdmissionResponse } from './review-answer.ts';
import type { WebhookMetrics, WebhookType } from './webhook-metrics.ts';

/** Mutating or validating. */
export interface WebhookKind {
  /** They may change the object. */
  readonly mayChange: boolean;
  /** In metrics. */
  readonly type: WebhookType;
  /** In the names of notes for the audit log. */
  readonly noted: 'mutation' | 'validating';
}

/** One call of a webhook. */
export interface WebhookCall {
  readonly hook: Hook;
  readonly attributes: Attributes;
  readonly telling: ReviewSerializer;
  /** The version of the objects in the review. */
  readonly as: ServedResource;
  /** Where the question stands, for the audit log: `round_0_index_1`. */
  readonly place: string;
}

type Loaded = typeof import('./caller.ts');

export class WebhookDispatcher {
  readonly #api: Api;
  readonly #side: WebhookKind;
  readonly #metrics: WebhookMetrics;
  #loaded: Promise<Loaded> | undefined;
  #caller: Caller | undefined;

  constructor(api: Api, side: WebhookKind, metrics: WebhookMetrics) {
    this.#api = api;
    this.#side = side;
    this.#metrics = metrics;
  }

  /** The response of a webhook that allows the request; undefined where the call failed and failurePolicy is Ignore. */
  async ask(question: WebhookCall): Promise<AdmissionResponse | undefined> {
    const { hook, attributes, telling, as } = question;
    refuseDryRun(hook, attributes);
    // Few servers have webhooks: what it takes to call one is loaded with the first.
    this.#loaded ??= import('./caller.ts');
    const { Caller, NoVerdict } = await this.#loaded;
    this.#caller ??= new Caller(this.#api);
    const call = this.#metrics.begin(this.#side.type, hook.name, attributes.operation);
    let verdict: AdmissionResponse;
    try {
      verdict = await this.#caller.ask(hook, attributes, telling, as, this.#side.mayChange);
    } catch (error) {
      if (!(error instanceof NoVerdict)) throw error;
      call.failed(error.code, !hook.failsOpen);
      return this.#withoutVerdict(question, error);
    }
    this.#note(question, verdict);
    if (verdict.allowed) {
      call.allowed();
      return verdict;
    }
    const refusal = refusalBy(hook, verdict);
    call.refused(refusal.code);
    throw refusal;
  }

  reset(): void {
    this.#caller?.reset();
  }

  /** The audit annotation of a mutation or a failed-open call. */
  note({ attributes, place }: WebhookCall, what: string, value: string): void {
    attributes.annotate(`${what}.webhook.${this.#api.dialect.groupName('admission')}/${place}`, value);
  }

  #withoutVerdict(question: WebhookCall, failure: NoVerdict): undefined {
    if (!question.hook.failsOpen) throw internalError(failure.message);
    this.note(question, `failed-open.${this.#side.noted}`, question.hook.name);
  }

  /** Adds the warnings and audit annotations of the response. */
  #note(
    { hook, attributes }: WebhookCall,
    { auditAnnotations = {}, warnings = [] }: AdmissionResponse,
  ): void {
    for (const [key, value] of Object.entries(auditAnnotations)) {
      const name = `${hook.name}/${key}`;
      if (qualifiedName(name).length === 0) attributes.annotate(name, value);
    }
    for (const warning of warnings) {
      if (isSayable(warning)) attributes.warnings.push(warning);
    }
  }
}

/** Warnings that are empty or have control characters cannot be sent in a header and are dropped. */
const isSayable = (text: string) => text !== '' && !/[\x00-\x1f\x7f]/.test(text);

function refuseDryRun({ name, webhook }: Hook, { dryRun }: Attributes): void {
  const { sideEffects } = webhook;
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook ${quote(name)} does not support dry run`);
}
