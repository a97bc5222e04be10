// A node with its pods and the sums of their requests, upstream's framework.NodeInfo.

import type { LabelMap } from '../../apis/core/compiled-selectors.ts';
import type { Node } from '../../apis/core/node.ts';
import type { Taint } from '../../apis/core/taint.ts';
import {
  allocatableResources,
  changeResources,
  copyResources,
  type NonZeroRequests,
  noResources,
  type ResourceAmounts,
} from '../resources.ts';
import { HostPorts } from './host-ports.ts';
import type { PodInfo } from './pod-info.ts';

export class NodeInfo {
  readonly name: string;
  /** False while pods name a node that does not exist. */
  isPresent = false;
  labels: LabelMap = new Map();
  taints: readonly Taint[] = [];
  isUnschedulable = false;
  allocatable: ResourceAmounts = noResources();
  allowedPods = 0;
  /** Bytes of the images on the node, by name. */
  images: ReadonlyMap<string, number> = new Map();
  /** By uid. */
  readonly pods: Map<string, PodInfo>;
  readonly requested: ResourceAmounts;
  readonly nonZeroRequested: NonZeroRequests;
  readonly ports: HostPorts;

  constructor(name: string, original?: NodeInfo) {
    this.name = name;
    this.pods = new Map(original?.pods);
    this.requested = original ? copyResources(original.requested) : noResources();
    this.nonZeroRequested = original ? { ...original.nonZeroRequested } : { milliCpu: 0, memory: 0 };
    this.ports = new HostPorts(original?.ports);
  }

  /** Takes over the state of the Node object. */
  setNode({ metadata, spec, status }: Node): void {
    const { resources, pods } = allocatableResources(status?.allocatable);
    this.isPresent = true;
    this.labels = new Map(Object.entries(metadata.labels ?? {}));
    this.taints = spec?.taints ?? [];
    this.isUnschedulable = spec?.unschedulable ?? false;
    this.allocatable = resources;
    this.allowedPods = pods;
    const images = new Map<string, number>();
    for (const { names, sizeBytes = 0 } of status?.images ?? []) {
      for (const name of names ?? []) images.set(name, sizeBytes);
    }
    this.images = images;
  }

  addPod(pod: PodInfo): void {
    this.pods.set(pod.uid, pod);
    this.#change(pod, 1);
  }

  removePod(pod: PodInfo): void {
    if (this.pods.delete(pod.uid)) this.#change(pod, -1);
  }

  /** A copy whose pods can be changed. */
  clone(): NodeInfo {
    const clone = new NodeInfo(this.name, this);
    clone.isPresent = this.isPresent;
    clone.labels = this.labels;
    clone.taints = this.taints;
    clone.isUnschedulable = this.isUnschedulable;
    clone.allocatable = this.allocatable;
    clone.allowedPods = this.allowedPods;
    clone.images = this.images;
    return clone;
  }

  #change({ requests, nonZeroRequests, hostPorts }: PodInfo, sign: 1 | -1): void {
    changeResources(this.requested, requests, sign);
    this.nonZeroRequested.milliCpu += sign * nonZeroRequests.milliCpu;
    this.nonZeroRequested.memory += sign * nonZeroRequests.memory;
    for (const port of hostPorts) this.ports.change(port, sign);
  }
}
