/**
 * Dispatches committed changes to the store's listeners.
 *
 * Invariants:
 * - Every listener receives every change of its resources once and in order, also when a listener itself writes.
 * - Listeners receive a batch in the order in which they subscribed.
 * - A listener that unsubscribes receives nothing more, not even the rest of the current dispatch; one that subscribes
 *   during a dispatch starts with the next batch, since the store already shows the current one.
 * - An error of a listener is reported. The others still receive the batch, and the write is acknowledged.
 */
import { ListenerFailures } from './listener-failures.ts';
import type { Change, ChangeListener } from './store.ts';

interface Subscription {
  readonly listener: ChangeListener;
  /** The resources to listen to; undefined for all. */
  readonly prefixes: ReadonlySet<string> | undefined;
  isActive: boolean;
}

export class ChangeListeners {
  readonly failures = new ListenerFailures();
  #subscriptions: readonly Subscription[] = [];
  /** The subscriptions that receive changes of a resource, by its prefix; built on demand. */
  readonly #byPrefix = new Map<string, readonly Subscription[]>();
  readonly #queued: (readonly Change[])[] = [];
  #dispatching = false;

  /** Without `prefixes` the listener receives the changes of all resources. */
  add(listener: ChangeListener, prefixes?: Iterable<string>): () => void {
    const subscription = { listener, prefixes: prefixes && new Set(prefixes), isActive: true };
    this.#replace([...this.#subscriptions, subscription]);
    return () => {
      subscription.isActive = false;
      this.#replace(this.#subscriptions.filter((other) => other !== subscription));
    };
  }

  notify(changes: readonly Change[]): void {
    this.#queued.push(changes);
    // Re-entrant call from a listener that writes: its batch waits until all listeners have received the current one.
    if (this.#dispatching) return;
    this.#dispatching = true;
    for (let batch = this.#queued.shift(); batch; batch = this.#queued.shift()) this.#dispatch(batch);
    this.#dispatching = false;
  }

  #replace(subscriptions: readonly Subscription[]): void {
    this.#subscriptions = subscriptions;
    this.#byPrefix.clear();
  }

  #dispatch(batch: readonly Change[]): void {
    if (!isOfOneResource(batch)) {
      for (const subscription of this.#subscriptions) {
        this.#deliver(subscription, changesFor(subscription, batch));
      }
      return;
    }
    for (const subscription of this.#interestedIn(batch[0]!.prefix)) this.#deliver(subscription, batch);
  }

  #deliver({ listener, isActive }: Subscription, changes: readonly Change[]): void {
    if (!isActive || changes.length === 0) return;
    try {
      listener(changes);
    } catch (error) {
      this.failures.report(error, changes[0]!.key);
    }
  }

  #interestedIn(prefix: string): readonly Subscription[] {
    let interested = this.#byPrefix.get(prefix);
    if (!interested) {
      interested = this.#subscriptions.filter(({ prefixes }) => !prefixes || prefixes.has(prefix));
      this.#byPrefix.set(prefix, interested);
    }
    return interested;
  }
}

function isOfOneResource(batch: readonly Change[]): boolean {
  for (let i = 1; i < batch.length; i++) if (batch[i]!.prefix !== batch[0]!.prefix) return false;
  return batch.length > 0;
}

function changesFor({ prefixes }: Subscription, batch: readonly Change[]): readonly Change[] {
  return prefixes ? batch.filter(({ prefix }) => prefixes.has(prefix)) : batch;
}
