// Pod Security admission: the policies of namespaces, and whether any namespace has Pod Security labels at all.
import type { AdmissionContext } from '../../../registry/verb-context.ts';
import { Reflector } from '../../../store/reflector.ts';
import { decodePairs } from '../../../store/stored-object.ts';
import { type Policy, policyFromLabels, privilegedPolicy } from './policy.ts';

/** Bound the cache to a few megabytes: a namespace may have a megabyte of labels. */
const maxCachedPolicies = 2000;
const maxCachedLength = 1024;

export class LabelledNamespaces {
  readonly #api: AdmissionContext;
  readonly #prefix: string;
  readonly #reflector: Reflector;
  readonly #labelled = new Set<string>();
  /** Parsed policies by the encoded labels of the namespace: namespaces with the same labels share a policy. */
  readonly #policies = new Map<string, Policy>();
  #isSynced = false;

  constructor(api: AdmissionContext, prefix: string) {
    this.#api = api;
    this.#prefix = prefix;
    // `labels` is the encoded text of all labels, so a substring search finds the prefix without decoding it.
    this.#reflector = new Reflector(api.store, 'namespaces', {
      add: ({ key, labels }) => this.#setLabelled(key, labels.includes(prefix)),
      remove: ({ key }, isReplaced) => {
        if (!isReplaced) this.#setLabelled(key, false);
      },
      clear: () => this.#labelled.clear(),
    });
  }

  /**
   * Whether any namespace has Pod Security labels. `Plugin.handles` reads it, so a change invalidates the chain's
   * cache.
   */
  get hasAny(): boolean {
    if (!this.#isSynced) {
      this.#isSynced = true;
      this.#reflector.sync();
    }
    return this.#labelled.size > 0;
  }

  /** The policy of a namespace; privileged if it has no Pod Security labels. */
  policyOf(namespace: string): Policy {
    const labels = this.#api.store.get(`namespaces/${namespace}`)?.labels;
    if (!labels?.includes(this.#prefix)) return privilegedPolicy;
    let policy = this.#policies.get(labels);
    if (!policy) {
      policy = policyFromLabels(decodePairs(labels), this.#prefix);
      if (labels.length > maxCachedLength) return policy;
      if (this.#policies.size === maxCachedPolicies) this.#policies.clear();
      this.#policies.set(labels, policy);
    }
    return policy;
  }

  /** Drops all state after the store was restored to a snapshot. */
  reset(): void {
    this.#reflector.reset();
    this.#isSynced = false;
  }

  #setLabelled(key: string, isLabelled: boolean): void {
    const hadAny = this.#labelled.size > 0;
    if (isLabelled) this.#labelled.add(key);
    else this.#labelled.delete(key);
    if (hadAny !== this.#labelled.size > 0) this.#api.admission.invalidateHandlesCache();
  }
}
