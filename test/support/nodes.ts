// Nodes whose kubelet a test plays: their status, Leases and taints.
import assert from 'node:assert/strict';
import type { Body, TestServer } from './client.ts';
import { until } from './controllers.ts';

const nodes = '/api/v1/nodes';
const leases = '/apis/coordination.orch.io/v1/namespaces/orch-node-lease/leases';

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

interface NodeTaint {
  readonly key: string;
  readonly effect: string;
  readonly value?: string;
  readonly timeAdded?: string;
}

export class PlayedNodes {
  readonly #api: TestServer;

  constructor(api: TestServer) {
    this.#api = api;
  }

  /** Registers a node that is ready, with a Lease. */
  async add(name: string, labels: Record<string, string> = {}): Promise<Body> {
    const { code, text, body } = await this.#api.post(nodes, { metadata: { name, labels } });
    assert.equal(code, 201, text);
    await this.setConditions(name, { Ready: 'True' });
    const spec = { holderIdentity: name, renewTime: this.#now('000Z') };
    const lease = await this.#api.post(leases, { metadata: { name }, spec });
    assert.equal(lease.code, 201, lease.text);
    return body;
  }

  async setConditions(name: string, statuses: Record<string, string>): Promise<void> {
    const time = this.#now().replace(/\.\d+/, '');
    const { status } = await this.get(name);
    const { conditions = [] } = status as { conditions?: Condition[] };
    const changed = Object.entries(statuses).map(([type, value]) => ({
      ...{ type, status: value, reason: 'Played', message: 'played by the test' },
      ...{ lastHeartbeatTime: time, lastTransitionTime: time },
    }));
    const others = conditions.filter(({ type }) => !(type in statuses));
    await this.patch(`${name}/status`, { status: { conditions: [...others, ...changed] } });
  }

  /** Renews the Leases of nodes. */
  async renew(...names: string[]): Promise<void> {
    const spec = { renewTime: this.#now('000Z') };
    for (const name of names) await this.#patch(`${leases}/${name}`, { spec });
  }

  async get(name: string): Promise<Body> {
    return (await this.#api.get(`${nodes}/${name}`)).body;
  }

  patch(path: string, body: object): Promise<void> {
    return this.#patch(`${nodes}/${path}`, body);
  }

  async delete(...names: string[]): Promise<void> {
    for (const name of names) {
      await this.#api.delete(`${nodes}/${name}`);
      await this.#api.delete(`${leases}/${name}`);
    }
  }

  until(name: string, isGood: (node: Body) => boolean): Promise<Body> {
    return until(() => this.get(name), isGood);
  }

  untilReady(name: string, status: string): Promise<Body> {
    return this.until(name, (node) => readyOf(node)?.status === status);
  }

  /** Waits until a node has exactly these taints, as `key:effect` without the domain. */
  async untilTaints(name: string, ...expected: string[]): Promise<void> {
    await this.until(
      name,
      (node) => JSON.stringify(taintsOf(node).sort()) === JSON.stringify(expected.toSorted()),
    );
  }

  async #patch(path: string, body: object): Promise<void> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const { code, text } = await this.#api.request('PATCH', path, body, headers);
    assert.equal(code, 200, text);
  }

  #now(end = 'Z'): string {
    return new Date(this.#api.server.clock.now()).toISOString().replace('Z', end);
  }
}

export const conditionsOf = ({ status }: Body) => (status as { conditions?: Condition[] }).conditions ?? [];
export const readyOf = (node: Body) => conditionsOf(node).find(({ type }) => type === 'Ready');
const taintsOf = ({ spec }: Body) =>
  ((spec.taints ?? []) as NodeTaint[]).map(({ key, effect }) => `${key.split('/')[1]}:${effect}`);
