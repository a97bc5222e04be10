// A server with workload controllers and no nodes: the run plays kubelet. It may restart at any moment, as if the leader had crashed.
import { setTimeout as sleep } from 'node:timers/promises';
import type { ObjectEvent } from '../../../src/embed/object-events.ts';
import { type EmbeddedServer, startServer } from '../../../src/index.ts';
import type { ApiObject } from '../../../src/kind/api-object.ts';

export interface PodState {
  readonly name: string;
  readonly uid: string;
  readonly phase: string;
  readonly isReady: boolean;
  readonly isTerminating: boolean;
  readonly image: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly nodeName: string | undefined;
}

/** Told of every change of a pod, in the order of the writes. `previous` is undefined for a new pod, `current` for one that is gone. */
export type PodObserver = (
  namespace: string,
  current: PodState | undefined,
  previous: PodState | undefined,
) => void;

const controllers = [
  'daemonset-controller',
  'deployment-controller',
  'garbage-collector-controller',
  'job-controller',
  'replicaset-controller',
  'serviceaccount-controller',
  'statefulset-controller',
];
const nodeNames = ['node-a', 'node-b', 'node-c'];
const pollMs = 2;
/** A pod that no controller owns. */
const marker = { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'marker' };

/** Kinds whose controllers report the generation that they have reconciled. */
const observedKinds = ['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'];
/** A workload of each controller without pods, which shows whether the controller has received a change. */
const canary = { namespace: 'default', name: 'canary' };
const canaryTemplate = {
  metadata: { labels: { app: 'canary' } },
  spec: { containers: [{ name: 'c', image: 'i' }] },
};
const canarySelector = { selector: { matchLabels: { app: 'canary' } }, template: canaryTemplate };
const canarySpecs: Readonly<Record<string, object>> = {
  DaemonSet: {
    ...canarySelector,
    template: { ...canaryTemplate, spec: { ...canaryTemplate.spec, nodeSelector: { no: 'node' } } },
  },
  Deployment: { ...canarySelector, replicas: 0 },
  ReplicaSet: { ...canarySelector, replicas: 0 },
  StatefulSet: { ...canarySelector, replicas: 0, serviceName: 's' },
};
/** Its condition Suspended follows `suspend`; without parallelism it has no pods either way. */
const canaryJob = { apiVersion: 'batch/v1', kind: 'Job', ...canary };
const jobTemplate = { ...canaryTemplate, spec: { ...canaryTemplate.spec, restartPolicy: 'Never' } };

/** An object that a client creates. */
export type CreatedObject = ApiObject & { readonly apiVersion: string; readonly kind: string };

async function until(isThere: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      await isThere();
      return;
    } catch (error) {
      if (attempt === 1_000) throw error;
      await sleep(pollMs);
    }
  }
}

export class World {
  readonly pods = new Map<string, Map<string, PodState>>();
  #server!: EmbeddedServer;
  #watch: AsyncGenerator<unknown, void, undefined> | undefined;
  readonly #observe: PodObserver;
  /** The last revision of a pod that was observed. */
  #observed = 0;
  #rounds = 0;

  private constructor(observe: PodObserver) {
    this.#observe = observe;
  }

  static async start(observe: PodObserver): Promise<World> {
    const world = new World(observe);
    world.#server = await startServer({ controllers });
    try {
      await world.#prepare();
    } catch (error) {
      await world.stop();
      throw error;
    }
    return world;
  }

  async #prepare(): Promise<void> {
    for (const name of nodeNames) {
      const node = {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name },
        status: { allocatable: { pods: '110' } },
      };
      await this.client.create(node as unknown as CreatedObject);
      // Admission taints a node that is not ready.
      await this.client.patch({ apiVersion: 'v1', kind: 'Node', name }, { spec: { taints: null } });
    }
    const { namespace, name } = marker;
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await until(() =>
      this.client.get({ apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'default' }),
    );
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name }, spec };
    await this.client.create(pod as unknown as CreatedObject);
    for (const [kind, spec] of Object.entries(canarySpecs)) {
      const workload = { apiVersion: 'apps/v1', kind, metadata: canary, spec };
      await this.client.create(workload as unknown as CreatedObject);
    }
    const { apiVersion, kind } = canaryJob;
    const job = { apiVersion, kind, metadata: canary, spec: { parallelism: 0, template: jobTemplate } };
    await this.client.create(job as unknown as CreatedObject);
    await this.#follow();
  }

  get client() {
    return this.#server.client;
  }

  get clock() {
    return this.#server.clock;
  }

  podsOf(namespace: string): PodState[] {
    return [...(this.pods.get(namespace)?.values() ?? [])];
  }

  /** Goes on with a new server from the state of this moment: what the controllers were doing is lost. */
  async restart(): Promise<void> {
    const old = this.#server;
    const fork = await old.fork();
    // Its end ends the watch.
    this.#watch = undefined;
    await old.stop();
    this.#server = fork;
    await this.#follow();
  }

  async stop(): Promise<void> {
    this.#watch = undefined;
    await this.#server.stop();
  }

  /** Resolves once no controller has anything to do, and all changes of pods were observed. */
  async settle(): Promise<void> {
    await this.#reachControllers();
    for (let calm = 0; calm < 2; ) {
      calm = (await this.#isIdle()) && (await this.#isObserved()) ? calm + 1 : 0;
      await sleep(pollMs);
    }
    // Events arrive in order: all earlier ones were observed when that of the marker is.
    const marked = await this.client.patch(marker, {
      metadata: { labels: { round: String(++this.#rounds) } },
    });
    while (this.#observed < Number(marked.metadata.resourceVersion)) await sleep(pollMs);
  }

  /**
   * Resolves once every controller has received all earlier changes: informers deliver in order, and those of a restarted server
   * have not synced yet when it serves, while its queues are empty.
   */
  async #reachControllers(): Promise<void> {
    const suspend = this.#rounds % 2 === 0;
    const minReadySeconds = this.#rounds % 2;
    for (const kind of observedKinds)
      await this.client.patch({ apiVersion: 'apps/v1', kind, ...canary }, { spec: { minReadySeconds } });
    await this.client.patch(canaryJob, { spec: { suspend } });
    while (!(await this.#isCanaryJobSuspended(suspend)) || !(await this.#isObserved())) await sleep(pollMs);
  }

  async #isCanaryJobSuspended(isSuspended: boolean): Promise<boolean> {
    const { status } = (await this.client.get(canaryJob)) as WorkloadFields;
    const condition = status?.conditions?.find(({ type }) => type === 'Suspended');
    return (condition?.status === 'True') === isSuspended;
  }

  /** Whether the status of every workload is that of its current spec. Retries of failed updates wait beside the queue. */
  async #isObserved(): Promise<boolean> {
    for (const kind of observedKinds) {
      const { items } = await this.client.list({ apiVersion: 'apps/v1', kind });
      const isCurrent = (object: ApiObject) =>
        (object as WorkloadFields).status?.observedGeneration === object.metadata.generation;
      if (!items.every(isCurrent)) return false;
    }
    return true;
  }

  async #isIdle(): Promise<boolean> {
    const text = await (await fetch(`${this.#server.url}/metrics`)).text();
    const lines = text.match(/^workqueue_(depth|unfinished_work_seconds)\{.*$/gm) ?? [];
    return lines.every((line) => line.endsWith(' 0'));
  }

  /** Reads the current pods, then watches. After a restart, changes that were not observed before are observed now. */
  async #follow(): Promise<void> {
    const { items, resourceVersion } = await this.client.list({ apiVersion: 'v1', kind: 'Pod' });
    const found = new Map(items.map((pod) => [`${pod.metadata.namespace}/${pod.metadata.name}`, pod]));
    for (const [namespace, pods] of this.pods) {
      for (const name of pods.keys())
        if (!found.has(`${namespace}/${name}`)) this.#change(namespace, name, undefined);
    }
    for (const pod of items) this.#change(pod.metadata.namespace!, pod.metadata.name!, stateOf(pod));
    this.#observed = Number(resourceVersion);
    const events = this.client.watch<ApiObject>({ apiVersion: 'v1', kind: 'Pod', resourceVersion });
    this.#watch = events;
    void this.#receive(events);
  }

  async #receive(events: AsyncGenerator<ObjectEvent<ApiObject>, void, undefined>): Promise<void> {
    try {
      for await (const { type, object } of events) {
        if (events !== this.#watch) return;
        const { namespace = '', name = '', resourceVersion } = object.metadata;
        this.#change(namespace, name, type === 'DELETED' ? undefined : stateOf(object));
        this.#observed = Number(resourceVersion);
      }
    } catch (error) {
      if (events === this.#watch) throw error;
    }
  }

  #change(namespace: string, name: string, current: PodState | undefined): void {
    let pods = this.pods.get(namespace);
    if (!pods) {
      pods = new Map();
      this.pods.set(namespace, pods);
    }
    const previous = pods.get(name);
    if (current) pods.set(name, current);
    else pods.delete(name);
    this.#observe(namespace, current, previous);
  }
}

interface WorkloadFields extends ApiObject {
  readonly status?: {
    readonly observedGeneration?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

interface PodFields extends ApiObject {
  readonly spec: {
    readonly containers: readonly { readonly image: string }[];
    readonly nodeName?: string;
    readonly affinity?: {
      readonly nodeAffinity?: {
        readonly requiredDuringSchedulingIgnoredDuringExecution?: {
          readonly nodeSelectorTerms: readonly {
            readonly matchFields?: readonly { readonly values?: readonly string[] }[];
          }[];
        };
      };
    };
  };
  readonly status: {
    readonly phase?: string;
    readonly conditions?: readonly { type: string; status: string }[];
  };
}

function stateOf(object: ApiObject): PodState {
  const { metadata, spec, status } = object as PodFields;
  const terms =
    spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  return {
    name: metadata.name!,
    uid: metadata.uid!,
    phase: status.phase ?? 'Pending',
    isReady: (status.conditions ?? []).some(
      ({ type, status: value }) => type === 'Ready' && value === 'True',
    ),
    isTerminating: metadata.deletionTimestamp !== undefined,
    image: spec.containers[0]!.image,
    labels: metadata.labels ?? {},
    nodeName: spec.nodeName ?? terms?.[0]?.matchFields?.[0]?.values?.[0],
  };
}
