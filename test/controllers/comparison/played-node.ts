// A node of a scenario, which plays its kubelet: both kwok and the simulation leave it alone.
import type { AnyObject, Kind } from '../kube-controller-manager/api.ts';
import { at } from '../kube-controller-manager/api.ts';
import { scenarioLabel } from './recorder.ts';
import { nodes, pods, type Stage, template } from './scenario.ts';

const leases: Kind = 'apis/coordination.k8s.io/v1 leases';
const leaseNamespace = 'kube-node-lease';
/** Keeps the pods of other scenarios away. */
const ownTaint = { key: 'example.com/played', effect: 'NoSchedule' };

const now = () => `${new Date().toISOString().slice(0, 19)}Z`;

export class PlayedNode {
  readonly name: string;
  readonly #stage: Stage;

  private constructor(stage: Stage, name: string) {
    this.#stage = stage;
    this.name = name;
  }

  /** Creates a node in a zone of its own, whose kubelet has not reported yet. */
  static async create(
    stage: Stage,
    { labels = {}, suffix = 'n', spec = {} }: { labels?: object; suffix?: string; spec?: object } = {},
  ): Promise<PlayedNode> {
    const node = new PlayedNode(stage, `${stage.namespace}-${suffix}`);
    const zone = { 'topology.kubernetes.io/zone': stage.namespace };
    await stage.api.create(nodes, '', {
      metadata: { name: node.name, labels: { ...zone, [scenarioLabel]: stage.namespace, ...labels } },
      spec: { taints: [ownTaint], ...spec },
    });
    return node;
  }

  /** Creates a node that is ready and has a Lease. */
  static async ready(
    stage: Stage,
    options: Parameters<typeof PlayedNode.create>[1] = {},
  ): Promise<PlayedNode> {
    const node = await PlayedNode.create(stage, options);
    await node.report({ Ready: 'True' });
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    await stage.api.create(leases, leaseNamespace, {
      metadata: { name: node.name },
      spec: { holderIdentity: node.name, renewTime },
    });
    return node;
  }

  /** Reports conditions. */
  async report(statuses: Record<string, string>): Promise<void> {
    const time = now();
    const conditions = Object.entries(statuses).map(([type, status]) => ({
      ...{ type, status, reason: 'Played', message: 'played by the scenario' },
      ...{ lastHeartbeatTime: time, lastTransitionTime: time },
    }));
    await this.#stage.api.patch(nodes, '', this.name, { status: { conditions } }, 'status');
  }

  async renew(): Promise<void> {
    const renewTime = new Date().toISOString().replace('Z', '000Z');
    await this.#stage.api.patch(leases, leaseNamespace, this.name, { spec: { renewTime } });
  }

  patch(change: object): Promise<AnyObject> {
    return this.#stage.api.patch(nodes, '', this.name, change);
  }

  /** Adds taints to those of the scenario. */
  taint(...taints: object[]): Promise<AnyObject> {
    return this.patch({ spec: { taints: [ownTaint, ...taints] } });
  }

  delete(): Promise<AnyObject> {
    return this.#stage.api.remove(nodes, '', this.name, {});
  }

  untilReady(status: string): Promise<void> {
    return this.#stage.untilCondition(nodes, this.name, 'Ready', status);
  }

  untilTaint(key: string, effect: string): Promise<void> {
    return this.#stage.until(`${this.name} has the taint ${key}:${effect}`, () => {
      const taints = (at(this.#stage.get(nodes, this.name), 'spec.taints') ?? []) as Record<string, string>[];
      return taints.some((taint) => taint.key === `node.kubernetes.io/${key}` && taint.effect === effect);
    });
  }

  /** Adds a pod that runs on the node. */
  async run(name: string, spec: object = {}, metadata: object = {}): Promise<AnyObject> {
    const pod = await this.#stage.create(pods, {
      ...template(name, { nodeName: this.name, ...spec }),
      metadata: { name, ...metadata },
    });
    await this.#stage.setReady(pod);
    return pod;
  }
}
