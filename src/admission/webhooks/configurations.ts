// Admission webhooks: the cache of webhook configurations, and which webhooks match a request.
import type { Webhook } from '../../apis/admissionregistration/webhook-validation.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { AdmissionContext } from '../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../registry/write/admission-control.ts';
import { Reflector } from '../../store/reflector.ts';
import type { StoredObject } from '../../store/store.ts';
import type { TargetMatcher } from '../matching/matcher.ts';
import { WebhookAccessor } from './webhook-accessor.ts';

/** A webhook that may match requests for a target. */
export interface WebhookCandidate {
  readonly hook: WebhookAccessor;
  readonly matcher: TargetMatcher;
}

/**
 * All mutating or all validating webhooks, synced with the store: a configuration takes effect before its writer gets the
 * response. Webhooks are ordered by the name of their configuration, then by their position in it.
 */
export class WebhookConfigurations {
  readonly #api: AdmissionContext;
  readonly #reflector: Reflector;
  readonly #byName = new Map<string, readonly WebhookAccessor[]>();
  /** By resource, then by operation and subresource. */
  #byTarget = new Map<ServedResource, Map<string, readonly WebhookCandidate[]>>();
  /** All webhooks in the order of their calls; undefined after a change. */
  #ordered: readonly WebhookAccessor[] | undefined;

  constructor(api: AdmissionContext, plural: string) {
    this.#api = api;
    this.#reflector = new Reflector(api.store, plural, {
      add: (stored) => this.#setWebhooks(configurationName(stored), webhooksIn(stored)),
      remove: (stored) => this.#setWebhooks(configurationName(stored), []),
      clear: () => {
        for (const name of [...this.#byName.keys()]) this.#setWebhooks(name, []);
      },
    });
  }

  /**
   * The webhooks that may match requests for a target. The group admissionregistration is exempt, so that clients can
   * remove a broken webhook.
   */
  candidates(target: AdmissionTarget): readonly WebhookCandidate[] {
    this.#reflector.sync();
    const { resource, subresource, operation } = target;
    if (this.#byName.size === 0 || resource.definition.group === 'admissionregistration') return [];
    let byOperation = this.#byTarget.get(resource);
    if (!byOperation) {
      byOperation = new Map();
      this.#byTarget.set(resource, byOperation);
    }
    const key = `${operation} ${subresource}`;
    let candidates = byOperation.get(key);
    if (!candidates) {
      candidates = this.#inOrder().flatMap((hook) => {
        const matcher = hook.matcher.forTarget(this.#api.registry, target);
        return matcher ? [{ hook, matcher }] : [];
      });
      byOperation.set(key, candidates);
    }
    return candidates;
  }

  reset(): void {
    this.#reflector.reset();
  }

  close(): void {
    for (const hook of this.#inOrder()) hook.connections?.close();
  }

  #inOrder(): readonly WebhookAccessor[] {
    if (!this.#ordered) {
      const names = [...this.#byName.keys()].sort();
      this.#ordered = names.flatMap((name) => this.#byName.get(name)!);
      for (const [index, hook] of this.#ordered.entries()) hook.index = index;
    }
    return this.#ordered;
  }

  /** `name`: of the configuration. Its previous connections are closed once they are idle. */
  #setWebhooks(name: string, webhooks: readonly Webhook[]): void {
    for (const hook of this.#byName.get(name) ?? []) hook.connections?.retire();
    if (webhooks.length === 0) this.#byName.delete(name);
    else
      this.#byName.set(
        name,
        webhooks.map((webhook) => new WebhookAccessor(name, webhook)),
      );
    this.#ordered = undefined;
    this.#byTarget = new Map();
    this.#api.admission.invalidateHandlesCache();
  }
}

const configurationName = ({ key }: StoredObject) => key.slice(key.lastIndexOf('/') + 1);

/** An undecodable configuration has no webhooks. */
function webhooksIn({ json }: StoredObject): readonly Webhook[] {
  try {
    return (JSON.parse(json.toString()) as { webhooks?: Webhook[] }).webhooks ?? [];
  } catch {
    return [];
  }
}
