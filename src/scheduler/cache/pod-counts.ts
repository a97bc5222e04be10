// Counts of pods by node, kept up to date with each change of a pod, so that scheduling a pod does not visit all others.
import { LruCache } from '../../base/lru-cache.ts';
import type { AffinityTerm, WeightedTerm } from './affinity-term.ts';
import type { PodInfo } from './pod-info.ts';

export type CountsByNode = ReadonlyMap<string, number>;

/** Selects the pods that a constraint counts. */
export interface PodQuery {
  /** Queries with the same key select the same pods. */
  readonly key: string;
  /** The only namespace of the pods; undefined if there may be several. */
  readonly namespace: string | undefined;
  selects(pod: PodInfo): boolean;
}

interface CountedQuery {
  readonly query: PodQuery;
  readonly byNode: Map<string, number>;
}

/** The queries of that many workloads are kept; the next one after a workload was displaced counts all pods again. */
const maxQueries = 1024;
const anyNamespace = '';

/** The number of pods that a query selects, by node. The first use of a query visits all pods. */
export class MatchingPodCounts {
  readonly #allPods: () => Iterable<PodInfo>;
  readonly #byNamespace = new Map<string, Set<CountedQuery>>();
  readonly #queries = new LruCache<CountedQuery>({
    maxWeight: maxQueries,
    onEvict: (counted) => this.#drop(counted),
  });

  constructor(allPods: () => Iterable<PodInfo>) {
    this.#allPods = allPods;
  }

  count(query: PodQuery): CountsByNode {
    return this.#queries.getOrCreate(query.key, () => this.#countAll(query)).byNode;
  }

  change(pod: PodInfo, sign: 1 | -1): void {
    for (const namespace of [pod.namespace, anyNamespace]) {
      for (const { query, byNode } of this.#byNamespace.get(namespace) ?? []) {
        if (query.selects(pod)) addCount(byNode, pod.nodeName, sign);
      }
    }
  }

  /** Drops the queries of several namespaces, which may depend on the labels of namespaces. */
  clearSpanning(): void {
    for (const { query } of this.#byNamespace.get(anyNamespace) ?? []) this.#queries.delete(query.key);
    this.#byNamespace.delete(anyNamespace);
  }

  clear(): void {
    this.#byNamespace.clear();
    this.#queries.clear();
  }

  #countAll(query: PodQuery): CountedQuery {
    const byNode = new Map<string, number>();
    for (const pod of this.#allPods()) if (query.selects(pod)) addCount(byNode, pod.nodeName, 1);
    const counted = { query, byNode };
    const namespace = query.namespace ?? anyNamespace;
    const queries = this.#byNamespace.get(namespace) ?? new Set();
    this.#byNamespace.set(namespace, queries.add(counted));
    return counted;
  }

  #drop(counted: CountedQuery): void {
    const namespace = counted.query.namespace ?? anyNamespace;
    const queries = this.#byNamespace.get(namespace);
    queries?.delete(counted);
    if (queries?.size === 0) this.#byNamespace.delete(namespace);
  }
}

export interface TermCounts extends WeightedTerm {
  /** The number of pods with the term, by node. */
  readonly byNode: CountsByNode;
}

/** The different affinity terms of all assigned pods: pods of one workload share theirs. */
export class TermIndex {
  readonly #terms = new Map<string, WeightedTerm & { readonly byNode: Map<string, number> }>();

  change(term: AffinityTerm, weight: number, nodeName: string, sign: 1 | -1): void {
    const key = `${weight} ${term.key}`;
    const counts = this.#terms.get(key) ?? { term, weight, byNode: new Map<string, number>() };
    addCount(counts.byNode, nodeName, sign);
    if (counts.byNode.size > 0) this.#terms.set(key, counts);
    else this.#terms.delete(key);
  }

  values(): Iterable<TermCounts> {
    return this.#terms.values();
  }

  clear(): void {
    this.#terms.clear();
  }
}

function addCount(counts: Map<string, number>, key: string, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
