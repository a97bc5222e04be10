// ResourceQuota admission: charges quotas for requests before they are stored, and refunds requests that fail.
import type { AdmissionContext } from '../../../registry/verb-context.ts';
import type { Store } from '../../../store/store.ts';
import { newForbidden } from '../../new-forbidden.ts';
import { calculateUsage, type EvaluatedResource } from './calculate-usage.ts';
import type { Charge } from './charge.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { QuotaAccessor, type StoredQuota } from './quota-accessor.ts';
import {
  accountOf,
  chargeOf,
  exceededMessage,
  isInScope,
  limitsOf,
  type QuotaAccount,
  uncountableMessage,
} from './quota-account.ts';
import {
  addUsage,
  nonNegativeUsage,
  parseUsage,
  subtractUsage,
  toResourceList,
  type Usage,
} from './usage.ts';

/** A request that waits to be charged. */
interface PendingCharge {
  readonly charge: Charge;
  resolve(): void;
  reject(error: unknown): void;
}

/** A quota, its usage after this batch, and the charges in it. */
interface QuotaBatch {
  readonly entry: StoredQuota;
  account: QuotaAccount;
  readonly charges: { readonly charge: Charge; readonly usage: Usage }[];
}

const noCharges: ReadonlySet<Charge> = new Set();

/**
 * Charges the stored quotas for a request before the request is stored.
 *
 * Invariant: status.used of a quota is at least the usage of the stored objects plus the requests in flight. A request
 * that fails is refunded; other excess is corrected by the recalculation of the quota controller.
 *
 * A mutex serializes everything this server does to the quotas of a namespace: while it is free, the stored quotas and the
 * list of requests in flight agree. Requests that wait for the mutex together are charged in one batch.
 */
export class QuotaLedger {
  readonly accessor: QuotaAccessor;
  /** Called after a write that lowers usage: status.used may then be too high. */
  onDecrease: (namespace: string) => void = () => {};
  /** Resolves once new limits have their usage calculated; undefined without a quota controller in this process. */
  waitUntilCalculated: ((namespace: string) => Promise<void>) | undefined;
  readonly #store: Store;
  readonly #mutex = new KeyedMutex();
  /** By namespace: the requests that wait for the mutex, and the charged requests that are not stored yet. */
  readonly #pending = new Map<string, PendingCharge[]>();
  readonly #inFlight = new Map<string, Set<Charge>>();

  constructor(api: AdmissionContext) {
    this.#store = api.store;
    this.accessor = new QuotaAccessor(api);
  }

  /** Resolves once every quota is charged; rejects with the error for the client. */
  charge(charge: Charge): Promise<void> {
    const { namespace } = charge.attributes;
    return new Promise((resolve, reject) => {
      const pendingCharges = this.#pending.get(namespace);
      if (pendingCharges) pendingCharges.push({ charge, resolve, reject });
      else {
        this.#pending.set(namespace, [{ charge, resolve, reject }]);
        void this.runExclusive(namespace, () => this.#chargeAll(namespace));
      }
    });
  }

  /** Runs a task while no other task of this server touches the quotas of the namespace. */
  runExclusive<T>(namespace: string, task: () => T | Promise<T>): Promise<T> {
    return this.#mutex.runExclusive(namespace, task);
  }

  /** The charged requests of a namespace that are neither stored nor refunded yet. */
  inFlight(namespace: string): ReadonlySet<Charge> {
    return this.#inFlight.get(namespace) ?? noCharges;
  }

  /** Calculates the usage of quotas from a snapshot of the store and the given requests in flight. */
  async calculateUsage(
    namespace: string,
    entries: readonly StoredQuota[],
    resources: readonly EvaluatedResource[],
    inFlight: readonly Charge[],
    now: number,
  ): Promise<ReadonlyMap<string, Usage>> {
    const view = this.#store.pin();
    try {
      return await calculateUsage(view, namespace, entries, resources, inFlight, now);
    } finally {
      view.release();
    }
  }

  /** Drops all state after the store was restored to a snapshot. */
  reset(): void {
    this.accessor.reset();
    this.#inFlight.clear();
  }

  /** Charges all pending requests of a namespace. Runs with the mutex held. */
  async #chargeAll(namespace: string): Promise<void> {
    let pending = this.#pending.get(namespace) ?? [];
    this.#pending.delete(namespace);
    try {
      while (pending.length > 0) pending = await this.#chargeOnce(namespace, pending);
    } catch (error) {
      for (const { charge, reject } of pending) {
        await this.#refund(charge).catch(() => {});
        reject(error);
      }
    }
  }

  /** Charges the requests in one write per quota. Returns those to retry because a quota changed concurrently. */
  async #chargeOnce(namespace: string, pending: readonly PendingCharge[]): Promise<PendingCharge[]> {
    const batches: QuotaBatch[] = this.accessor
      .read(namespace)
      .map((entry) => ({ entry, account: accountOf(entry.quota), charges: [] }));
    const accepted = await this.#addToBatches(pending, batches);
    const conflicted = await this.#writeBatches(namespace, batches);
    for (const { charge, resolve } of accepted) {
      if (conflicted.has(charge)) continue;
      if (!charge.attributes.dryRun) this.#trackInFlight(charge);
      resolve();
    }
    return accepted.filter(({ charge }) => conflicted.has(charge));
  }

  /** Adds the charges to the batches. Rejects the requests that do not fit, and returns the others. */
  async #addToBatches(
    pending: readonly PendingCharge[],
    batches: readonly QuotaBatch[],
  ): Promise<PendingCharge[]> {
    const accepted: PendingCharge[] = [];
    for (const request of pending) {
      const message = addCharge(request.charge, batches);
      if (message === undefined) accepted.push(request);
      else {
        await this.#refund(request.charge);
        request.reject(newForbidden(request.charge.attributes, message));
      }
    }
    return accepted;
  }

  /** Writes status.used of each quota with charges. Returns the charges of quotas that changed concurrently. */
  async #writeBatches(namespace: string, batches: readonly QuotaBatch[]): Promise<ReadonlySet<Charge>> {
    const conflicted = new Set<Charge>();
    for (const { entry, account, charges } of batches) {
      if (charges.length === 0) continue;
      const { key, revision, quota } = entry;
      const used = toResourceList(account.used);
      const isWritten = await this.accessor.write(namespace, key, ({ metadata, status }) =>
        metadata.resourceVersion === String(revision) ? { ...status, used } : undefined,
      );
      for (const { charge, usage } of charges) {
        if (isWritten) charge.charged.set(key, { uid: quota.metadata.uid ?? '', usage });
        else conflicted.add(charge);
      }
    }
    return conflicted;
  }

  #trackInFlight(charge: Charge): void {
    const { attributes, hasDecrease } = charge;
    const { namespace } = attributes;
    let charges = this.#inFlight.get(namespace);
    if (!charges) {
      charges = new Set();
      this.#inFlight.set(namespace, charges);
    }
    charges.add(charge);
    attributes.onSuccess(() => {
      this.#untrack(charge);
      if (hasDecrease) this.onDecrease(namespace);
    });
    attributes.onFailure(() => {
      charge.hasFailed = true;
      return this.runExclusive(namespace, async () => {
        await this.#refund(charge);
        this.#untrack(charge);
      });
    });
  }

  #untrack(charge: Charge): void {
    const { namespace } = charge.attributes;
    const charges = this.#inFlight.get(namespace);
    charges?.delete(charge);
    if (charges?.size === 0) this.#inFlight.delete(namespace);
  }

  /** Takes back what the quotas were charged for a request. */
  async #refund({ attributes, charged }: Charge): Promise<void> {
    for (const [key, { uid, usage }] of charged) {
      await this.accessor.write(attributes.namespace, key, ({ metadata, status }) => {
        if (metadata.uid !== uid) return undefined;
        const used = parseUsage(status.used);
        return { ...status, used: toResourceList(nonNegativeUsage(used.keys(), subtractUsage(used, usage))) };
      });
      charged.delete(key);
    }
  }
}

/**
 * Adds a charge to the batches of the quotas that count it. Returns the rejection if it does not fit into one of them;
 * undefined if it fits.
 */
function addCharge(charge: Charge, batches: readonly QuotaBatch[]): string | undefined {
  const { attributes, evaluator, object, increase, charged } = charge;
  const applicable = batches.filter(
    ({ entry, account }) =>
      limitsOf(account, evaluator).length > 0 && isInScope(entry.quota, evaluator, object),
  );
  for (const { account } of applicable) {
    const message = uncountableMessage(account, evaluator, object);
    if (message !== undefined) return message;
  }
  // A retried request keeps the charges of the quotas that were written before.
  const uncharged = applicable.filter(({ entry }) => !charged.has(entry.key));
  for (const { account } of uncharged) {
    const message = exceededMessage(account, increase);
    if (message !== undefined) return message;
  }
  if (attributes.dryRun) return undefined;
  for (const batch of uncharged) {
    const usage = chargeOf(batch.account, increase);
    if (usage.size === 0) continue;
    batch.account = { ...batch.account, used: addUsage(batch.account.used, usage) };
    batch.charges.push({ charge, usage });
  }
  return undefined;
}
