// Nominated pods, upstream's nominator: pods that preempted others and wait for a node. Pods of lower priority must leave
// them room.
import type { PodInfo } from './pod-info.ts';

export class NominatedPods {
  readonly #byNode = new Map<string, Map<string, PodInfo>>();
  /** Node by uid. */
  readonly #nodes = new Map<string, string>();

  /** '' removes the nomination. */
  set(pod: PodInfo, nodeName: string): void {
    this.delete(pod.uid);
    if (nodeName === '') return;
    this.#nodes.set(pod.uid, nodeName);
    const pods = this.#byNode.get(nodeName) ?? new Map<string, PodInfo>();
    this.#byNode.set(nodeName, pods.set(pod.uid, pod));
  }

  delete(uid: string): void {
    const nodeName = this.#nodes.get(uid);
    if (nodeName === undefined) return;
    this.#nodes.delete(uid);
    const pods = this.#byNode.get(nodeName);
    pods?.delete(uid);
    if (pods?.size === 0) this.#byNode.delete(nodeName);
  }

  nodeOf(uid: string): string {
    return this.#nodes.get(uid) ?? '';
  }

  /** Whether a pod is nominated to the node. */
  has(nodeName: string): boolean {
    return this.#byNode.has(nodeName);
  }

  onNode(nodeName: string): Iterable<PodInfo> {
    return this.#byNode.get(nodeName)?.values() ?? [];
  }

  clear(): void {
    this.#byNode.clear();
    this.#nodes.clear();
  }
}
