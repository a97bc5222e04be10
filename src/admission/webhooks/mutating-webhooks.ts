// Admission plugin MutatingAdmissionWebhook: calls mutating webhooks in order, with reinvocation. If a webhook changes the
// object, the chain runs all mutating plugins a second time; then only webhooks with reinvocationPolicy IfNeeded are
// called again, and only if the object changed after their call.
import { internalError } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import type { Attributes } from '../attributes.ts';
import type { Plugin, PluginDependencies } from '../plugin.ts';
import type { AdmissionResponse } from './admission-response.ts';
import { WebhookConfigurations } from './configurations.ts';
import { type WebhookCall, WebhookDispatcher } from './dispatcher.ts';
import { WebhookMatchConditions } from './match-conditions.ts';
import { restoreInvalidManagedFields } from './restore-managed-fields.ts';
import { convertForWebhook, convertFromWebhook, ReviewSerializer } from './review.ts';
import type { WebhookAccessor } from './webhook-accessor.ts';
import type { WebhookMetrics } from './webhook-metrics.ts';

/** Calls webhooks sequentially: each sees the patches of the previous ones. */
export class MutatingWebhooks implements Plugin {
  readonly name = 'MutatingAdmissionWebhook';
  readonly #configurations: WebhookConfigurations;
  readonly #dispatcher: WebhookDispatcher;
  readonly #conditions: WebhookMatchConditions;
  readonly #metrics: WebhookMetrics;
  /** The state of the first round that reinvocation needs. */
  readonly #reinvocations = new WeakMap<Attributes, ReinvocationState>();

  constructor({ api, admissionMetrics: { webhooks } }: Pick<PluginDependencies, 'api' | 'admissionMetrics'>) {
    this.#configurations = new WebhookConfigurations(api, 'mutatingwebhookconfigurations');
    const kind = { mayPatch: true, type: 'admit', auditName: 'mutation' } as const;
    this.#conditions = new WebhookMatchConditions(api);
    this.#dispatcher = new WebhookDispatcher(api, kind, webhooks);
    this.#metrics = webhooks;
  }

  handles(target: AdmissionTarget): boolean {
    return this.#configurations.candidates(target).length > 0;
  }

  async admit(attributes: Attributes): Promise<void> {
    const reinvocation = this.#reinvocationStateOf(attributes);
    const { isReinvocation, object: objectBefore } = attributes;
    // Another plugin has changed the object since the first round.
    if (isReinvocation && reinvocation.firstResult !== serializeObject(attributes)) {
      reinvocation.requireReinvocation();
    }
    let serializer = new ReviewSerializer(attributes);
    for (const { hook, matcher } of this.#configurations.candidates(attributes.admissionTarget)) {
      if (isReinvocation && !reinvocation.needsReinvocation(hook)) continue;
      const matchedResource = matcher.match(attributes);
      if (!matchedResource || !(await this.#conditions.areMet(hook, attributes, matchedResource))) continue;
      const annotationName = `round_${isReinvocation ? 1 : 0}_index_${hook.index}`;
      const call = { hook, attributes, serializer, matchedResource, annotationName };
      const response = await this.#callWebhook(call);
      if (await this.#mutate(call, response)) {
        serializer = new ReviewSerializer(attributes);
        reinvocation.requireReinvocation();
        attributes.needsReinvocation = true;
      }
      reinvocation.recordCall(hook);
    }
    if (objectBefore && attributes.object && objectBefore !== attributes.object) {
      restoreInvalidManagedFields(objectBefore, attributes.object, attributes.warnings);
    }
    if (attributes.needsReinvocation && !isReinvocation) {
      reinvocation.firstResult = serializeObject(attributes);
    }
  }

  reset(): void {
    this.#configurations.reset();
    this.#dispatcher.reset();
  }

  close(): void {
    this.#configurations.close();
  }

  async #callWebhook(call: WebhookCall): Promise<AdmissionResponse | undefined> {
    const start = performance.now();
    try {
      return await this.#dispatcher.dispatch(call);
    } finally {
      call.attributes.addExternalLatency(performance.now() - start);
    }
  }

  /** Applies the patch of a response, if it has one; returns whether the object changed. */
  async #mutate(call: WebhookCall, response: AdmissionResponse | undefined): Promise<boolean> {
    const { attributes } = call;
    const serializedBefore = attributes.object && serializeObject(attributes);
    try {
      if (response?.patch && (await this.#applyPatch(call, response, response.patch))) {
        const mutated = serializeObject(attributes) !== serializedBefore;
        this.#annotateMutation(call, mutated);
        return mutated;
      }
    } catch (error) {
      this.#metrics.countRejection('admit', call.hook.name, attributes.operation, 'apiserver_internal_error');
      throw error;
    }
    this.#annotateMutation(call, false);
    return false;
  }

  /** Returns false for a patch without operations, or of a type that failurePolicy Ignore skips. */
  async #applyPatch(call: WebhookCall, { patchType }: AdmissionResponse, patch: Buffer): Promise<boolean> {
    const { hook, attributes, matchedResource } = call;
    // Most responses have no patch, so the code for patches is imported on demand.
    const { applyWebhookPatch, decodeWebhookPatch } = await import('./webhook-patch.ts');
    const operations = decodeWebhookPatch(patch);
    if (operations.length === 0) return false;
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
    const kind = matchedResource.kindOf(attributes.target.subresource);
    const converted = await convertForWebhook(attributes, matchedResource, attributes.object);
    const patched = applyWebhookPatch(attributes.api.registry, kind, converted, operations);
    attributes.object = await convertFromWebhook(attributes, matchedResource, patched);
    this.#annotatePatch(call, patch);
    return true;
  }

  #annotateMutation(call: WebhookCall, mutated: boolean): void {
    const { configuration, name: webhook } = call.hook;
    this.#dispatcher.annotate(call, 'mutation', JSON.stringify({ configuration, webhook, mutated }));
  }

  /** A patch can contain request data, so it is audited only at levels that keep the request object. */
  #annotatePatch(call: WebhookCall, patch: Buffer): void {
    if (!call.attributes.request?.audit?.keepsRequestObject) return;
    const { configuration, name: webhook } = call.hook;
    const value = { configuration, webhook, patch: JSON.parse(patch.toString()), patchType: 'JSONPatch' };
    this.#dispatcher.annotate(call, 'patch', JSON.stringify(value));
  }

  #reinvocationStateOf(attributes: Attributes): ReinvocationState {
    let reinvocation = this.#reinvocations.get(attributes);
    if (!reinvocation) {
      reinvocation = new ReinvocationState();
      this.#reinvocations.set(attributes, reinvocation);
    }
    return reinvocation;
  }
}

const serializeObject = ({ kind, object }: Attributes) =>
  object === undefined ? '' : String(kind.definition.schema.write(object));

/** Which webhooks were called, and which must be called again because the object changed since (reinvocationPolicy). */
class ReinvocationState {
  /** The serialized object at the end of the first round. */
  firstResult = '';
  /** Webhooks with reinvocationPolicy IfNeeded that were called since the last change of the object. */
  #called = new Set<WebhookAccessor>();
  readonly #toReinvoke = new Set<WebhookAccessor>();

  recordCall(hook: WebhookAccessor): void {
    if (hook.webhook.reinvocationPolicy === 'IfNeeded') this.#called.add(hook);
  }

  /** The object has changed: the webhooks that were called before must see the change. */
  requireReinvocation(): void {
    for (const hook of this.#called) this.#toReinvoke.add(hook);
    this.#called = new Set();
  }

  needsReinvocation(hook: WebhookAccessor): boolean {
    return this.#toReinvoke.has(hook);
  }
}
