// The scheduler's cache: nodes with their pods, including assumed pods, which this scheduler assigned but whose binding the
// informer has not reported yet. It is changed only between scheduling cycles, so a cycle needs no snapshot.

import type { LabelMap } from '../../apis/core/compiled-selectors.ts';
import type { Node } from '../../apis/core/node.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { NodeInfo } from './node-info.ts';
import { orderByZone, zoneKey } from './node-order.ts';
import { MatchingPodCounts, TermIndex } from './pod-counts.ts';
import type { PodInfo } from './pod-info.ts';

interface CachedPod {
  readonly pod: PodInfo;
  readonly isAssumed: boolean;
}

/** An image that nodes have. */
interface ImageState {
  /** The size on the first node that had it, as upstream has it. */
  readonly sizeBytes: number;
  readonly nodes: number;
}

const noLabels: LabelMap = new Map();

export class ClusterCache {
  readonly #zoneLabels: Pick<Dialect['labels'], 'zone' | 'region'>;
  readonly #nodes = new Map<string, NodeInfo>();
  readonly #pods = new Map<string, CachedPod>();
  readonly #namespaces = new Map<string, LabelMap>();
  /** The number of assigned pods with a claim, by its key. */
  readonly #claimUses = new Map<string, number>();
  /** By name. */
  readonly #images = new Map<string, ImageState>();
  /** Undefined after a change of the nodes. */
  #ordered: NodeInfo[] | undefined;
  readonly podCounts = new MatchingPodCounts(() => this.#assignedPods());
  /** Required anti-affinity of assigned pods. */
  readonly antiAffinityTerms = new TermIndex();
  /** Required and preferred terms of assigned pods, which add to the scores of nodes for the pods that they select. */
  readonly requiredAffinityTerms = new TermIndex();
  readonly preferredTerms = new TermIndex();

  constructor(zoneLabels: Pick<Dialect['labels'], 'zone' | 'region'>) {
    this.#zoneLabels = zoneLabels;
  }

  /** All nodes that exist, in the order in which they are tried. */
  get nodes(): readonly NodeInfo[] {
    const present = () => [...this.#nodes.values()].filter(({ isPresent }) => isPresent);
    this.#ordered ??= orderByZone(present(), this.#zoneLabels);
    return this.#ordered;
  }

  /** Undefined if the node does not exist. */
  node(name: string): NodeInfo | undefined {
    const node = this.#nodes.get(name);
    return node?.isPresent ? node : undefined;
  }

  /** Returns the state before; undefined for a new node. */
  setNode(object: Node): Readonly<Omit<NodeInfo, 'setNode' | 'addPod' | 'removePod' | 'clone'>> | undefined {
    const node = this.#nodeInfo(object.metadata.name ?? '');
    const old = node.isPresent ? { ...node } : undefined;
    const oldZone = zoneKey(node, this.#zoneLabels);
    this.#countImages(node, -1);
    node.setNode(object);
    this.#countImages(node, 1);
    if (!old || oldZone !== zoneKey(node, this.#zoneLabels)) this.#ordered = undefined;
    return old;
  }

  removeNode(name: string): void {
    const node = this.#nodes.get(name);
    if (!node?.isPresent) return;
    this.#countImages(node, -1);
    node.isPresent = false;
    node.images = new Map();
    this.#ordered = undefined;
    this.#dropUnusedNode(node);
  }

  pod(key: string): PodInfo | undefined {
    return this.#pods.get(key)?.pod;
  }

  isAssumed({ key, uid }: Pick<PodInfo, 'key' | 'uid'>): boolean {
    const cached = this.#pods.get(key);
    return cached?.isAssumed === true && cached.pod.uid === uid;
  }

  /** Adds or replaces an assigned pod. */
  setPod(pod: PodInfo, { isAssumed = false } = {}): void {
    this.removePod(pod.key);
    this.#pods.set(pod.key, { pod, isAssumed });
    this.#nodeInfo(pod.nodeName).addPod(pod);
    this.#changeIndexes(pod, 1);
  }

  /** Assigns a pod to a node before its binding is written. */
  assume(pod: PodInfo, nodeName: string): void {
    this.setPod({ ...pod, nodeName }, { isAssumed: true });
  }

  /** Undoes `assume`, unless the informer has reported the pod meanwhile. */
  forget(pod: Pick<PodInfo, 'key' | 'uid'>): void {
    if (this.isAssumed(pod)) this.removePod(pod.key);
  }

  removePod(key: string): void {
    const cached = this.#pods.get(key);
    if (!cached) return;
    const { pod } = cached;
    this.#pods.delete(key);
    this.#changeIndexes(pod, -1);
    const node = this.#nodes.get(pod.nodeName);
    if (!node) return;
    node.removePod(pod);
    this.#dropUnusedNode(node);
  }

  namespaceLabels = (namespace: string): LabelMap => this.#namespaces.get(namespace) ?? noLabels;

  setNamespace(name: string, labels: LabelMap): void {
    this.#namespaces.set(name, labels);
    this.podCounts.clearSpanning();
  }

  removeNamespace(name: string): void {
    this.#namespaces.delete(name);
    this.podCounts.clearSpanning();
  }

  /** Whether an assigned pod uses a claim. */
  isClaimUsed(claimKey: string): boolean {
    return this.#claimUses.has(claimKey);
  }

  /** Undefined if no node has the image. */
  image(name: string): ImageState | undefined {
    return this.#images.get(name);
  }

  clear(): void {
    this.#nodes.clear();
    this.#pods.clear();
    this.#namespaces.clear();
    this.#images.clear();
    this.#claimUses.clear();
    this.#ordered = undefined;
    this.podCounts.clear();
    this.antiAffinityTerms.clear();
    this.requiredAffinityTerms.clear();
    this.preferredTerms.clear();
  }

  *#assignedPods(): Iterable<PodInfo> {
    for (const { pod } of this.#pods.values()) yield pod;
  }

  #nodeInfo(name: string): NodeInfo {
    const known = this.#nodes.get(name);
    if (known) return known;
    const node = new NodeInfo(name);
    this.#nodes.set(name, node);
    return node;
  }

  #dropUnusedNode(node: NodeInfo): void {
    if (!node.isPresent && node.pods.size === 0) this.#nodes.delete(node.name);
  }

  #countImages({ images }: NodeInfo, sign: 1 | -1): void {
    for (const [name, size] of images) {
      const { sizeBytes = size, nodes = 0 } = this.#images.get(name) ?? {};
      if (nodes + sign > 0) this.#images.set(name, { sizeBytes, nodes: nodes + sign });
      else this.#images.delete(name);
    }
  }

  #changeIndexes(pod: PodInfo, sign: 1 | -1): void {
    const { terms, nodeName, claims } = pod;
    this.podCounts.change(pod, sign);
    for (const key of claims) {
      const uses = (this.#claimUses.get(key) ?? 0) + sign;
      if (uses > 0) this.#claimUses.set(key, uses);
      else this.#claimUses.delete(key);
    }
    for (const term of terms.requiredAntiAffinity) this.antiAffinityTerms.change(term, 0, nodeName, sign);
    for (const term of terms.requiredAffinity) this.requiredAffinityTerms.change(term, 0, nodeName, sign);
    for (const { term, weight } of terms.preferred) this.preferredTerms.change(term, weight, nodeName, sign);
  }
}
