// ResourceQuota admission: charges quotas for requests before they are stored, and refunds requests that fail.
import type { Api } from '../../../registry/api.ts';
import { newForbidden } from '../../new-forbidden.ts';
import { Book, type Entry } from './book.ts';
import type { Charge } from './charge.ts';
import {
  type Account,
  accountOf,
  chargeOf,
  isInScope,
  limitsOf,
  whyTooMuch,
  whyUncountable,
} from './check.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { listOf, minus, ofEach, plus, type Usage, usageIn } from './usage.ts';

/** A request that waits to be charged. */
interface Waiting {
  readonly charge: Charge;
  resolve(): void;
  reject(error: unknown): void;
}

/** A quota, its usage after this batch, and the charges in it. */
interface Page {
  readonly entry: Entry;
  account: Account;
  readonly charges: { readonly charge: Charge; readonly usage: Usage }[];
}

const none: ReadonlySet<Charge> = new Set();

/**
 * Charges the stored quotas for a request before the request is stored.
 *
 * Invariant: status.used of a quota is at least the usage of the stored objects plus the requests in flight. A request that
 * fails is refunded; other excess is corrected by the recalculation of the quota controller.
 *
 * A mutex serializes everything this server does to the quotas of a namespace: while it is free, the stored quotas and the
 * list of requests in flight agree. Requests that wait for the mutex together are charged in one batch.
 */
export class Ledger {
  readonly book: Book;
  /** Called when usage may be lower than what was charged. */
  onDecrease: (namespace: string) => void = () => {};
  /** Resolves once new limits have their usage calculated; undefined without a quota controller in this process. */
  counted: ((namespace: string) => Promise<void>) | undefined;
  readonly #turns = new KeyedMutex();
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #underWay = new Map<string, Set<Charge>>();

  constructor(api: Api) {
    this.book = new Book(api);
  }

  /** Resolves once every quota is charged; rejects with the error for the client. */
  charge(charge: Charge): Promise<void> {
    const { namespace } = charge.attributes;
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(namespace);
      if (waiting) waiting.push({ charge, resolve, reject });
      else {
        this.#waiting.set(namespace, [{ charge, resolve, reject }]);
        void this.inTurn(namespace, () => this.#chargeAll(namespace));
      }
    });
  }

  /** Runs a task while no other task of this server touches the quotas of the namespace. */
  inTurn<T>(namespace: string, task: () => T | Promise<T>): Promise<T> {
    return this.#turns.take(namespace, task);
  }

  /** The writes in a namespace that have been let through, and are neither stored nor given back yet. */
  underWay(namespace: string): ReadonlySet<Charge> {
    return this.#underWay.get(namespace) ?? none;
  }

  /** Forgets everything, for a store that was put back to another state. */
  reset(): void {
    this.book.reset();
    this.#underWay.clear();
  }

  async #chargeAll(namespace: string): Promise<void> {
    let open = this.#waiting.get(namespace) ?? [];
    this.#waiting.delete(namespace);
    try {
      while (open.length > 0) open = await this.#chargeOnce(namespace, open);
    } catch (error) {
      for (const { charge, reject } of open) {
        await this.#refund(charge).catch(() => {});
        reject(error);
      }
    }
  }

  /** Returns the requests to retry because a quota changed concurrently. */
  async #chargeOnce(namespace: string, open: readonly Waiting[]): Promise<Waiting[]> {
    const pages: Page[] = this.book
      .read(namespace)
      .map((entry) => ({ entry, account: accountOf(entry.quota), charges: [] }));
    const passed: Waiting[] = [];
    for (const waiting of open) {
      const why = enter(waiting.charge, pages);
      if (why === undefined) passed.push(waiting);
      else {
        await this.#refund(waiting.charge);
        waiting.reject(newForbidden(waiting.charge.attributes, why));
      }
    }
    const tooLate = new Set<Charge>();
    for (const { entry, account, charges } of pages) {
      if (charges.length === 0) continue;
      const { key, revision, quota } = entry;
      const isWritten = await this.book.write(namespace, key, ({ metadata, status }) =>
        metadata.resourceVersion === String(revision) ? { ...status, used: listOf(account.used) } : undefined,
      );
      for (const { charge, usage } of charges) {
        if (isWritten) charge.charged.set(key, { uid: quota.metadata.uid ?? '', usage });
        else tooLate.add(charge);
      }
    }
    for (const { charge, resolve } of passed) {
      if (tooLate.has(charge)) continue;
      if (!charge.attributes.dryRun) this.#letThrough(charge);
      resolve();
    }
    return passed.filter(({ charge }) => tooLate.has(charge));
  }

  #letThrough(charge: Charge): void {
    const { attributes, hasDecrease } = charge;
    const { namespace } = attributes;
    let all = this.#underWay.get(namespace);
    if (!all) {
      all = new Set();
      this.#underWay.set(namespace, all);
    }
    all.add(charge);
    attributes.onSuccess(() => {
      this.#end(charge);
      if (hasDecrease) this.onDecrease(namespace);
    });
    attributes.onFailure(() => {
      charge.hasFailed = true;
      return this.inTurn(namespace, async () => {
        await this.#refund(charge);
        this.#end(charge);
      });
    });
  }

  #end(charge: Charge): void {
    const { namespace } = charge.attributes;
    const all = this.#underWay.get(namespace);
    all?.delete(charge);
    if (all?.size === 0) this.#underWay.delete(namespace);
  }

  async #refund({ attributes, charged }: Charge): Promise<void> {
    for (const [key, { uid, usage }] of charged) {
      await this.book.write(attributes.namespace, key, ({ metadata, status }) => {
        if (metadata.uid !== uid) return undefined;
        const used = usageIn(status.used);
        return { ...status, used: listOf(ofEach(used.keys(), minus(used, usage))) };
      });
      charged.delete(key);
    }
  }
}

/** Adds a charge to the quotas that count it; returns the reason if it does not fit. */
function enter(charge: Charge, pages: readonly Page[]): string | undefined {
  const { attributes, evaluator, object, increase, charged } = charge;
  const concerned = pages.filter(
    ({ entry, account }) =>
      limitsOf(account, evaluator).length > 0 && isInScope(entry.quota, evaluator, object),
  );
  for (const { account } of concerned) {
    const why = whyUncountable(account, evaluator, object);
    if (why !== undefined) return why;
  }
  const uncharged = concerned.filter(({ entry }) => !charged.has(entry.key));
  for (const { account } of uncharged) {
    const why = whyTooMuch(account, increase);
    if (why !== undefined) return why;
  }
  if (attributes.dryRun) return undefined;
  for (const page of uncharged) {
    const usage = chargeOf(page.account, increase);
    if (usage.size === 0) continue;
    page.account = { ...page.account, used: plus(page.account.used, usage) };
    page.charges.push({ charge, usage });
  }
  return undefined;
}
