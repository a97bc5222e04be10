// Resource metrics of simulated nodes and their pods: what a metrics server would collect from their kubelets.
import type { Node } from '../../apis/core/node.ts';
import type { Pod } from '../../apis/core/pod.ts';
import type { NodeMetrics } from '../../apis/metrics/node-metrics.ts';
import type { PodMetrics } from '../../apis/metrics/pod-metrics.ts';
import { type Clock, timestamp } from '../../base/clock.ts';
import { formatDuration } from '../../base/duration.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import type { Informers } from '../../client/informers.ts';
import type { Lister } from '../../client/lister.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import type { MetricsSource, VirtualScope } from '../../kind/definition.ts';
import { isFailed, isSimulated } from '../node-objects.ts';
import { containerUsage, type SimulatedUsage, usageQuantities } from './container-usage.ts';

const nodes = { group: '', version: 'v1', resource: 'nodes' } as const;
const pods = { group: '', version: 'v1', resource: 'pods' } as const;

/** The interval of a sample. Autoscaling ignores the CPU of a new pod until it has been ready for this long. */
const windowMs = 10_000;

export class SimulatedMetrics implements MetricsSource {
  readonly #nodes: Lister<Node>;
  readonly #pods: Lister<Pod>;
  readonly #clock: Clock;
  readonly #dialect: Dialect;

  constructor(informers: Informers, clock: Clock, dialect: Dialect) {
    this.#nodes = informers.lister<Node>(nodes);
    this.#pods = informers.lister<Pod>(pods);
    this.#clock = clock;
    this.#dialect = dialect;
  }

  async podMetrics({ namespace, names }: VirtualScope): Promise<PodMetrics[]> {
    const running = this.#runningNodes();
    const metrics: PodMetrics[] = [];
    const visit = (object: InformerObject<Pod>) => {
      const pod = this.#podOn(running, object);
      const sample = pod && this.#sampleOf(pod);
      if (sample) metrics.push(sample);
    };
    if (!names) await this.#pods.walk(namespace, visit);
    for (const name of names ?? []) {
      const object = this.#pods.get(namespace, name);
      if (object) visit(object);
    }
    return metrics;
  }

  async nodeMetrics({ names }: VirtualScope): Promise<NodeMetrics[]> {
    const running = this.#runningNodes();
    const requested = names ? new Set(names.filter((name) => running.has(name))) : running;
    const usageByNode = new Map<string, SimulatedUsage>();
    await this.#pods.walk('', (object) => {
      const pod = this.#podOn(requested, object);
      if (!pod) return;
      let usage = usageByNode.get(pod.spec.nodeName!) ?? noUsage;
      for (const container of containerUsage(pod, this.#dialect)) usage = sum(usage, container);
      usageByNode.set(pod.spec.nodeName!, usage);
    });
    return [...requested].map((name) => this.#nodeSample(name, usageByNode.get(name) ?? noUsage));
  }

  /** The simulated nodes whose kubelet runs. */
  #runningNodes(): Set<string> {
    const names = new Set<string>();
    for (const object of this.#nodes.list()) {
      const node = object.tryDecodeLazily();
      if (node && isSimulated(node, this.#dialect) && !isFailed(node, this.#dialect)) names.add(object.name);
    }
    return names;
  }

  /** Undefined if none of the nodes has the pod. */
  #podOn(nodeNames: ReadonlySet<string>, object: InformerObject<Pod>): Pod | undefined {
    return nodeNames.has(object.field('spec.nodeName') ?? '') ? object.tryDecodeLazily() : undefined;
  }

  /** Undefined if no container runs. */
  #sampleOf(pod: Pod): PodMetrics | undefined {
    const containers = containerUsage(pod, this.#dialect);
    if (containers.length === 0) return undefined;
    const { name, namespace, labels } = pod.metadata;
    return {
      apiVersion: this.#apiVersion,
      kind: 'PodMetrics',
      metadata: {
        name: name!,
        namespace: namespace!,
        ...(labels && { labels: { ...labels } }),
        creationTimestamp: timestamp(this.#clock),
      },
      ...this.#interval(),
      containers: containers.map((usage) => ({ name: usage.name, usage: usageQuantities(usage) })),
    };
  }

  #nodeSample(name: string, usage: SimulatedUsage): NodeMetrics {
    return {
      apiVersion: this.#apiVersion,
      kind: 'NodeMetrics',
      metadata: { name, creationTimestamp: timestamp(this.#clock) },
      ...this.#interval(),
      usage: usageQuantities(usage),
    };
  }

  #interval() {
    return { timestamp: timestamp(this.#clock), window: formatDuration(windowMs) };
  }

  get #apiVersion(): string {
    return this.#dialect.apiVersion('metrics', 'v1beta1');
  }
}

const noUsage: SimulatedUsage = { cpu: 0n, memory: 0n };

const sum = (one: SimulatedUsage, other: SimulatedUsage): SimulatedUsage => ({
  cpu: one.cpu + other.cpu,
  memory: one.memory + other.memory,
});
