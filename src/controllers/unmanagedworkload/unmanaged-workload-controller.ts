// Unmanaged workload controller: a workload that stands still because no controller manager or scheduler is connected gets an
// Event that says so. Upstream has no such controller: only `orch dev` runs it by default.
import type { Pod } from '../../apis/core/pod.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { ResourceId } from '../../client/informers.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Controller, ControllerContext } from '../runtime/controller.ts';
import type { EventRecorder } from '../runtime/event-recorder.ts';
import type { WorkQueue } from '../runtime/work-queue.ts';

/** A controller manager that is connected takes a workload up within this time. */
const delayMs = 10_000;
/** More than these are not checked: a developer sees the Event on the first ones. */
const maxPending = 100;

interface WorkloadKind {
  readonly resource: ResourceId;
  readonly kind: string;
  /** Whether its controller has seen the object, or is not expected to. */
  isManaged(object: ApiObject): boolean;
  readonly reason: string;
  readonly message: string;
}

const noControllerManager = {
  reason: 'NoControllerManager',
  message:
    'no controller manager is connected, so nothing creates its pods; see "Workloads" in docs/reference/controllers.md',
};
const noScheduler = {
  reason: 'NoScheduler',
  message:
    'no scheduler is connected, so nothing assigns it to a node; see "Workloads" in docs/reference/controllers.md',
};

const hasController = ({ metadata }: ApiObject) =>
  metadata.ownerReferences?.some(({ controller }) => controller) ?? false;

interface ControllerStatus {
  readonly observedGeneration?: number;
  readonly startTime?: string;
  readonly conditions?: readonly { readonly type: string }[];
}

const statusOf = (object: ApiObject) => ((object as { status?: unknown }).status ?? {}) as ControllerStatus;

const replicated = (group: 'apps', resource: string, kind: string): WorkloadKind => ({
  resource: { group, version: 'v1', resource },
  kind,
  isManaged: (object) => hasController(object) || statusOf(object).observedGeneration !== undefined,
  ...noControllerManager,
});

const workloadKinds: readonly WorkloadKind[] = [
  replicated('apps', 'deployments', 'Deployment'),
  replicated('apps', 'replicasets', 'ReplicaSet'),
  replicated('apps', 'statefulsets', 'StatefulSet'),
  replicated('apps', 'daemonsets', 'DaemonSet'),
  {
    resource: { group: 'batch', version: 'v1', resource: 'jobs' },
    kind: 'Job',
    isManaged(object) {
      const { startTime, conditions = [] } = statusOf(object);
      return hasForeignManager(object) || startTime !== undefined || conditions.length > 0;
    },
    ...noControllerManager,
  },
  {
    resource: { group: '', version: 'v1', resource: 'pods' },
    kind: 'Pod',
    isManaged(object) {
      const { spec } = object as unknown as Pod;
      const isScheduled = statusOf(object).conditions?.some(({ type }) => type === 'PodScheduled') ?? false;
      return Boolean(spec.nodeName) || (spec.schedulingGates ?? []).length > 0 || isScheduled;
    },
    ...noScheduler,
  },
];

/** A Job whose `spec.managedBy` names another controller. */
const hasForeignManager = (job: ApiObject) =>
  (job as { spec?: { managedBy?: string } }).spec?.managedBy !== undefined;

export class UnmanagedWorkloadController implements Controller {
  readonly #client: Client;
  readonly #events: EventRecorder;
  readonly #component: string;
  readonly #queue: WorkQueue;
  readonly #informers: readonly Informer<ApiObject>[];
  readonly #pending = new Set<string>();

  constructor({ client, events, identity, informers, newQueue }: ControllerContext) {
    this.#client = client;
    this.#events = events;
    this.#component = identity.manager;
    this.#queue = newQueue({ name: 'unmanaged_workload', reconcile: (key) => this.#reconcile(key) });
    this.#informers = workloadKinds.map(({ resource }, index) =>
      informers.informer<ApiObject>(resource, {
        onAdd: ({ key }) => this.#enqueue(`${index}/${key}`),
        onReset: () => {
          this.#pending.clear();
          this.#queue.clear();
        },
      }),
    );
  }

  start(): void {
    for (const informer of this.#informers) informer.start();
  }

  reset(): void {
    for (const informer of this.#informers) informer.reset();
    this.start();
  }

  async close(): Promise<void> {
    for (const informer of this.#informers) informer.close();
    await this.#queue.close();
  }

  #enqueue(key: string): void {
    if (this.#pending.size >= maxPending) return;
    this.#pending.add(key);
    this.#queue.addAfter(key, delayMs);
  }

  async #reconcile(key: string): Promise<void> {
    this.#pending.delete(key);
    const [index, namespace = '', name = ''] = key.split('/');
    const { resource, kind, isManaged, reason, message } = workloadKinds[Number(index)]!;
    const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
    const object = await this.#read({ apiVersion, kind, namespace, name });
    if (!object || object.metadata.deletionTimestamp !== undefined || isManaged(object)) return;
    const { uid, resourceVersion } = object.metadata;
    this.#events.record({
      involvedObject: { apiVersion, kind, namespace, name, uid: uid!, resourceVersion: resourceVersion! },
      type: 'Warning',
      reason,
      message,
      component: this.#component,
    });
  }

  async #read(reference: Parameters<Client['get']>[0]): Promise<ApiObject | undefined> {
    try {
      return await this.#client.get(reference);
    } catch (error) {
      if (error instanceof ApiError && error.code === 404) return undefined;
      throw error;
    }
  }
}
