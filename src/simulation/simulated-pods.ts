// Takes the pods on simulated nodes through their stages, as their kubelets would run them.
import type { Pod } from '../apis/core/pod.ts';
import { isReady } from '../apis/core/pod-conditions.ts';
import { timestamp } from '../base/clock.ts';
import type { Manifest } from '../client/client.ts';
import type { Informer } from '../client/informer.ts';
import type { InformerObject } from '../client/informer-object.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import type { WorkQueue } from '../controllers/runtime/work-queue.ts';
import { ignoreNotFound } from '../errors/ignore-not-found.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { User } from '../request/user.ts';
import { AddressPool } from './address-pool.ts';
import { kubeletManager, type SimulatedNodes } from './simulated-nodes.ts';
import { derivedConditions } from './stages/derived-conditions.ts';
import { stageFor } from './stages/match-pod.ts';
import { changesStatus, nextStatus } from './stages/next-status.ts';
import type { NextEvent, Stage } from './stages/stage.ts';
import { dueTime } from './stages/stage-delay.ts';
import { fillText, type TemplateValues } from './stages/template.ts';

const pods = { group: '', version: 'v1', resource: 'pods' } as const;
const workers = 16;
/** A stage that a pod has been through waits at least this long, so that stages without a delay cannot run in a circle. */
const minRepeatMs = 1_000;
/** The range of pod addresses, 10.128.0.0/9. */
const firstAddress = '10.128.0.1';
const addressCount = 2 ** 23 - 2;

/** What is known of a pod between its stages. It is rebuilt from the pod after a restart, with new delays. */
interface Progress {
  readonly uid: string;
  /** The stage that matches, and when its next state is due; undefined between stages. */
  waiting: { readonly stage: Stage; readonly dueMs: number } | undefined;
  /** The stage that ran last without a change of the pod, at this resourceVersion. */
  unchanged: { readonly stage: Stage; readonly resourceVersion: string } | undefined;
  readonly finishedStages: Set<string>;
}

export class SimulatedPods {
  readonly #context: ControllerContext;
  readonly #nodes: SimulatedNodes;
  readonly #stages: readonly Stage[];
  readonly #informer: Informer<Pod>;
  readonly #queue: WorkQueue;
  readonly #progress = new Map<string, Progress>();
  /** Pods of nodes that have recovered: the control plane may have marked them as not ready meanwhile. */
  readonly #recovered = new Set<string>();
  readonly #addresses: AddressPool;

  constructor(context: ControllerContext, nodes: SimulatedNodes, stages: readonly Stage[]) {
    const { informers, newQueue } = context;
    this.#context = context;
    this.#nodes = nodes;
    this.#stages = stages;
    this.#queue = newQueue({ name: 'simulated_pods', reconcile: (key) => this.#reconcile(key), workers });
    this.#informer = informers.informer<Pod>(
      pods,
      {
        onAdd: (pod) => this.#enqueue(pod),
        onUpdate: (_oldPod, pod) => this.#enqueue(pod),
        onDelete: ({ key }) => {
          this.#progress.delete(key);
          this.#recovered.delete(key);
        },
        onReset: () => {
          this.#progress.clear();
          this.#recovered.clear();
          this.#queue.clear();
        },
      },
      { node: (pod) => fieldValues(pod, 'spec.nodeName'), ip: (pod) => fieldValues(pod, 'status.podIP') },
    );
    this.#addresses = new AddressPool(firstAddress, addressCount, (ip) => {
      const [key] = this.#informer.keysByIndex('ip', ip);
      return key !== undefined;
    });
  }

  start(): void {
    this.#informer.start();
  }

  reset(): void {
    this.#informer.reset();
    this.#informer.start();
  }

  async close(): Promise<void> {
    this.#informer.close();
    await this.#queue.close();
  }

  /** Goes on with the pods of a node. */
  resume(node: string, hasRecovered: boolean): void {
    for (const key of this.#informer.keysByIndex('node', node)) {
      if (hasRecovered) this.#recovered.add(key);
      this.#queue.add(key);
    }
  }

  #enqueue(pod: InformerObject<Pod>): void {
    const node = pod.field('spec.nodeName');
    if (node && this.#nodes.runningNode(node)) this.#queue.add(pod.key);
  }

  async #reconcile(key: string): Promise<void> {
    // Without the list of all pods an address could be used twice.
    await this.#informer.hasSynced;
    const pod = this.#informer.getByKey(key)?.tryDecode();
    const node = pod && this.#nodes.runningNode(pod.spec.nodeName ?? '');
    if (!pod || !node) return;
    if (this.#recovered.has(key) && hasOutdatedReadiness(pod)) {
      await this.#run(key, pod, reportAgain, node.ip);
      return;
    }
    this.#recovered.delete(key);
    const stage = stageFor(this.#stages, pod);
    const progress = this.#progressOf(key, pod);
    if (!stage || this.#hasRunWithoutChange(progress, stage, pod)) {
      progress.waiting = undefined;
      return;
    }
    if (progress.waiting?.stage !== stage)
      progress.waiting = { stage, dueMs: this.#dueTime(progress, stage, pod) };
    const delayMs = progress.waiting.dueMs - this.#context.clock.now();
    if (delayMs > 0) return this.#queue.addAfter(key, delayMs);
    await this.#run(key, pod, stage, node.ip);
    progress.waiting = undefined;
    progress.finishedStages.add(stage.name);
    progress.unchanged = { stage, resourceVersion: pod.metadata.resourceVersion! };
  }

  #progressOf(key: string, { metadata }: Pod): Progress {
    const known = this.#progress.get(key);
    if (known?.uid === metadata.uid) return known!;
    const progress: Progress = {
      uid: metadata.uid!,
      waiting: undefined,
      unchanged: undefined,
      finishedStages: new Set(),
    };
    this.#progress.set(key, progress);
    return progress;
  }

  /** Without a change, as after an Event only, a stage does not run again. */
  #hasRunWithoutChange({ unchanged }: Progress, stage: Stage, { metadata }: Pod): boolean {
    return unchanged?.stage === stage && unchanged.resourceVersion === metadata.resourceVersion;
  }

  #dueTime({ finishedStages }: Progress, stage: Stage, pod: Pod): number {
    const now = this.#context.clock.now();
    const dueMs = dueTime(stage.delay, pod, now, Math.random());
    return finishedStages.has(stage.name) ? Math.max(dueMs, now + minRepeatMs) : dueMs;
  }

  async #run(key: string, pod: Pod, { next }: Pick<Stage, 'next'>, nodeIP: string): Promise<void> {
    const values = this.#templateValues(pod, nodeIP);
    const options = { user: nodeUser(pod.spec.nodeName!), manager: kubeletManager };
    const { client, logger } = this.#context;
    if (next.event) this.#recordEvent(pod, next.event, values);
    if (changesStatus(next)) {
      const status = nextStatus(pod, next, values);
      // With the resourceVersion of `pod`: a conflict retries the stage on the new state.
      const updated = { ...pod, apiVersion: 'v1', kind: 'Pod', status } as unknown as Manifest;
      await ignoreNotFound(client.updateStatus(updated, options).then(() => undefined));
    }
    const { removeFinalizers } = next;
    if (removeFinalizers) {
      const lister = this.#informer as Informer<unknown> as Informer<ApiObject>;
      const isKept = (name: string) => !removeFinalizers.includes('*') && !removeFinalizers.includes(name);
      const change = (metadata: { finalizers?: string[] }) => {
        metadata.finalizers = (metadata.finalizers ?? []).filter(isKept);
      };
      await client.mutateMetadata(lister, key, pod.metadata.uid!, change, options);
    }
    if (!next.delete) return;
    logger.verbose(4, { object: key }, 'a simulated node deletes a pod');
    await client.deleteByKey(
      this.#informer,
      key,
      { gracePeriodSeconds: 0, preconditions: { uid: pod.metadata.uid! } },
      { user: options.user, signal: new AbortController().signal },
    );
  }

  #templateValues({ metadata, spec, status }: Pod, nodeIP: string): TemplateValues {
    const podIP = status.podIP || (spec.hostNetwork ? nodeIP : this.#addresses.allocate());
    return {
      now: timestamp(this.#context.clock),
      nodeName: spec.nodeName!,
      nodeIP,
      podIP,
      podName: metadata.name!,
      podNamespace: metadata.namespace!,
    };
  }

  #recordEvent({ metadata }: Pod, event: NextEvent, values: TemplateValues): void {
    const { name, namespace, uid, resourceVersion } = metadata;
    this.#context.events.record({
      involvedObject: {
        apiVersion: 'v1',
        kind: 'Pod',
        name: name!,
        namespace: namespace!,
        uid: uid!,
        resourceVersion: resourceVersion!,
      },
      type: event.type,
      reason: event.reason,
      message: fillText(event.message, values),
      component: kubeletManager,
    });
  }
}

/** A kubelet that recovers reports the conditions that follow from the containers. */
const reportAgain: Pick<Stage, 'next'> = { next: { conditions: [] } };

/** Whether the pod is marked as not ready although its containers are. */
function hasOutdatedReadiness(pod: Pod): boolean {
  const { metadata, status } = pod;
  if (status.phase !== 'Running' || metadata.deletionTimestamp !== undefined || isReady(status)) return false;
  return derivedConditions(pod, status).some(({ type, status }) => type === 'Ready' && status === 'True');
}

function fieldValues(pod: InformerObject<Pod>, path: string): string[] {
  const value = pod.field(path);
  return value ? [value] : [];
}

/** The user of a node's kubelet. */
const nodeUser = (name: string): User => ({
  name: `system:node:${name}`,
  uid: '',
  groups: ['system:nodes', 'system:authenticated'],
  extra: {},
});
