// resourcequota-controller: recomputes status.used of ResourceQuotas.

import {
  calculateUsage,
  type EvaluatedResource,
} from '../../admission/plugins/resource-quota/calculate-usage.ts';
import { QuotaEvaluators } from '../../admission/plugins/resource-quota/evaluators.ts';
import type { StoredQuota } from '../../admission/plugins/resource-quota/quota-accessor.ts';
import {
  hasUnobservedLimits,
  isSameResourceList,
} from '../../admission/plugins/resource-quota/quota-account.ts';
import type { QuotaLedger } from '../../admission/plugins/resource-quota/quota-ledger.ts';
import {
  addUsage,
  maxUsage,
  nonNegativeUsage,
  parseUsage,
  subtractUsage,
  toResourceList,
  type Usage,
} from '../../admission/plugins/resource-quota/usage.ts';
import type { ResourceQuota } from '../../apis/core/resourcequota.ts';
import { every } from '../../base/clock.ts';
import type { Api } from '../../registry/api.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { Change } from '../../store/store.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';

/** Interval of full recalculation. */
const period = 5 * 60_000;
/** Longest time that a write on another server takes to commit or fail after it was charged. */
const underWayElsewhere = 6_000;
/** Batches changes of the same namespace. */
const together = 1_000;

/**
 * Recalculates when charged objects are deleted, when a quota is created or updated, and periodically. Charges of
 * writes in flight count as used, so that no quota is given away twice.
 */
export class ResourceQuotaController implements Controller {
  readonly #api: Api;
  readonly #ledger: QuotaLedger;
  readonly #evaluators: QuotaEvaluators;
  /** Namespaces to recalculate. */
  readonly #outdated: WorkQueue;
  readonly #stops: (() => void)[] = [];
  #startedAt = 0;

  constructor({ api, quotas, newQueue }: ControllerContext) {
    this.#api = api;
    this.#ledger = quotas;
    this.#outdated = newQueue({
      name: 'resourcequota_primary',
      reconcile: (namespace) => this.#recount(namespace),
    });
    this.#evaluators = new QuotaEvaluators(api.dialect);
  }

  start(): void {
    this.#startedAt = this.#api.clock.now();
    this.#ledger.waitUntilCalculated = (namespace) => this.#counted(namespace);
    this.#ledger.onDecrease = (namespace) => this.#outdated.add(namespace);
    this.#ledger.accessor.onForeignWrite = (namespace) => this.#outdated.add(namespace);
    this.#stops.push(
      this.#api.store.subscribe((changes) => {
        for (const change of changes) this.#hear(change);
      }),
      every(this.#api.clock, period, () => this.#recountAll()),
    );
    this.#recountAll();
  }

  reset(): void {
    this.#outdated.clear();
    this.#recountAll();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#outdated.close();
  }

  #recountAll(): void {
    for (const namespace of this.#ledger.accessor.quotas.namespaces) this.#outdated.add(namespace);
  }

  #hear(change: Change): void {
    const { prefix, key, type } = change;
    const namespace = key.slice(prefix.length + 1, key.lastIndexOf('/'));
    const { accessor } = this.#ledger;
    if (prefix === 'resourcequotas') {
      if (type === 'deleted') accessor.forget(key);
      else if (!accessor.isBeingWritten(key)) {
        accessor.recordForeignWrite(key);
        this.#outdated.add(namespace);
      }
    }
    if (!accessor.quotas.has(namespace)) return;
    let isCharged = false;
    for (const charge of this.#ledger.inFlight(namespace)) {
      if (charge.key !== key) continue;
      charge.isObserved = true;
      isCharged = true;
    }
    const mayMatter = type === 'deleted' || (type === 'created' ? !isCharged : hasEnded(change));
    if (mayMatter && this.#isCounted(namespace, prefix)) this.#outdated.add(namespace);
    else if (!isCharged && this.#api.store.isShared && this.#mayUseLess(change, namespace)) {
      this.#outdated.addAfter(namespace, together);
    }
  }

  /** Whether a change on another server may have reduced usage. Most pod updates do not. */
  #mayUseLess({ type, prefix }: Change, namespace: string): boolean {
    if (type !== 'updated' || prefix === 'pods' || !this.#isCounted(namespace, prefix)) return false;
    const resource = this.#api.registry.stored.find((each) => each.prefix === prefix);
    return resource !== undefined && this.#evaluators.of(resource)?.isUniform !== true;
  }

  #isCounted(namespace: string, prefix: string): boolean {
    const resource = this.#api.registry.stored.find((each) => each.prefix === prefix);
    const evaluator = resource && this.#evaluators.of(resource);
    if (!evaluator) return false;
    return this.#ledger.accessor.quotas
      .in(namespace)
      .some(({ spec }) => Object.keys(spec.hard ?? {}).some((name) => evaluator.counts(name)));
  }

  /** Resolves once every new limit of the namespace is in effect, or cannot be computed now. */
  async #counted(namespace: string): Promise<void> {
    const hasNewLimits = () => this.#ledger.accessor.quotas.in(namespace).some(hasUnobservedLimits);
    while (this.#outdated.has(namespace) && hasNewLimits()) await this.#outdated.nextCompletion();
  }

  async #recount(namespace: string): Promise<void> {
    const begun = await this.#ledger.runExclusive(namespace, async () => {
      // A conflict schedules the retry one microtask later.
      const underWay = [...this.#ledger.inFlight(namespace)];
      if (underWay.some(({ isObserved, hasFailed }) => isObserved && !hasFailed)) {
        this.#outdated.add(namespace);
        return undefined;
      }
      const entries = this.#ledger.accessor.read(namespace);
      if (entries.length === 0) return undefined;
      const view = this.#api.store.pin();
      const now = this.#api.clock.now();
      const counting = calculateUsage(view, namespace, entries, this.#countables(), underWay, now).finally(
        () => view.release(),
      );
      // Requests are not charged to limits that are not in effect yet: these take precedence.
      if (!entries.some(({ quota }) => hasUnobservedLimits(quota))) return { entries, counting, now };
      await this.#correct(namespace, entries, await counting, now);
      return undefined;
    });
    if (!begun) return;
    const counts = await begun.counting;
    await this.#ledger.runExclusive(namespace, () =>
      this.#correct(namespace, begun.entries, counts, begun.now),
    );
  }

  #countables(): EvaluatedResource[] {
    return this.#api.registry.stored.flatMap((resource) => {
      const evaluator = this.#evaluators.of(resource);
      return evaluator ? [{ resource, evaluator }] : [];
    });
  }

  /**
   * Whether a count at that time includes everything charged before it. Writes in flight on this server are known;
   * for those of other servers it waits, and treats nothing as unused until then.
   */
  #isAllKnown(namespace: string, key: string, at: number): boolean {
    if (!this.#api.store.isShared) return true;
    const since = Math.max(this.#startedAt, this.#ledger.accessor.foreignWriteTimeMs(key));
    const left = since + underWayElsewhere - at;
    if (left > 0) this.#outdated.addAfter(namespace, left);
    return left <= 0;
  }

  /** Writes the count with the charges and refunds since. */
  async #correct(
    namespace: string,
    entries: readonly StoredQuota[],
    counts: ReadonlyMap<string, Usage>,
    at: number,
  ): Promise<void> {
    const { accessor } = this.#ledger;
    for (const entry of entries) {
      await accessor.write(namespace, entry.key, (current) => {
        if (!isSameQuota(current, entry.quota) || !accessor.isOnlyWrittenHereSince(entry)) {
          this.#outdated.add(namespace);
          return undefined;
        }
        const { hard } = current.spec;
        const counted = counts.get(entry.key)!;
        const now = parseUsage(current.status.used);
        const since = subtractUsage(now, parseUsage(entry.quota.status.used));
        const found = addUsage(counted, since);
        const isSure = this.#isAllKnown(namespace, entry.key, at);
        const used = toResourceList(nonNegativeUsage(counted.keys(), isSure ? found : maxUsage(found, now)));
        const status = { hard: toResourceList(parseUsage(hard)), used };
        return isSameStatus(status, current.status) ? undefined : status;
      });
    }
  }
}

/** Whether the change terminated the pod, which then uses no quota. */
function hasEnded({ prefix, object, previous }: Change): boolean {
  if (prefix !== 'pods' || !previous || object.fields === previous.fields) return false;
  const isOver = (fields: string) => {
    const phase = decodePairs(fields).get('status.phase');
    return phase === 'Succeeded' || phase === 'Failed';
  };
  return isOver(object.fields) && !isOver(previous.fields);
}

const isSameQuota = (one: ResourceQuota, other: ResourceQuota) =>
  one.metadata.uid === other.metadata.uid && isSameResourceList(one.spec.hard, other.spec.hard);

const isSameStatus = (one: ResourceQuota['status'], other: ResourceQuota['status']) =>
  isSameResourceList(one.hard, other.hard) && isSameResourceList(one.used, other.used);
