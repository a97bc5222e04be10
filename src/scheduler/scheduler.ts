// The scheduler: assigns pods to nodes, as kube-scheduler does. Scheduling cycles run one after another and change the cache
// only through assumed pods; binding cycles write concurrently.
import type { Pod } from '../apis/core/pod.ts';
import type { PodDisruptionBudget } from '../apis/policy/poddisruptionbudget.ts';
import type { ResourceClaim } from '../apis/resource/resourceclaim.ts';
import { CooperativeYield } from '../base/cooperative-yield.ts';
import type { Lister } from '../client/lister.ts';
import type { Controller, ControllerContext } from '../controllers/runtime/controller.ts';
import { ApiError } from '../errors/status.ts';
import { ClusterCache } from './cache/cluster-cache.ts';
import type { NodeInfo } from './cache/node-info.ts';
import { NominatedPods } from './cache/nominated-pods.ts';
import { type PendingPod, pendingPod } from './cache/pod-info.ts';
import { ClusterInformers } from './cluster-informers.ts';
import type { SchedulerConfig } from './config/scheduler-config.ts';
import { type FitError, fitErrorMessage, rejectingPlugins } from './fit-error.ts';
import type { NodeFilters } from './node-filters.ts';
import { dynamicResources } from './plugins/dynamic-resources.ts';
import { PluginError } from './plugins/plugin.ts';
import { type PodReservation, PodResources, PreBindError } from './pod-resources.ts';
import { PodWriter, type SchedulingFailure } from './pod-writer.ts';
import { toBudget } from './preemption/disruption-budgets.ts';
import { type PreemptionResult, preempt } from './preemption/preempt.ts';
import type { Candidate } from './preemption/select-victims.ts';
import { defaultProfile, type Profile } from './profile.ts';
import { type QueuedPod, SchedulingQueue } from './queue/scheduling-queue.ts';
import { SchedulingAlgorithm, type SchedulingResult } from './schedule-pod.ts';
import { WorkloadSelectors } from './workload-selectors.ts';

/** Enough binding cycles to share group commits. */
const maxConcurrentBindings = 64;

export interface SchedulerOptions extends Partial<SchedulerConfig> {
  /** Breaks ties between nodes; returns numbers from 0 to below 1. */
  readonly random?: () => number;
}

export class Scheduler implements Controller {
  readonly #context: ControllerContext;
  readonly #profiles: ReadonlyMap<string, Profile>;
  readonly #random: () => number;
  readonly #cache: ClusterCache;
  readonly #nominated = new NominatedPods();
  readonly #queue: SchedulingQueue;
  readonly #resources: PodResources;
  readonly #workloads: WorkloadSelectors;
  readonly #budgets: Lister<PodDisruptionBudget>;
  readonly #informers: ClusterInformers;
  readonly #algorithm: SchedulingAlgorithm;
  readonly #writer: PodWriter;
  readonly #yielder = new CooperativeYield();
  readonly #stopped = new AbortController();
  /** Binding cycles and other writes. */
  readonly #writes = new Set<Promise<void>>();
  #bindings = 0;
  /** Changes with each start and reset, so that an earlier start has no effect any more. */
  #generation = 0;
  #isSynced = false;
  #running: Promise<void> | undefined;

  constructor(
    context: ControllerContext,
    { profiles = [defaultProfile], podBackoff, random = Math.random }: SchedulerOptions = {},
  ) {
    const { informers, clock, dialect } = context;
    const { hostname, zone } = dialect.labels;
    this.#context = context;
    this.#random = random;
    this.#profiles = new Map(profiles.map((profile) => [profile.schedulerName, profile]));
    this.#cache = new ClusterCache(dialect.labels);
    this.#queue = new SchedulingQueue(clock, () => this.#wake(), podBackoff);
    this.#resources = new PodResources(context, {
      onVolumeChange: () => this.#queue.moveOn('VolumeObjectChange'),
      onDeviceChange: () => this.#queue.moveOn('DeviceObjectChange'),
    });
    this.#workloads = new WorkloadSelectors(informers);
    this.#budgets = informers.lister({ group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' });
    this.#informers = new ClusterInformers({
      informers,
      cache: this.#cache,
      queue: this.#queue,
      nominated: this.#nominated,
      schedules: (schedulerName) => this.#profiles.has(schedulerName),
    });
    const schedulingContext = {
      cluster: this.#cache,
      volumes: this.#resources.volumes,
      devices: this.#resources.devices,
      hostnameLabel: hostname,
      zoneLabel: zone,
      unschedulableTaint: dialect.taints.unschedulable,
      workloadSelector: (pod: PendingPod) => this.#workloads.requirementsFor(pod),
    };
    this.#algorithm = new SchedulingAlgorithm(schedulingContext, this.#nominated, random);
    this.#writer = new PodWriter(context, this.#informers.pods, this.#stopped.signal);
  }

  start(): void {
    const generation = ++this.#generation;
    this.#workloads.informer.start();
    const synced = [this.#informers.start(), this.#workloads.informer.hasSynced, this.#resources.start()];
    void Promise.all(synced).then(() => {
      if (generation !== this.#generation) return;
      this.#isSynced = true;
      this.#wake();
    });
  }

  reset(): void {
    this.#isSynced = false;
    this.#queue.clear();
    this.#nominated.clear();
    this.#resources.reset();
    this.#cache.clear();
    this.#informers.reset();
    this.#workloads.informer.reset();
    this.start();
  }

  async close(): Promise<void> {
    this.#generation++;
    this.#isSynced = false;
    this.#stopped.abort();
    this.#queue.close();
    this.#informers.close();
    this.#workloads.informer.close();
    this.#resources.close();
    await this.#running;
    while (this.#writes.size > 0) await Promise.all(this.#writes);
  }

  #wake(): void {
    if (!this.#isSynced || this.#running) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      // A pod may have become active while the promise resolved.
      if (this.#queue.hasActive) this.#wake();
    });
  }

  /** Schedules pods until the queue has no active one. */
  async #run(): Promise<void> {
    // Pods that arrive together are scheduled by priority.
    await new Promise<void>((resolve) => setImmediate(resolve));
    for (;;) {
      await this.#yielder.next();
      while (this.#bindings >= maxConcurrentBindings) await Promise.race(this.#writes);
      const queued = this.#isSynced ? this.#queue.pop() : undefined;
      if (!queued) return;
      try {
        this.#schedule(queued);
      } catch (error) {
        this.#context.logger.warn({ err: error, object: queued.key }, 'scheduling failed, retrying');
        this.#queue.retryLater(queued);
      }
    }
  }

  #schedule(queued: QueuedPod): void {
    const object = this.#informers.pods.getByKey(queued.key)?.tryDecodeLazily();
    const profile = object && this.#profiles.get(object.spec.schedulerName ?? '');
    if (!profile || !isSchedulable(object, queued)) {
      this.#queue.done(queued);
      return;
    }
    const pod = pendingPod(object, this.#nominated.nodeOf(queued.uid));
    if (usesDevices(profile) && this.#resources.isWaiting(pod)) {
      this.#queue.addWaiting(queued, dynamicResources.name);
      return;
    }
    const result = this.#place(queued, pod, profile);
    if (!result) return;
    if ('node' in result) this.#startBinding(queued, pod, result.node, profile);
    else this.#fail(queued, pod, profile, result);
  }

  /** Returns undefined if a plugin failed. */
  #place(queued: QueuedPod, pod: PendingPod, profile: Profile): SchedulingResult | undefined {
    try {
      return this.#algorithm.schedule(pod, profile);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      this.#queue.retryLater(queued);
      const { message } = error;
      const failure = { reason: 'SchedulerError', message, nominatedNodeName: '' } as const;
      this.#track(this.#recordFailure(pod, profile, failure));
      return undefined;
    }
  }

  /** Assumes that the pod runs on the node, and binds it. */
  #startBinding(queued: QueuedPod, pod: PendingPod, node: NodeInfo, profile: Profile): void {
    const reservation = this.#resources.reserve(pod, node, profile);
    this.#cache.assume(pod, node.name);
    this.#nominated.delete(pod.uid);
    this.#bindings++;
    this.#track(this.#bind(queued, pod, node.name, reservation, profile).finally(() => this.#bindings--));
  }

  async #bind(
    queued: QueuedPod,
    pod: PendingPod,
    nodeName: string,
    reservation: PodReservation,
    profile: Profile,
  ): Promise<void> {
    try {
      const limits = { timeoutMs: profile.bindTimeoutMs, signal: this.#stopped.signal };
      await this.#resources.prepare(reservation, pod, nodeName, limits);
      await this.#writer.bind(pod, nodeName);
    } catch (error) {
      return this.#undoBinding(queued, pod, profile, reservation, error as Error);
    } finally {
      this.#resources.release(reservation);
    }
    this.#queue.done(queued);
    this.#writer.recordEvent(pod, profile.schedulerName, {
      type: 'Normal',
      reason: 'Scheduled',
      action: 'Binding',
      message: `Successfully assigned ${pod.key} to ${nodeName}`,
    });
  }

  async #undoBinding(
    queued: QueuedPod,
    pod: PendingPod,
    profile: Profile,
    reservation: PodReservation,
    error: Error,
  ): Promise<void> {
    this.#cache.forget(pod);
    this.#queue.moveOn('AssignedPodDelete');
    if (this.#stopped.signal.aborted) return;
    await this.#resources.unreserve(reservation, pod);
    // The pod is gone.
    if (error instanceof ApiError && error.code === 404) return this.#queue.done(queued);
    this.#queue.retryLater(queued);
    const bindFailure = `binding rejected: running Bind plugin "DefaultBinder": ${error.message}`;
    const message = error instanceof PreBindError ? error.message : bindFailure;
    await this.#recordFailure(pod, profile, { reason: 'SchedulerError', message, nominatedNodeName: '' });
  }

  #fail(
    queued: QueuedPod,
    pod: PendingPod,
    profile: Profile,
    { fitError, filters }: { readonly fitError: FitError; readonly filters: NodeFilters | undefined },
  ): void {
    const result = this.#preempt(pod, profile, fitError, filters);
    const candidate = result && 'candidate' in result ? result.candidate : undefined;
    const nominatedNodeName = nominationAfter(result);
    if (nominatedNodeName !== undefined) this.#nominated.set(pod, nominatedNodeName);
    // Before the victims are deleted, because their deletion makes the pod active again.
    this.#queue.addUnschedulable(queued, rejectingPlugins(fitError));
    const claim = profile.deallocatesClaims ? filters?.claimToDeallocate() : undefined;
    const hasClaims = pod.resourceClaims.length > 0 && usesDevices(profile) && profile.deallocatesClaims;
    const postFilterMessages = [
      ...(hasClaims && fitError.allNodes > 0 ? [deallocationMessage(filters, claim)] : []),
      ...(result && 'message' in result ? [result.message] : []),
    ];
    const hasMessage = postFilterMessages.length > 0 && !candidate;
    const postFilterMessage = hasMessage ? ` ${postFilterMessages.join(', ')}` : '';
    const message = `${fitErrorMessage(fitError)}${postFilterMessage}`;
    const failure = { reason: 'Unschedulable', message, nominatedNodeName } as const;
    this.#track(this.#recordFailure(pod, profile, failure));
    if (claim) this.#track(this.#resources.deallocate(claim));
    if (candidate) this.#track(this.#deleteVictims(queued, pod, profile, candidate));
  }

  /** Undefined without nodes, and if the profile has no preemption. */
  #preempt(
    pod: PendingPod,
    { preemption: args }: Profile,
    fitError: FitError,
    filters: NodeFilters | undefined,
  ): PreemptionResult | undefined {
    if (fitError.allNodes === 0 || !args) return undefined;
    return preempt({
      pod,
      nominatedNodeName: pod.nominatedNodeName,
      fitError,
      filters,
      cluster: this.#cache,
      args,
      budgets: () =>
        this.#budgets
          .list()
          .flatMap((budget) => budget.tryDecodeLazily() ?? [])
          .map(toBudget),
      random: this.#random,
    });
  }

  async #recordFailure(
    pod: PendingPod,
    { schedulerName }: Profile,
    failure: SchedulingFailure,
  ): Promise<void> {
    this.#writer.recordEvent(pod, schedulerName, {
      type: 'Warning',
      reason: 'FailedScheduling',
      action: 'Scheduling',
      message: failure.message,
    });
    await this.#writer.recordFailure(pod, failure);
  }

  async #deleteVictims(
    queued: QueuedPod,
    pod: PendingPod,
    { schedulerName }: Profile,
    { nodeName, victims }: Candidate,
  ): Promise<void> {
    // Nominated pods of lower priority may no longer fit, and look for another node.
    for (const other of [...this.#nominated.onNode(nodeName)]) {
      if (other.priority >= pod.priority) continue;
      this.#nominated.delete(other.uid);
      this.#queue.retryNow(other.key);
      await this.#writer.clearNomination(other);
    }
    try {
      const waiting = victims.filter(({ isTerminating }) => !isTerminating);
      await Promise.all(waiting.map((victim) => this.#writer.preempt(victim, { ...pod, schedulerName })));
    } catch (error) {
      this.#queue.retryNow(queued.key);
      throw error;
    }
  }

  /** Follows a write until it ends, and logs its failure. */
  #track(write: Promise<void>): void {
    const tracked = write
      .catch((error: unknown) => {
        // The pod changed concurrently: its next attempt writes again.
        if (error instanceof ApiError && (error.code === 409 || error.code === 404)) return;
        this.#context.logger.warn({ err: error }, 'a write of the scheduler failed');
      })
      .finally(() => this.#writes.delete(tracked));
    this.#writes.add(tracked);
  }
}

const usesDevices = ({ filters }: Profile) => filters.includes(dynamicResources);

/** The message of PostFilter of the plugin DynamicResources. */
function deallocationMessage(filters: NodeFilters | undefined, claim: ResourceClaim | undefined): string {
  if (!filters) return 'no new claims to deallocate';
  return claim ? 'deallocation of ResourceClaim completed' : 'still not schedulable';
}

/** The nomination to set: '' clears it, undefined keeps it. */
function nominationAfter(result: PreemptionResult | undefined): string | undefined {
  if (!result) return '';
  if ('candidate' in result) return result.candidate.nodeName;
  return result.keepsNomination ? undefined : '';
}

/** The pod may have been bound, deleted or created again since it was queued. */
const isSchedulable = ({ metadata, spec, status }: Pod, { uid }: QueuedPod) =>
  metadata.uid === uid &&
  !spec.nodeName &&
  metadata.deletionTimestamp === undefined &&
  status?.phase !== 'Succeeded' &&
  status?.phase !== 'Failed';
