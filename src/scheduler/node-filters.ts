// The filters of one pod, applied to nodes with the pods that are nominated to them.
import type { ResourceClaim } from '../apis/resource/resourceclaim.ts';
import type { NodeInfo } from './cache/node-info.ts';
import type { NominatedPods } from './cache/nominated-pods.ts';
import type { PendingPod, PodInfo } from './cache/pod-info.ts';
import { isRejection, type PodFilter, type Rejection, type SchedulingContext } from './plugins/plugin.ts';
import type { Profile } from './profile.ts';

export class NodeFilters {
  readonly #pod: PendingPod;
  readonly #nominated: NominatedPods;
  readonly #filters: readonly PodFilter[];

  constructor(pod: PendingPod, nominated: NominatedPods, filters: readonly PodFilter[]) {
    this.#pod = pod;
    this.#nominated = nominated;
    this.#filters = filters;
  }

  /** Runs PreFilter of all plugins. Returns a rejection of the pod if one of them rejects all nodes. */
  static prepare(
    pod: PendingPod,
    { filters }: Profile,
    nominated: NominatedPods,
    context: SchedulingContext,
  ): NodeFilters | Rejection {
    const prepared: PodFilter[] = [];
    for (const plugin of filters) {
      const filter = plugin.prepare(pod, context);
      if (!filter) continue;
      if (isRejection(filter)) return filter;
      prepared.push(filter);
    }
    return new NodeFilters(pod, nominated, prepared);
  }

  /** The only nodes that may be feasible; undefined for all. */
  get nodeNames(): ReadonlySet<string> | undefined {
    return this.#filters.find(({ nodeNames }) => nodeNames)?.nodeNames;
  }

  /**
   * Rejects a node that is infeasible with or without the pods that are nominated to it: those of higher or equal priority
   * need room, but may also be assigned to another node, so that the pod must not depend on them.
   */
  check(node: NodeInfo): Rejection | undefined {
    if (!this.#nominated.has(node.name)) return this.#run(node);
    const nominated = [...this.#nominated.onNode(node.name)].filter(
      ({ uid, priority }) => uid !== this.#pod.uid && priority >= this.#pod.priority && !node.pods.has(uid),
    );
    if (nominated.length > 0) {
      const simulation = this.simulate(node);
      for (const pod of nominated) simulation.add(pod);
      const rejection = simulation.filters.#run(simulation.node);
      if (rejection) return rejection;
    }
    return this.#run(node);
  }

  /** A copy of a node and of the filters on which pods can be added and removed. */
  simulate(node: NodeInfo): Simulation {
    const filters = this.#filters.map((filter) => filter.clone?.() ?? filter);
    return new Simulation(node.clone(), new NodeFilters(this.#pod, this.#nominated, filters));
  }

  changePod(pod: PodInfo, node: NodeInfo, sign: 1 | -1): void {
    for (const filter of this.#filters) filter.changePod?.(pod, node, sign);
  }

  /** See PodFilter. */
  claimToDeallocate(): ResourceClaim | undefined {
    for (const filter of this.#filters) {
      const claim = filter.claimToDeallocate?.();
      if (claim) return claim;
    }
    return undefined;
  }

  #run(node: NodeInfo): Rejection | undefined {
    for (const filter of this.#filters) {
      const rejection = filter.check(node);
      if (rejection) return rejection;
    }
    return undefined;
  }
}

export class Simulation {
  readonly node: NodeInfo;
  readonly filters: NodeFilters;

  constructor(node: NodeInfo, filters: NodeFilters) {
    this.node = node;
    this.filters = filters;
  }

  add(pod: PodInfo): void {
    this.node.addPod(pod);
    this.filters.changePod(pod, this.node, 1);
  }

  remove(pod: PodInfo): void {
    this.node.removePod(pod);
    this.filters.changePod(pod, this.node, -1);
  }

  check(): Rejection | undefined {
    return this.filters.check(this.node);
  }
}
