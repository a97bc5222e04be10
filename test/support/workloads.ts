// A namespace with workloads whose pods a test drives as kubelet and scheduler would.
import assert from 'node:assert/strict';
import type { Body, TestServer } from './client.ts';
import { until } from './controllers.ts';

export interface WorkloadPod extends Body {
  readonly metadata: Body['metadata'] & {
    readonly generateName?: string;
    readonly ownerReferences?: readonly OwnerReference[];
  };
  readonly status: { readonly phase?: string };
}

interface OwnerReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  readonly controller?: boolean;
  readonly blockOwnerDeletion?: boolean;
}

export interface RecordedEvent extends Body {
  readonly involvedObject: { readonly kind: string; readonly name: string };
  readonly type: string;
  readonly source: { readonly component: string };
}

export class WorkloadNamespace {
  readonly #api: TestServer;
  readonly name: string;

  private constructor(api: TestServer, name: string) {
    this.#api = api;
    this.name = name;
  }

  static async create(api: TestServer): Promise<WorkloadNamespace> {
    const path = await api.namespace();
    return new WorkloadNamespace(api, path.split('/')[4]!);
  }

  /** `resource` is `pods`, `apps/replicasets`, `batch/jobs`, or one of them with `/name` and perhaps a subresource. */
  path(resource: string): string {
    const [first = '', ...rest] = resource.split('/');
    return first === 'apps' || first === 'batch'
      ? `/apis/${first}/v1/namespaces/${this.name}/${rest.join('/')}`
      : `/api/v1/namespaces/${this.name}/${resource}`;
  }

  async create(resource: string, body: object): Promise<Body> {
    const response = await this.#api.post(this.path(resource), body);
    assert.equal(response.code, 201, response.text);
    return response.body;
  }

  async get(resource: string): Promise<Body> {
    const response = await this.#api.get(this.path(resource));
    assert.equal(response.code, 200, response.text);
    return response.body;
  }

  async patch(resource: string, patch: object): Promise<Body> {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const response = await this.#api.request('PATCH', this.path(resource), patch, headers);
    assert.equal(response.code, 200, response.text);
    return response.body;
  }

  async delete(resource: string, options?: object): Promise<void> {
    const response = await this.#api.delete(this.path(resource), options);
    assert.ok(response.code < 300, response.text);
  }

  /** Pods in the order of their names. */
  async pods(): Promise<WorkloadPod[]> {
    return (await this.get('pods')).items as WorkloadPod[];
  }

  async activePods(): Promise<WorkloadPod[]> {
    return (await this.pods()).filter(({ metadata }) => !metadata.deletionTimestamp);
  }

  /** Waits until this many pods exist that are not being deleted. */
  untilActivePods(count: number): Promise<WorkloadPod[]> {
    return until(
      () => this.activePods(),
      (pods) => pods.length === count,
    );
  }

  /** Waits until an object meets a condition. */
  until(resource: string, isGood: (object: Body) => boolean): Promise<Body> {
    return until(() => this.get(resource), isGood);
  }

  /** Waits until the status has at least these fields with these values. */
  untilStatus(resource: string, expected: Record<string, unknown>): Promise<Body> {
    return this.until(resource, ({ status }) => {
      const fields = status as Record<string, unknown>;
      return Object.entries(expected).every(([name, value]) => fields[name] === value);
    });
  }

  /** Plays the scheduler. */
  async bind(pod: string, node: string): Promise<void> {
    const target = { apiVersion: 'v1', kind: 'Node', name: node };
    const response = await this.#api.post(this.path(`pods/${pod}/binding`), {
      metadata: { name: pod },
      target,
    });
    assert.equal(response.code, 201, response.text);
  }

  /** Plays kubelet: the pod runs, and is ready since now or is not. */
  async setReady(pod: string, isReady = true, more: object = {}): Promise<void> {
    const lastTransitionTime = new Date(this.#api.server.clock.now()).toISOString().slice(0, 19);
    const ready = {
      type: 'Ready',
      status: isReady ? 'True' : 'False',
      lastTransitionTime: `${lastTransitionTime}Z`,
    };
    await this.patch(`pods/${pod}/status`, { status: { phase: 'Running', conditions: [ready], ...more } });
  }

  /** Makes all pods ready that are not being deleted. */
  async setAllReady(): Promise<void> {
    for (const { metadata } of await this.activePods()) await this.setReady(metadata.name);
  }

  async setPhase(pod: string, phase: string): Promise<void> {
    await this.patch(`pods/${pod}/status`, { status: { phase } });
  }

  /** Plays kubelet: containers of deleted pods have stopped. */
  async removeTerminatingPods(): Promise<void> {
    for (const { metadata } of await this.pods()) {
      if (metadata.deletionTimestamp) await this.delete(`pods/${metadata.name}`, { gracePeriodSeconds: 0 });
    }
  }

  async events(): Promise<RecordedEvent[]> {
    return (await this.get('events')).items as RecordedEvent[];
  }

  /** Waits for Events about objects of a kind, and returns their types, reasons and messages in order of creation. */
  async untilEvents(kind: string, count: number): Promise<string[]> {
    const events = await until(
      async () => (await this.events()).filter(({ involvedObject }) => involvedObject.kind === kind),
      (found) => found.length >= count,
    );
    return events
      .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
      .map(({ type, reason, message }) => `${type} ${reason} ${message}`);
  }
}
