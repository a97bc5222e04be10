// A scenario of the comparison: the actions of a user, and of the kubelets of pods that no node runs. The reference defines the result.
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyObject, Api, Kind } from '../kube-controller-manager/api.ts';
import { at } from '../kube-controller-manager/api.ts';
import { historyLines, type OutcomeOptions, objectLines } from './outcome.ts';
import { isComparedKind, type NamespaceRecord, type Recorder } from './recorder.ts';
import type { Side } from './sides.ts';

export interface Scenario extends Partial<OutcomeOptions> {
  /** Also the name of the namespace. */
  readonly name: string;
  run(stage: Stage): Promise<void>;
  /** How long nothing may change before a state counts as settled. */
  readonly calmMs?: number;
  /** It adds nodes: it runs after the scenarios that do not, whose pods are scheduled. */
  readonly addsNodes?: boolean;
  /** It runs on clusters with dynamic resource allocation and the scheduler profiles of the comparison. */
  readonly needsDevices?: boolean;
  /** It changes what other scenarios depend on: it runs after all of them, and alone. */
  readonly runsAlone?: boolean;
}

export const deployments: Kind = 'apis/apps/v1 deployments';
export const replicaSets: Kind = 'apis/apps/v1 replicasets';
export const replicationControllers: Kind = 'api/v1 replicationcontrollers';
export const statefulSets: Kind = 'apis/apps/v1 statefulsets';
export const daemonSets: Kind = 'apis/apps/v1 daemonsets';
export const jobs: Kind = 'apis/batch/v1 jobs';
export const pods: Kind = 'api/v1 pods';
export const services: Kind = 'api/v1 services';
export const nodes: Kind = 'api/v1 nodes';
export const claims: Kind = 'api/v1 persistentvolumeclaims';
export const volumes: Kind = 'api/v1 persistentvolumes';
export const storageClasses: Kind = 'apis/storage.k8s.io/v1 storageclasses';
export const resourceClaims: Kind = 'apis/resource.k8s.io/v1beta1 resourceclaims';
export const claimTemplates: Kind = 'apis/resource.k8s.io/v1beta1 resourceclaimtemplates';
export const resourceSlices: Kind = 'apis/resource.k8s.io/v1beta1 resourceslices';
export const deviceClasses: Kind = 'apis/resource.k8s.io/v1beta1 deviceclasses';
const events: Kind = 'api/v1 events';

const clusterKinds: ReadonlySet<Kind> = new Set([volumes, storageClasses, resourceSlices, deviceClasses]);

const defaultCalmMs = 3_000;
const longestMs = 90_000;
const pollMs = 20;
const recordMs = 5_000;

/** Plays a scenario on one side. */
export class Stage {
  readonly api: Api;
  readonly side: Side['name'];
  readonly namespace: string;
  readonly record: NamespaceRecord;
  readonly #recorder: Recorder;
  readonly #options: OutcomeOptions;
  readonly #calmMs: number;
  readonly #lines: string[] = [];

  constructor({ name: side, api, recorder }: Side, scenario: Scenario) {
    const { name, isOrdered = false, isPlaced = false, calmMs = defaultCalmMs } = scenario;
    this.api = api;
    this.side = side;
    this.namespace = name;
    this.record = recorder.of(name);
    this.#recorder = recorder;
    this.#options = { isOrdered, isPlaced };
    this.#calmMs = calmMs;
  }

  async create(kind: Kind, object: object): Promise<AnyObject> {
    return this.#recorded(kind, await this.api.create(kind, this.#namespaceFor(kind), object));
  }

  async patch(kind: Kind, name: string, change: object, subresource = ''): Promise<AnyObject> {
    return this.#recorded(
      kind,
      await this.api.patch(kind, this.#namespaceFor(kind), name, change, subresource),
    );
  }

  /** The name of a cluster-scoped object of this scenario, by which its record has it. */
  own(name: string): string {
    return `${this.namespace}.${name}`;
  }

  #namespaceFor(kind: Kind): string {
    return clusterKinds.has(kind) ? '' : this.namespace;
  }

  /** Waits until the watch has delivered a write of this scenario. */
  async #recorded(kind: Kind, written: AnyObject): Promise<AnyObject> {
    const { name } = written.metadata;
    const revisionOf = ({ metadata }: AnyObject) =>
      Number((metadata as unknown as { resourceVersion: string }).resourceVersion);
    const isRecorded = () =>
      this.record.changes.some(
        (change) =>
          change.kind === kind &&
          change.object.metadata.name === name &&
          revisionOf(change.object) >= revisionOf(written),
      );
    const end = performance.now() + recordMs;
    // Kinds that are not compared are not recorded.
    while (isComparedKind(kind) && !isRecorded() && performance.now() < end) await sleep(pollMs);
    return written;
  }

  remove(kind: Kind, name: string, options: object = {}): Promise<AnyObject> {
    return this.api.remove(kind, this.#namespaceFor(kind), name, options);
  }

  /** The current objects of a kind, oldest first. */
  list(kind: Kind): AnyObject[] {
    return [...this.record.current.values()].filter((each) => each.kind === kind).map(({ object }) => object);
  }

  /** The current object, or undefined. */
  get(kind: Kind, name: string): AnyObject | undefined {
    return this.record.current.get(`${kind} ${name}`)?.object;
  }

  /** Pods that are not being deleted and have not finished. */
  activePods(isIncluded: (pod: AnyObject) => boolean = () => true): AnyObject[] {
    return this.list(pods).filter(
      (pod) =>
        pod.metadata.deletionTimestamp === undefined &&
        !['Succeeded', 'Failed'].includes(String(at(pod, 'status.phase'))) &&
        isIncluded(pod),
    );
  }

  /** Waits for a state. A scenario that never gets there ends with a line that says so. */
  async until(what: string, isReached: () => boolean): Promise<void> {
    const end = performance.now() + longestMs;
    while (!isReached()) {
      if (performance.now() > end) throw new NeverReached(what);
      await sleep(pollMs);
    }
  }

  untilActivePods(count: number, isIncluded?: (pod: AnyObject) => boolean): Promise<void> {
    return this.until(`${count} active pods`, () => this.activePods(isIncluded).length === count);
  }

  /** Waits until the object has this value at a path such as `status.readyReplicas`. */
  untilValue(kind: Kind, name: string, path: string, value: unknown): Promise<void> {
    return this.until(`${name} ${path} ${value}`, () => at(this.get(kind, name), path) === value);
  }

  untilCondition(kind: Kind, name: string, type: string, status = 'True'): Promise<void> {
    return this.until(`${name} ${type} ${status}`, () => {
      const conditions = (at(this.get(kind, name), 'status.conditions') ?? []) as Record<string, string>[];
      return conditions.some((condition) => condition.type === type && condition.status === status);
    });
  }

  /** Waits for an Event about an object. */
  untilEvent(name: string, reason: string): Promise<void> {
    return this.until(`the Event ${reason} of ${name}`, () =>
      this.list(events).some((event) => event.reason === reason && at(event, 'involvedObject.name') === name),
    );
  }

  /** Resolves once nothing has changed for a while. */
  calm(): Promise<void> {
    return this.#recorder.calm(this.namespace, this.#calmMs, longestMs);
  }

  /** Compares the objects as they are now, once nothing changes any more. */
  async compareObjects(moment: string): Promise<void> {
    await this.calm();
    this.#lines.push(...objectLines(this.record, this.#options).map((line) => `${moment}: ${line}`));
  }

  /** Plays kubelet for a pod that no node runs (see `held`). */
  async setReady(pod: AnyObject, isReady = true): Promise<void> {
    const status = isReady ? 'True' : 'False';
    const lastTransitionTime = `${new Date().toISOString().slice(0, 19)}Z`;
    const conditions = ['Ready', 'ContainersReady'].map((type) => ({ type, status, lastTransitionTime }));
    await this.patch(pods, pod.metadata.name, { status: { phase: 'Running', conditions } }, 'status');
  }

  async setAllReady(isIncluded?: (pod: AnyObject) => boolean): Promise<void> {
    for (const pod of this.activePods(isIncluded)) await this.setReady(pod);
  }

  /** Plays kubelet: the containers have ended with this exit code. */
  async finish(pod: AnyObject, exitCode: number, more: object = {}): Promise<void> {
    const finishedAt = `${new Date().toISOString().slice(0, 19)}Z`;
    const terminated = {
      exitCode,
      finishedAt,
      startedAt: finishedAt,
      reason: exitCode === 0 ? 'Completed' : 'Error',
    };
    const { containers } = pod.spec as { containers: { name: string }[] };
    const containerStatuses = containers.map(({ name }) => ({
      ...{ name, ready: false, restartCount: 0, image: 'i', imageID: 'i' },
      state: { terminated },
    }));
    const phase = exitCode === 0 ? 'Succeeded' : 'Failed';
    await this.patch(pods, pod.metadata.name, { status: { phase, containerStatuses, ...more } }, 'status');
  }

  async end(): Promise<string[]> {
    await this.compareObjects('at the end');
    return [...this.#lines, ...historyLines(this.record, this.#options)];
  }
}

export class NeverReached extends Error {}

/** Settings of a pod template whose pods stay pending: the scenario plays their kubelet. */
export const held = { schedulerName: 'none' };

/** A template whose pods have the label `app`. */
export const template = (app: string, spec: object = {}, metadata: { labels?: object } = {}) => ({
  metadata: { ...metadata, labels: { app, ...metadata.labels } },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

export const selector = (app: string) => ({ matchLabels: { app } });

/** A workload with a selector, a template and replicas. */
export const workload = (name: string, replicas: number, spec: object = {}, podSpec: object = {}) => ({
  metadata: { name },
  spec: { replicas, selector: selector(name), template: template(name, podSpec), ...spec },
});
