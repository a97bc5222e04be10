// Pod Security admission: the policies of namespaces, cached by their labels.
import type { Api } from '../../../registry/api.ts';
import { decodePairs } from '../../../store/pairs.ts';
import { Reflector } from '../../../store/reflector.ts';
import { freePolicy, type Policy, policyOf } from './policy.ts';

const mostKnown = 2000;

/** The namespaces with Pod Security labels. */
export class LabelledNamespaces {
  readonly #api: Api;
  readonly #prefix: string;
  readonly #follower: Reflector;
  readonly #labelled = new Set<string>();
  /** By the labels of the namespace, as they are stored. */
  readonly #policies = new Map<string, Policy>();
  #isCaughtUp = false;

  constructor(api: Api, prefix: string) {
    this.#api = api;
    this.#prefix = prefix;
    this.#follower = new Reflector(api.store, 'namespaces', {
      add: ({ key, labels }) => this.#note(key, labels.includes(prefix)),
      remove: ({ key }, isReplaced) => {
        if (!isReplaced) this.#note(key, false);
      },
      clear: () => this.#labelled.clear(),
    });
  }

  /** Whether any namespace has labels. The plugins are reconsidered when this changes. */
  get any(): boolean {
    if (!this.#isCaughtUp) {
      this.#isCaughtUp = true;
      this.#follower.sync();
    }
    return this.#labelled.size > 0;
  }

  policy(namespace: string): Policy {
    const labels = this.#api.store.get(`namespaces/${namespace}`)?.labels;
    if (!labels?.includes(this.#prefix)) return freePolicy;
    let policy = this.#policies.get(labels);
    if (!policy) {
      if (this.#policies.size === mostKnown) this.#policies.clear();
      policy = policyOf(decodePairs(labels), this.#prefix);
      this.#policies.set(labels, policy);
    }
    return policy;
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    this.#follower.reset();
    this.#isCaughtUp = false;
  }

  #note(key: string, isLabelled: boolean): void {
    const had = this.#labelled.size > 0;
    if (isLabelled) this.#labelled.add(key);
    else this.#labelled.delete(key);
    if (had !== this.#labelled.size > 0) this.#api.admission.reconsider();
  }
}
