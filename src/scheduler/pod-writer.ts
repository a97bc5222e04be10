// The writes of the scheduler: bindings, the condition PodScheduled, nominations, deletions of victims, and Events.
import type { Pod } from '../apis/core/pod.ts';
import { setCondition } from '../apis/core/pod-conditions.ts';
import type { PodStatus } from '../apis/core/pod-status.ts';
import { timestamp } from '../base/clock.ts';
import type { Informer } from '../client/informer.ts';
import type { ControllerContext } from '../controllers/runtime/controller.ts';
import type { RecordedEvent } from '../controllers/runtime/event-recorder.ts';
import { ignoreNotFound } from '../errors/ignore-not-found.ts';
import type { PodInfo } from './cache/pod-info.ts';

/** Upstream truncates the note of an Event. */
const maxNoteLength = 1024;
const truncationSuffix = ' ...';

/** Why a pod is not scheduled. */
export interface SchedulingFailure {
  readonly reason: 'Unschedulable' | 'SchedulerError';
  readonly message: string;
  /** `status.nominatedNodeName`: '' clears it, undefined keeps it. */
  readonly nominatedNodeName: string | undefined;
}

export class PodWriter {
  readonly #context: ControllerContext;
  readonly #pods: Informer<Pod>;
  readonly #signal: AbortSignal;

  constructor(context: ControllerContext, pods: Informer<Pod>, signal: AbortSignal) {
    this.#context = context;
    this.#pods = pods;
    this.#signal = signal;
  }

  async bind({ name, namespace, uid }: PodInfo, nodeName: string): Promise<void> {
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { kind: 'Node', name: nodeName },
    };
    await this.#context.client.bind(this.#pods, binding, this.#context.identity);
  }

  /** Writes the condition PodScheduled and the nomination of a pod that could not be scheduled. */
  async recordFailure(pod: PodInfo, failure: SchedulingFailure): Promise<void> {
    const { reason, message, nominatedNodeName } = failure;
    await this.#changeStatus(pod, (status, now) => {
      setCondition(status, { type: 'PodScheduled', status: 'False', reason, message }, now);
      if (nominatedNodeName) status.nominatedNodeName = nominatedNodeName;
      else if (nominatedNodeName === '') delete status.nominatedNodeName;
    });
  }

  async clearNomination(pod: PodInfo): Promise<void> {
    await this.#changeStatus(pod, (status) => {
      delete status.nominatedNodeName;
    });
  }

  /** Deletes a pod in favour of another one, with its grace period. */
  async preempt(victim: PodInfo, preemptor: PodInfo & { readonly schedulerName: string }): Promise<void> {
    const { client, identity } = this.#context;
    const { schedulerName } = preemptor;
    await this.#changeStatus(victim, (status, now) => {
      const message = `${schedulerName}: preempting to accommodate a higher priority pod`;
      const reason = 'PreemptionByScheduler';
      setCondition(status, { type: 'DisruptionTarget', status: 'True', reason, message }, now);
    });
    const options = { preconditions: { uid: victim.uid } };
    const caller = { user: identity.user, signal: this.#signal };
    await client.deleteByKey(this.#pods, victim.key, options, caller);
    this.recordEvent(victim, schedulerName, {
      type: 'Normal',
      reason: 'Preempted',
      action: 'Preempting',
      message: `Preempted by pod ${preemptor.uid} on node ${victim.nodeName}`,
    });
  }

  recordEvent(
    { name, namespace, uid }: PodInfo,
    schedulerName: string,
    event: Pick<RecordedEvent, 'type' | 'reason' | 'action' | 'message'>,
  ): void {
    const { message } = event;
    const isTooLong = message.length > maxNoteLength;
    const end = maxNoteLength - truncationSuffix.length;
    this.#context.events.record({
      ...event,
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name, namespace, uid },
      message: isTooLong ? `${message.slice(0, end)}${truncationSuffix}` : message,
      component: schedulerName,
    });
  }

  async #changeStatus(
    { key, uid }: PodInfo,
    change: (status: PodStatus, now: string) => void,
  ): Promise<void> {
    const { client, clock, identity } = this.#context;
    const changePod = (pod: Pod) => {
      // Fails with a conflict if the pod was created again.
      pod.metadata.uid = uid;
      change(pod.status, timestamp(clock));
    };
    const options = { ...identity, subresource: 'status' };
    await ignoreNotFound(client.mutate(this.#pods, key, changePod, options));
  }
}
