// resourcequota-controller: recomputes status.used of ResourceQuotas.

import type { EvaluatedResource } from '../../admission/plugins/resource-quota/calculate-usage.ts';
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
import { type Clock, every } from '../../base/clock.ts';
import type { Registry } from '../../kind/registry.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import {
  type MonitoredObject,
  type ResourceChange,
  type ResourceMonitor,
  selectableField,
} from '../runtime/resource-monitor.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';

/** Interval of full recalculation. */
const periodMs = 5 * 60_000;
/** Longest time that a write on another server takes to commit or fail after it was charged. */
const maxRemoteWriteMs = 6_000;
/** Batches changes of the same namespace. */
const batchMs = 1_000;

/**
 * Recalculates when charged objects are deleted, when a quota is created or updated, and periodically. Charges of
 * writes in flight count as used, so that no quota is given away twice.
 */
export class ResourceQuotaController implements Controller {
  readonly #monitor: ResourceMonitor;
  readonly #kinds: Registry;
  readonly #clock: Clock;
  readonly #ledger: QuotaLedger;
  readonly #evaluators: QuotaEvaluators;
  /** Namespaces to recalculate. */
  readonly #queue: WorkQueue;
  readonly #stops: (() => void)[] = [];
  #startedAt = 0;

  constructor({ monitor, kinds, clock, dialect, quotas, newQueue }: ControllerContext) {
    this.#monitor = monitor;
    this.#kinds = kinds;
    this.#clock = clock;
    this.#ledger = quotas;
    this.#queue = newQueue({
      name: 'resourcequota_primary',
      reconcile: (namespace) => this.#recalculate(namespace),
    });
    this.#evaluators = new QuotaEvaluators(dialect);
  }

  start(): void {
    this.#startedAt = this.#clock.now();
    this.#ledger.waitUntilCalculated = (namespace) => this.#waitUntilCalculated(namespace);
    this.#ledger.onDecrease = (namespace) => this.#queue.add(namespace);
    this.#ledger.accessor.onForeignWrite = (namespace) => this.#queue.add(namespace);
    this.#stops.push(
      this.#monitor.subscribe((change) => this.#onChange(change)),
      every(this.#clock, periodMs, () => this.#enqueueAll()),
    );
    this.#enqueueAll();
  }

  reset(): void {
    this.#queue.clear();
    this.#enqueueAll();
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop();
    await this.#queue.close();
  }

  #enqueueAll(): void {
    for (const namespace of this.#ledger.accessor.quotas.namespaces) this.#queue.add(namespace);
  }

  #onChange(change: ResourceChange): void {
    const { prefix, key, type } = change;
    const namespace = key.slice(prefix.length + 1, key.lastIndexOf('/'));
    const { accessor } = this.#ledger;
    if (prefix === 'resourcequotas') {
      if (type === 'deleted') accessor.forget(key);
      else if (!accessor.isBeingWritten(key)) {
        accessor.recordForeignWrite(key);
        this.#queue.add(namespace);
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
    if (mayMatter && this.#isCounted(namespace, prefix)) this.#queue.add(namespace);
    else if (!isCharged && this.#monitor.isShared && this.#mayUseLess(change, namespace)) {
      this.#queue.addAfter(namespace, batchMs);
    }
  }

  /** Whether a change on another server may have reduced usage. Most pod updates do not. */
  #mayUseLess({ type, prefix }: ResourceChange, namespace: string): boolean {
    if (type !== 'updated' || prefix === 'pods' || !this.#isCounted(namespace, prefix)) return false;
    const resource = this.#kinds.stored.find((stored) => stored.prefix === prefix);
    return resource !== undefined && this.#evaluators.of(resource)?.isUniform !== true;
  }

  #isCounted(namespace: string, prefix: string): boolean {
    const resource = this.#kinds.stored.find((stored) => stored.prefix === prefix);
    const evaluator = resource && this.#evaluators.of(resource);
    if (!evaluator) return false;
    return this.#ledger.accessor.quotas
      .in(namespace)
      .some(({ spec }) => Object.keys(spec.hard ?? {}).some((name) => evaluator.counts(name)));
  }

  /** Resolves once every new limit of the namespace is in effect, or cannot be computed now. */
  async #waitUntilCalculated(namespace: string): Promise<void> {
    const hasNewLimits = () => this.#ledger.accessor.quotas.in(namespace).some(hasUnobservedLimits);
    while (this.#queue.has(namespace) && hasNewLimits()) await this.#queue.nextCompletion();
  }

  async #recalculate(namespace: string): Promise<void> {
    const started = await this.#ledger.runExclusive(namespace, async () => {
      // A conflict schedules the retry one microtask later.
      const inFlight = [...this.#ledger.inFlight(namespace)];
      if (inFlight.some(({ isObserved, hasFailed }) => isObserved && !hasFailed)) {
        this.#queue.add(namespace);
        return undefined;
      }
      const entries = this.#ledger.accessor.read(namespace);
      if (entries.length === 0) return undefined;
      const now = this.#clock.now();
      const resources = this.#evaluatedResources();
      const calculating = this.#ledger.calculateUsage(namespace, entries, resources, inFlight, now);
      // Requests are not charged to limits that are not in effect yet: these take precedence.
      if (!entries.some(({ quota }) => hasUnobservedLimits(quota))) return { entries, calculating, now };
      await this.#correct(namespace, entries, await calculating, now);
      return undefined;
    });
    if (!started) return;
    const usages = await started.calculating;
    await this.#ledger.runExclusive(namespace, () =>
      this.#correct(namespace, started.entries, usages, started.now),
    );
  }

  #evaluatedResources(): EvaluatedResource[] {
    return this.#kinds.stored.flatMap((resource) => {
      const evaluator = this.#evaluators.of(resource);
      return evaluator ? [{ resource, evaluator }] : [];
    });
  }

  /**
   * Whether a count at that time includes everything charged before it. Writes in flight on this server are known;
   * for those of other servers it waits, and treats nothing as unused until then.
   */
  #includesAllCharges(namespace: string, key: string, at: number): boolean {
    if (!this.#monitor.isShared) return true;
    const since = Math.max(this.#startedAt, this.#ledger.accessor.foreignWriteTimeMs(key));
    const waitMs = since + maxRemoteWriteMs - at;
    if (waitMs > 0) this.#queue.addAfter(namespace, waitMs);
    return waitMs <= 0;
  }

  /** Writes the count with the charges and refunds since. */
  async #correct(
    namespace: string,
    entries: readonly StoredQuota[],
    usages: ReadonlyMap<string, Usage>,
    at: number,
  ): Promise<void> {
    const { accessor } = this.#ledger;
    for (const entry of entries) {
      await accessor.write(namespace, entry.key, (current) => {
        if (!isSameQuota(current, entry.quota) || !accessor.isOnlyWrittenHereSince(entry)) {
          this.#queue.add(namespace);
          return undefined;
        }
        const { hard } = current.spec;
        const counted = usages.get(entry.key)!;
        const currentUsage = parseUsage(current.status.used);
        const changeSince = subtractUsage(currentUsage, parseUsage(entry.quota.status.used));
        const updatedUsage = addUsage(counted, changeSince);
        const isComplete = this.#includesAllCharges(namespace, entry.key, at);
        const used = toResourceList(
          nonNegativeUsage(counted.keys(), isComplete ? updatedUsage : maxUsage(updatedUsage, currentUsage)),
        );
        const status = { hard: toResourceList(parseUsage(hard)), used };
        return isSameStatus(status, current.status) ? undefined : status;
      });
    }
  }
}

/** Whether the change terminated the pod, which then uses no quota. */
function hasEnded({ prefix, object, previous }: ResourceChange): boolean {
  if (prefix !== 'pods' || !previous || object.selectableFields === previous.selectableFields) return false;
  const isTerminal = (pod: MonitoredObject) => {
    const phase = selectableField(pod, 'status.phase');
    return phase === 'Succeeded' || phase === 'Failed';
  };
  return isTerminal(object) && !isTerminal(previous);
}

const isSameQuota = (left: ResourceQuota, right: ResourceQuota) =>
  left.metadata.uid === right.metadata.uid && isSameResourceList(left.spec.hard, right.spec.hard);

const isSameStatus = (left: ResourceQuota['status'], right: ResourceQuota['status']) =>
  isSameResourceList(left.hard, right.hard) && isSameResourceList(left.used, right.used);
