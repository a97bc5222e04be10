// resourcequota-controller: recomputes status.used of ResourceQuotas. The ResourceQuota admission plugin charges each write
// to status.used; the controller corrects the result by counting the stored objects.
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
const recalculationIntervalMs = 5 * 60_000;
/** Longest time that a write on another server takes to commit or fail after it was charged. */
const maxRemoteWriteMs = 6_000;
/** Delay after an update on another server, so that updates that follow each other are counted together. */
const batchMs = 1_000;

/**
 * Recalculates a namespace when charged objects are deleted, when a quota is created or updated, and periodically. Charges
 * of writes in flight count as used, so that no quota is given away twice.
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
      every(this.#clock, recalculationIntervalMs, () => this.#enqueueAll()),
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
    // A storage key is `prefix/namespace/name`; that of a cluster-scoped object has no namespace.
    const namespace = key.slice(prefix.length + 1, key.lastIndexOf('/'));
    if (prefix === 'resourcequotas') this.#onQuotaChange(change, namespace);
    if (!this.#ledger.accessor.quotas.has(namespace)) return;
    const isCharged = this.#markObserved(namespace, key);
    const changesUsage = type === 'deleted' || (type === 'created' ? !isCharged : hasTerminated(change));
    if (changesUsage && this.#isCounted(namespace, prefix)) {
      this.#queue.add(namespace);
    } else if (!isCharged && this.#monitor.isShared && this.#mayUseLess(change, namespace)) {
      this.#queue.addAfter(namespace, batchMs);
    }
  }

  #onQuotaChange({ type, key }: ResourceChange, namespace: string): void {
    const { accessor } = this.#ledger;
    if (type === 'deleted') {
      accessor.forget(key);
    } else if (!accessor.isBeingWritten(key)) {
      accessor.recordForeignWrite(key);
      this.#queue.add(namespace);
    }
  }

  /** Marks the charges of a write as observed. Returns whether this server has charged the write. */
  #markObserved(namespace: string, key: string): boolean {
    let isCharged = false;
    for (const charge of this.#ledger.inFlight(namespace)) {
      if (charge.key !== key) continue;
      charge.isObserved = true;
      isCharged = true;
    }
    return isCharged;
  }

  /** Whether a change on another server may have reduced usage. Most pod updates do not. */
  #mayUseLess({ type, prefix }: ResourceChange, namespace: string): boolean {
    if (type !== 'updated' || prefix === 'pods' || !this.#isCounted(namespace, prefix)) return false;
    const resource = this.#kinds.stored.find((stored) => stored.prefix === prefix);
    return resource !== undefined && this.#evaluators.of(resource)?.isUniform !== true;
  }

  /** Whether a quota of the namespace limits objects of a resource. */
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

  /**
   * Reads the quotas and charges while no request is charged, counts the stored objects while requests go on, and writes
   * the result while no request is charged.
   */
  async #recalculate(namespace: string): Promise<void> {
    const started = await this.#ledger.runExclusive(namespace, async () => {
      // An observed charge: its object is stored, but its request has not settled yet. The count would include both. The
      // request settles in a moment, so the recalculation starts again.
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
      await this.#writeUsages(namespace, entries, await calculating, now);
      return undefined;
    });
    if (!started) return;
    const usages = await started.calculating;
    await this.#ledger.runExclusive(namespace, () =>
      this.#writeUsages(namespace, started.entries, usages, started.now),
    );
  }

  #evaluatedResources(): EvaluatedResource[] {
    return this.#kinds.stored.flatMap((resource) => {
      const evaluator = this.#evaluators.of(resource);
      return evaluator ? [{ resource, evaluator }] : [];
    });
  }

  /**
   * Whether a count at that time includes everything charged before it. Writes in flight on this server are known; those
   * of other servers have committed or failed after maxRemoteWriteMs. If they may be in flight, recalculates later.
   */
  #includesAllCharges(namespace: string, key: string, countedAtMs: number): boolean {
    if (!this.#monitor.isShared) return true;
    const lastRemoteChargeMs = Math.max(this.#startedAt, this.#ledger.accessor.foreignWriteTimeMs(key));
    const waitMs = lastRemoteChargeMs + maxRemoteWriteMs - countedAtMs;
    if (waitMs > 0) this.#queue.addAfter(namespace, waitMs);
    return waitMs <= 0;
  }

  /** Writes the counted usage, plus the charges and refunds since the count began. */
  async #writeUsages(
    namespace: string,
    entries: readonly StoredQuota[],
    usages: ReadonlyMap<string, Usage>,
    countedAtMs: number,
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
        // A count that may lack charges of other servers never lowers the usage.
        const newUsage = this.#includesAllCharges(namespace, entry.key, countedAtMs)
          ? updatedUsage
          : maxUsage(updatedUsage, currentUsage);
        const used = toResourceList(nonNegativeUsage(counted.keys(), newUsage));
        const status = { hard: toResourceList(parseUsage(hard)), used };
        return isSameStatus(status, current.status) ? undefined : status;
      });
    }
  }
}

/** Whether the update ended a pod, which then uses no quota. */
function hasTerminated({ prefix, object, previous }: ResourceChange): boolean {
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
