// node-lifecycle-controller: reports nodes whose kubelet is silent as Unknown, marks their pods as not ready, and taints nodes by
// their conditions. Pods are evicted because of the taints by the taint-eviction-controller.
import type { Lease } from '../../apis/coordination/lease.ts';
import type { Node } from '../../apis/core/node.ts';
import type { Taint } from '../../apis/core/taint.ts';
import { every, timestamp } from '../../base/clock.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ignoreNotFound } from '../../errors/ignore-not-found.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';
import { readyConditionOf, setConditionsUnknown } from './node-conditions.ts';
import { labelsToUpdate, zoneKey } from './node-labels.ts';
import {
  changeTaints,
  type NoExecuteState,
  noExecuteChange,
  noExecuteState,
  noScheduleChange,
  type TaintChange,
  withoutNoExecute,
} from './node-taints.ts';
import { PodReadiness } from './pod-readiness.ts';
import { evictionRate, planDisruption, type ZoneNodes, type ZoneState } from './zone-disruption.ts';
import { ZoneTainter } from './zone-tainter.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const leases = { group: 'coordination', version: 'v1', resource: 'leases' } as const;

/** Upstream's defaults of --node-monitor-period and --node-startup-grace-period. */
const monitorPeriodMs = 5_000;
const startupGracePeriodMs = 60_000;
/**
 * A silent node is reported only if it is still silent after this time. If the clock was moved or the process suspended, heartbeats
 * that were due meanwhile arrive first.
 */
const confirmationMs = 2_000;
const workers = 8;
/** Upstream's event source. */
const component = 'node-controller';

/** What the controller knows of a node without decoding it. */
interface MonitoredNode {
  readonly uid: string;
  readonly zone: string;
  /** Whether it counts for the state of its zone. */
  readonly isCounted: boolean;
  /** The status of its Ready condition; undefined without one. */
  readonly ready: string | undefined;
  readonly heartbeat: string | null | undefined;
  readonly noExecute: NoExecuteState;
  /** The monotonic time of the last heartbeat: an update of the Lease or of the Ready condition. */
  probedAtMs: number;
}

export class NodeLifecycleController implements Controller {
  readonly #context: ControllerContext;
  readonly #gracePeriodMs: number;
  readonly #informer: Informer<Node>;
  readonly #leases: Informer<Lease>;
  readonly #pods: PodReadiness;
  readonly #nodes = new Map<string, MonitoredNode>();
  /** By name, the uid of each node whose registration was recorded. */
  readonly #registered = new Map<string, string>();
  /** Maintains taints and labels. */
  readonly #queue: WorkQueue;
  /** Reports silent nodes. */
  readonly #healthQueue: WorkQueue;
  /** Nodes that were reported, and whose pods are to be marked as not ready. */
  readonly #podsToMark = new Set<string>();
  readonly #tainters = new Map<string, ZoneTainter>();
  #zoneStates: ReadonlyMap<string, ZoneState> = new Map();
  /** Nodes whose NoExecute taint is due, and those that lose it because all zones are disrupted. */
  readonly #toTaint = new Set<string>();
  readonly #toClear = new Set<string>();
  #cancelMonitor = () => {};
  #cancelConfirmation: (() => void) | undefined;
  #cancelTainting: (() => void) | undefined;
  #isRunning = false;

  constructor(context: ControllerContext) {
    const { informers, newQueue, dialect, options } = context;
    this.#context = context;
    this.#gracePeriodMs = options.nodeMonitorGracePeriod;
    this.#queue = newQueue({
      name: 'node_lifecycle_controller',
      reconcile: (name) => this.#reconcile(name),
      workers,
    });
    this.#healthQueue = newQueue({
      name: 'node_lifecycle_controller_health',
      reconcile: (name) => this.#reportSilence(name),
      workers,
    });
    this.#informer = informers.informer<Node>(nodes, {
      onAdd: (node) => this.#onNode(node),
      onUpdate: (_oldNode, node) => this.#onNode(node),
      onDelete: ({ name }) => this.#nodes.delete(name),
      onReset: () => this.#clear(),
    });
    const leasePrefix = `${dialect.nodeLeaseNamespace}/`;
    const onLease = ({ key }: InformerObject<Lease>) => {
      const node = key.startsWith(leasePrefix) && this.#nodes.get(key.slice(leasePrefix.length));
      if (node) node.probedAtMs = context.clock.elapsed();
    };
    this.#leases = informers.informer<Lease>(leases, {
      onAdd: onLease,
      onUpdate: (_oldLease, lease) => onLease(lease),
    });
    this.#pods = new PodReadiness(context, (node) => {
      const ready = this.#nodes.get(node)?.ready;
      return ready !== undefined && ready !== 'True';
    });
  }

  start(): void {
    this.#isRunning = true;
    this.#leases.watch();
    this.#informer.start();
    this.#pods.start(this.#informer.hasSynced);
    this.#informer.hasSynced.then(
      () => this.#startMonitor(),
      () => {},
    );
  }

  reset(): void {
    this.#leases.reset();
    this.#informer.reset();
    this.#pods.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#isRunning = false;
    this.#cancelTimers();
    this.#leases.close();
    this.#informer.close();
    await Promise.all([this.#pods.close(), this.#queue.close(), this.#healthQueue.close()]);
  }

  #startMonitor(): void {
    if (!this.#isRunning) return;
    // In a microtask: if the clock is advanced by a long time, the nodes are checked when it has arrived there.
    const monitor = () => queueMicrotask(() => this.#monitor());
    this.#cancelMonitor();
    this.#cancelMonitor = every(this.#context.clock, monitorPeriodMs, monitor);
    monitor();
  }

  #clear(): void {
    this.#nodes.clear();
    this.#registered.clear();
    this.#podsToMark.clear();
    this.#tainters.clear();
    this.#zoneStates = new Map();
    this.#toTaint.clear();
    this.#toClear.clear();
    this.#queue.clear();
    this.#healthQueue.clear();
    this.#cancelTimers();
  }

  #cancelTimers(): void {
    this.#cancelMonitor();
    this.#cancelConfirmation?.();
    this.#cancelConfirmation = undefined;
    this.#cancelTainting?.();
    this.#cancelTainting = undefined;
  }

  #onNode(object: InformerObject<Node>): void {
    const { name } = object;
    const node = object.tryDecodeLazily();
    if (!node) return;
    const { dialect } = this.#context;
    const known = this.#nodes.get(name);
    const ready = readyConditionOf(node);
    const uid = node.metadata.uid!;
    const labels = node.metadata.labels ?? {};
    const isHeartbeat = known?.uid === uid && known.heartbeat !== ready?.lastHeartbeatTime;
    const current: MonitoredNode = {
      uid,
      zone: zoneKey(labels, dialect),
      isCounted: !(dialect.labels.excludeDisruption in labels),
      ready: ready?.status,
      heartbeat: ready?.lastHeartbeatTime,
      noExecute: noExecuteState(node, dialect.taints),
      probedAtMs: known?.uid === uid && !isHeartbeat ? known.probedAtMs : this.#firstProbe(node, isHeartbeat),
    };
    this.#nodes.set(name, current);
    if (current.noExecute !== 'missing') this.#tainters.get(current.zone)?.delete(name);
    if (this.#changesOf(name, node).length > 0 || this.#hasOutdatedLabels(node)) this.#queue.add(name);
  }

  /** The time of a heartbeat is now. That of a node whose kubelet has never reported is its creation. */
  #firstProbe({ metadata, status }: Node, isHeartbeat: boolean): number {
    const { clock } = this.#context;
    if (isHeartbeat || readyConditionOf({ status })) return clock.elapsed();
    return clock.elapsed() - (clock.now() - Date.parse(metadata.creationTimestamp!));
  }

  /** Checks the last heartbeat of every node. Heartbeats are in memory, so the check reads no objects. */
  #monitor(): void {
    if (!this.#isRunning) return;
    this.#recordRegistrations();
    for (const node of this.#nodes.values()) {
      if (!this.#isSilent(node)) continue;
      const { clock } = this.#context;
      this.#cancelConfirmation ??= clock.after(confirmationMs, () => queueMicrotask(() => this.#confirm()));
      break;
    }
    this.#updateZones();
  }

  #isSilent({ ready, probedAtMs }: MonitoredNode): boolean {
    if (ready === 'Unknown') return false;
    const gracePeriodMs = ready === undefined ? startupGracePeriodMs : this.#gracePeriodMs;
    return this.#context.clock.elapsed() - probedAtMs > gracePeriodMs;
  }

  #recordRegistrations(): void {
    for (const [name, { uid }] of this.#nodes) {
      if (this.#registered.get(name) === uid) continue;
      this.#registered.set(name, uid);
      this.#record(name, uid, 'RegisteredNode', `Node ${name} event: Registered Node ${name} in Controller`);
    }
    if (this.#registered.size === this.#nodes.size) return;
    for (const [name, uid] of this.#registered) {
      if (this.#nodes.has(name)) continue;
      this.#registered.delete(name);
      this.#record(name, uid, 'RemovingNode', `Node ${name} event: Removing Node ${name} from Controller`);
    }
  }

  /** Reports the nodes that are still silent. */
  #confirm(): void {
    this.#cancelConfirmation = undefined;
    if (!this.#isRunning) return;
    for (const [name, node] of this.#nodes) if (this.#isSilent(node)) this.#healthQueue.add(name);
    this.#healthQueue.idle().then(
      () => this.#isRunning && this.#updateZones(),
      () => {},
    );
  }

  async #reportSilence(name: string): Promise<void> {
    const node = this.#nodes.get(name);
    if (!node) {
      this.#podsToMark.delete(name);
      return;
    }
    if (this.#isSilent(node)) {
      const { client, clock, identity } = this.#context;
      const now = timestamp(clock);
      const options = { ...identity, subresource: 'status' };
      const report = (latest: Node) => setConditionsUnknown(latest, now);
      await ignoreNotFound(client.mutate(this.#informer, name, report, options));
      if (node.ready === 'True') {
        this.#podsToMark.add(name);
        this.#record(name, node.uid, 'NodeNotReady', `Node ${name} status is now: NodeNotReady`);
      }
    }
    if (!this.#podsToMark.has(name)) return;
    await this.#pods.markNotReady(name);
    this.#podsToMark.delete(name);
  }

  /** Computes the states of the zones, and taints nodes as fast as these allow. */
  #updateZones(): void {
    const zones = new Map<string, { ready: number; notReady: number }>();
    for (const { zone, ready, isCounted } of this.#nodes.values()) {
      if (!isCounted) continue;
      const counts = zones.get(zone) ?? { ready: 0, notReady: 0 };
      if (ready === 'True') counts.ready++;
      else counts.notReady++;
      zones.set(zone, counts);
    }
    this.#handleDisruption(zones);
    for (const [name, { noExecute, zone }] of this.#nodes) {
      if (noExecute === 'missing') this.#tainterOf(zone).add(name);
    }
    this.#taintDueNodes();
  }

  #handleDisruption(zones: ReadonlyMap<string, ZoneNodes>): void {
    const { clock, logger } = this.#context;
    const { states, rates, transition } = planDisruption(this.#zoneStates, zones);
    this.#zoneStates = states;
    const nowMs = clock.elapsed();
    for (const [zone, rate] of rates) this.#tainterOf(zone).setRate(rate, nowMs);
    if (transition === 'stop') {
      logger.info({}, 'no node is ready: evictions stop');
      for (const name of this.#nodes.keys()) {
        this.#toClear.add(name);
        this.#queue.add(name);
      }
    } else if (transition === 'resume') {
      logger.info({}, 'some nodes are ready again: evictions resume');
      for (const node of this.#nodes.values()) node.probedAtMs = nowMs;
    }
  }

  #tainterOf(zone: string): ZoneTainter {
    let tainter = this.#tainters.get(zone);
    if (!tainter) {
      tainter = new ZoneTainter(evictionRate, this.#context.clock.elapsed());
      this.#tainters.set(zone, tainter);
    }
    return tainter;
  }

  #taintDueNodes(): void {
    const { clock } = this.#context;
    const delays: number[] = [];
    for (const tainter of this.#tainters.values()) {
      for (let name = tainter.take(clock.elapsed()); name !== undefined; ) {
        this.#toTaint.add(name);
        this.#queue.add(name);
        name = tainter.take(clock.elapsed());
      }
      const delayMs = tainter.delayMs(clock.elapsed());
      if (delayMs !== undefined) delays.push(delayMs);
    }
    this.#cancelTainting?.();
    this.#cancelTainting =
      delays.length > 0 ? clock.after(Math.min(...delays), () => this.#taintDueNodes()) : undefined;
  }

  /** Brings taints and labels of a node in line with its conditions. */
  async #reconcile(name: string): Promise<void> {
    const node = this.#informer.get('', name)?.tryDecodeLazily();
    // Those that are added during the write are handled by the next reconciliation.
    const handled = [this.#toTaint, this.#toClear].filter((names) => names.has(name));
    if (node && (this.#changesOf(name, node).length > 0 || this.#hasOutdatedLabels(node))) {
      const { client, clock, dialect, identity } = this.#context;
      const now = timestamp(clock);
      const update = (latest: Node) => {
        const { taints = [] } = latest.spec;
        const change = this.#changesOf(name, latest);
        const changed = change.reduce(
          (list, each) => changeTaints(list, each, now),
          taints as readonly Taint[],
        );
        latest.spec.taints = [...changed];
        const { labels = {} } = latest.metadata;
        latest.metadata.labels = { ...labels, ...labelsToUpdate(labels, dialect) };
      };
      await ignoreNotFound(client.mutate(this.#informer, name, update, identity));
    }
    for (const names of handled) names.delete(name);
  }

  /** The changes of the node's taints that change something. */
  #changesOf(name: string, node: Node): TaintChange[] {
    const { taints: keys } = this.#context.dialect;
    const changes = [noScheduleChange(node, keys)];
    const state = noExecuteState(node, keys);
    if (this.#toClear.has(name)) changes.push(withoutNoExecute(keys));
    else if (
      state === 'opposite' ||
      state === 'obsolete' ||
      (state === 'missing' && this.#toTaint.has(name))
    ) {
      changes.push(noExecuteChange(node, keys));
    }
    const { taints = [] } = node.spec;
    return changes.filter((change) => changeTaints(taints, change, '') !== taints);
  }

  #hasOutdatedLabels({ metadata }: Node): boolean {
    return Object.keys(labelsToUpdate(metadata.labels ?? {}, this.#context.dialect)).length > 0;
  }

  #record(name: string, uid: string, reason: string, message: string): void {
    const involvedObject = { apiVersion: 'v1', kind: 'Node', name, uid };
    this.#context.events.record({ involvedObject, type: 'Normal', reason, message, component });
  }
}
