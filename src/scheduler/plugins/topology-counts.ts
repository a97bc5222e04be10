// Counts by topology domain: the value that a node has for a topology key.

import type { ClusterCache } from '../cache/cluster-cache.ts';
import type { NodeInfo } from '../cache/node-info.ts';
import type { CountsByNode } from '../cache/pod-counts.ts';

/** Domains with a count of 0 are not kept. */
export class TopologyCounts {
  readonly #byKey = new Map<string, Map<string, number>>();

  get isEmpty(): boolean {
    return this.#byKey.size === 0;
  }

  add(topologyKey: string, { labels }: Pick<NodeInfo, 'labels'>, count: number): void {
    const value = labels.get(topologyKey);
    if (value === undefined || count === 0) return;
    const values = this.#byKey.get(topologyKey) ?? new Map<string, number>();
    const sum = (values.get(value) ?? 0) + count;
    if (sum === 0) values.delete(value);
    else values.set(value, sum);
    if (values.size > 0) this.#byKey.set(topologyKey, values);
    else this.#byKey.delete(topologyKey);
  }

  /** Adds `weight` for each counted pod, in the domain of its node. */
  addByNode(topologyKey: string, byNode: CountsByNode, cluster: ClusterCache, weight = 1): void {
    for (const [name, count] of byNode) {
      const node = cluster.node(name);
      if (node) this.add(topologyKey, node, weight * count);
    }
  }

  count(topologyKey: string, { labels }: Pick<NodeInfo, 'labels'>): number {
    const value = labels.get(topologyKey);
    return value === undefined ? 0 : (this.#byKey.get(topologyKey)?.get(value) ?? 0);
  }

  /** The sum of the counts in all domains of a node. */
  sum({ labels }: Pick<NodeInfo, 'labels'>): number {
    let sum = 0;
    for (const [key, values] of this.#byKey) {
      const value = labels.get(key);
      if (value !== undefined) sum += values.get(value) ?? 0;
    }
    return sum;
  }

  /** Whether a domain of the node has a count. */
  some({ labels }: Pick<NodeInfo, 'labels'>): boolean {
    for (const [key, values] of this.#byKey) {
      const value = labels.get(key);
      if (value !== undefined && (values.get(value) ?? 0) > 0) return true;
    }
    return false;
  }

  clone(): TopologyCounts {
    const clone = new TopologyCounts();
    for (const [key, values] of this.#byKey) clone.#byKey.set(key, new Map(values));
    return clone;
  }
}
