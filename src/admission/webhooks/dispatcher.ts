// Admission webhooks: calls one webhook and applies its failure policy, metrics, warnings and audit annotations.
import { badRequest, internalError } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { StorageContext } from '../../registry/verb-context.ts';
import { qualifiedName } from '../../schema/names.ts';
import type { Attributes } from '../attributes.ts';
import type { AdmissionResponse } from './admission-response.ts';
import type { CallingWebhookError, WebhookCaller } from './caller.ts';
import { newDeniedError } from './denied-error.ts';
import type { ReviewSerializer } from './review.ts';
import type { WebhookAccessor } from './webhook-accessor.ts';
import type { WebhookMetrics, WebhookType } from './webhook-metrics.ts';

/** The differences between mutating and validating webhooks. */
export interface WebhookKind {
  /** Whether responses may have a patch. */
  readonly mayPatch: boolean;
  /** The `type` label of metrics. */
  readonly type: WebhookType;
  /** The name part of failed-open audit annotations. */
  readonly auditName: 'mutation' | 'validating';
}

/** One call of a webhook. */
export interface WebhookCall {
  readonly hook: WebhookAccessor;
  readonly attributes: Attributes;
  readonly serializer: ReviewSerializer;
  /** The version of the objects in the review. */
  readonly matchedResource: ServedResource;
  /** The name of the audit annotation: `round_0_index_1`. */
  readonly annotationName: string;
}

type CallerModule = typeof import('./caller.ts');

export class WebhookDispatcher {
  readonly #api: StorageContext;
  readonly #kind: WebhookKind;
  readonly #metrics: WebhookMetrics;
  #callerModule: Promise<CallerModule> | undefined;
  #caller: WebhookCaller | undefined;

  constructor(api: StorageContext, kind: WebhookKind, metrics: WebhookMetrics) {
    this.#api = api;
    this.#kind = kind;
    this.#metrics = metrics;
  }

  /**
   * Calls a webhook and returns its response if it allows the request; undefined where the call failed and
   * failurePolicy is Ignore. Throws the error for the client otherwise.
   */
  async dispatch(call: WebhookCall): Promise<AdmissionResponse | undefined> {
    const { hook, attributes, serializer, matchedResource } = call;
    requireDryRunSupport(hook, attributes);
    // Few servers have webhooks, so the client code is imported with the first call.
    this.#callerModule ??= import('./caller.ts');
    const { WebhookCaller, CallingWebhookError } = await this.#callerModule;
    this.#caller ??= new WebhookCaller(this.#api);
    const recorder = this.#metrics.startCall(this.#kind.type, hook.name, attributes.operation);
    let response: AdmissionResponse;
    try {
      response = await this.#caller.call(hook, attributes, serializer, matchedResource, this.#kind.mayPatch);
    } catch (error) {
      if (!(error instanceof CallingWebhookError)) throw error;
      recorder.recordFailed(error.code, hook.failsOpen ? 'Ignore' : 'Fail');
      return this.#applyFailurePolicy(call, error);
    }
    this.#recordResponse(call, response);
    if (response.allowed) {
      recorder.recordAllowed();
      return response;
    }
    const denied = newDeniedError(hook, response);
    recorder.recordDenied(denied.code);
    throw denied;
  }

  reset(): void {
    this.#caller?.reset();
  }

  /** Adds the audit annotation of a mutation, a patch or a failed-open call. */
  annotate({ attributes, annotationName }: WebhookCall, annotation: string, value: string): void {
    attributes.annotate(
      `${annotation}.webhook.${this.#api.dialect.groupName('admission')}/${annotationName}`,
      value,
    );
  }

  #applyFailurePolicy(call: WebhookCall, failure: CallingWebhookError): undefined {
    if (!call.hook.failsOpen) throw internalError(failure.message);
    this.annotate(call, `failed-open.${this.#kind.auditName}`, call.hook.name);
  }

  /** Adds the warnings and audit annotations of the response. */
  #recordResponse(
    { hook, attributes }: WebhookCall,
    { auditAnnotations = {}, warnings = [] }: AdmissionResponse,
  ): void {
    for (const [key, value] of Object.entries(auditAnnotations)) {
      const name = `${hook.name}/${key}`;
      const isValidName = qualifiedName(name).length === 0;
      if (isValidName) attributes.annotate(name, value);
    }
    for (const warning of warnings) {
      if (isValidWarning(warning)) attributes.warnings.push(warning);
    }
  }
}

/** Warnings that are empty or have control characters cannot be sent in a header and are dropped. */
const isValidWarning = (text: string) => text !== '' && !/[\x00-\x1f\x7f]/.test(text);

function requireDryRunSupport({ name, webhook }: WebhookAccessor, { dryRun }: Attributes): void {
  const { sideEffects } = webhook;
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  throw badRequest(`admission webhook ${quote(name)} does not support dry run`);
}
