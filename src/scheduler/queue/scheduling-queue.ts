// The scheduling queue, upstream's PriorityQueue. A pod is in one of these places:
// - active: ready to be scheduled, by priority and then by time;
// - backoff: waits for the end of its backoff, and becomes active then;
// - unschedulable: no node is feasible; an event that may resolve its rejections, or the flush after five minutes, moves it;
// - gated: has scheduling gates, and waits for an update.
// A popped pod is in none of them until it is returned with addUnschedulable or retryLater, or done.
import { type Clock, every } from '../../base/clock.ts';
import type { FilterName } from '../plugins/plugin.ts';
import { type ClusterEvent, resolvedPlugins } from './cluster-event.ts';
import { Heap } from './heap.ts';

/** Upstream's podInitialBackoffSeconds and podMaxBackoffSeconds. */
export interface PodBackoff {
  readonly initialMs: number;
  readonly maxMs: number;
}

export const defaultBackoff: PodBackoff = { initialMs: 1_000, maxMs: 10_000 };
const flushIntervalMs = 30_000;
const maxUnschedulableMs = 5 * 60_000;

export interface QueuedPodSpec {
  /** `namespace/name`. */
  readonly key: string;
  readonly uid: string;
  readonly priority: number;
  readonly isGated: boolean;
}

type Place = 'active' | 'backoff' | 'unschedulable' | 'gated' | 'popped';

export interface QueuedPod extends QueuedPodSpec {
  place: Place;
  /** Scheduling attempts that failed. */
  attempts: number;
  /** When it was last added or returned to the queue, of `Clock.elapsed`. */
  queuedAtMs: number;
  /** The order of arrival, for equal times. */
  readonly sequence: number;
  /** The plugins that rejected it; empty if every event may help. */
  rejectedBy: ReadonlySet<FilterName>;
}

/** Pods that every event moves. */
const anyEvent = 'any';

export class SchedulingQueue {
  readonly #clock: Clock;
  readonly #onActive: () => void;
  readonly #podBackoff: PodBackoff;
  readonly #pods = new Map<string, QueuedPod>();
  /** The heaps may contain pods that are in another place by now; those are skipped. */
  readonly #active = new Heap<QueuedPod>(isBefore);
  readonly #backoff = new Heap<{ readonly pod: QueuedPod; readonly dueMs: number }>(
    (a, b) => a.dueMs < b.dueMs,
  );
  /** Unschedulable pods by plugin that rejected them. */
  readonly #unschedulable = new Map<FilterName | typeof anyEvent, Set<QueuedPod>>();
  #nextSequence = 0;
  #cancelBackoffTimer: (() => void) | undefined;
  readonly #stopFlushing: () => void;

  /** `onActive` is called when a pod has become active. */
  constructor(clock: Clock, onActive: () => void, podBackoff = defaultBackoff) {
    this.#clock = clock;
    this.#onActive = onActive;
    this.#podBackoff = podBackoff;
    this.#stopFlushing = every(clock, flushIntervalMs, () => this.#flush());
  }

  /** Adds a pod, or replaces it if it was created again. A known pod keeps its place. */
  add(spec: QueuedPodSpec): void {
    const known = this.#pods.get(spec.key);
    if (known && known.uid === spec.uid) return;
    this.delete(spec.key);
    const pod: QueuedPod = {
      ...spec,
      place: 'gated',
      attempts: 0,
      queuedAtMs: this.#clock.elapsed(),
      sequence: this.#nextSequence++,
      rejectedBy: new Set(),
    };
    this.#pods.set(spec.key, pod);
    if (!spec.isGated) this.#activate(pod);
  }

  /** The pod was changed so that it may be schedulable now. */
  update(spec: QueuedPodSpec): void {
    const known = this.#pods.get(spec.key);
    if (!known || known.uid !== spec.uid) this.add(spec);
    else if (known.place === 'gated' && !spec.isGated) this.#activate(known);
    else if (known.place === 'unschedulable') this.#makeReady(known);
  }

  /** The pod of this name in any place. */
  get(key: string): QueuedPodSpec | undefined {
    return this.#pods.get(key);
  }

  delete(key: string): void {
    const pod = this.#pods.get(key);
    if (!pod) return;
    this.#leaveUnschedulable(pod);
    pod.place = 'popped';
    this.#pods.delete(key);
  }

  get hasActive(): boolean {
    return this.#active.peek() !== undefined;
  }

  /** The active pod that is next; undefined if there is none. */
  pop(): QueuedPod | undefined {
    for (;;) {
      const pod = this.#active.pop();
      if (!pod) return undefined;
      if (pod.place !== 'active') continue;
      pod.place = 'popped';
      pod.attempts++;
      return pod;
    }
  }

  /** Returns a popped pod for which no node is feasible. */
  addUnschedulable(pod: QueuedPod, rejectedBy: ReadonlySet<FilterName>): void {
    if (!this.#isCurrent(pod)) return;
    pod.queuedAtMs = this.#clock.elapsed();
    pod.rejectedBy = rejectedBy;
    pod.place = 'unschedulable';
    for (const plugin of placesOf(pod)) {
      const pods = this.#unschedulable.get(plugin) ?? new Set();
      this.#unschedulable.set(plugin, pods.add(pod));
    }
  }

  /** Returns a popped pod that waits for an object, upstream's PreEnqueue: this was no attempt. */
  addWaiting(pod: QueuedPod, plugin: FilterName): void {
    pod.attempts--;
    this.addUnschedulable(pod, new Set([plugin]));
  }

  /** Returns a popped pod whose scheduling failed with an error: it is tried again after its backoff. */
  retryLater(pod: QueuedPod): void {
    if (!this.#isCurrent(pod)) return;
    pod.queuedAtMs = this.#clock.elapsed();
    this.#makeReady(pod);
  }

  /** Moves an unschedulable pod, whatever rejected it. */
  retryNow(key: string): void {
    const pod = this.#pods.get(key);
    if (pod?.place === 'unschedulable') this.#makeReady(pod);
  }

  /** A popped pod is scheduled, or need not be. */
  done(pod: QueuedPod): void {
    if (this.#isCurrent(pod)) this.#pods.delete(pod.key);
  }

  /** Moves the pods whose rejections an event may resolve. */
  moveOn(event: ClusterEvent): void {
    for (const plugin of [...resolvedPlugins(event), anyEvent] as const) {
      for (const pod of this.#unschedulable.get(plugin) ?? []) this.#makeReady(pod);
    }
  }

  clear(): void {
    this.#pods.clear();
    this.#active.clear();
    this.#backoff.clear();
    this.#unschedulable.clear();
    this.#cancelBackoffTimer?.();
    this.#cancelBackoffTimer = undefined;
  }

  close(): void {
    this.clear();
    this.#stopFlushing();
  }

  /** Whether a popped pod was neither deleted nor created again meanwhile. */
  #isCurrent(pod: QueuedPod): boolean {
    return this.#pods.get(pod.key) === pod;
  }

  /** Moves a pod to the active queue, or to the backoff queue while its backoff lasts. */
  #makeReady(pod: QueuedPod): void {
    this.#leaveUnschedulable(pod);
    const dueMs = pod.queuedAtMs + backoffMs(pod.attempts, this.#podBackoff);
    if (dueMs <= this.#clock.elapsed()) {
      this.#activate(pod);
      return;
    }
    pod.place = 'backoff';
    this.#backoff.push({ pod, dueMs });
    if (this.#backoff.peek()!.pod === pod) this.#startBackoffTimer();
  }

  #activate(pod: QueuedPod): void {
    pod.place = 'active';
    this.#active.push(pod);
    this.#onActive();
  }

  #leaveUnschedulable(pod: QueuedPod): void {
    if (pod.place !== 'unschedulable') return;
    for (const plugin of placesOf(pod)) {
      const pods = this.#unschedulable.get(plugin);
      pods?.delete(pod);
      if (pods?.size === 0) this.#unschedulable.delete(plugin);
    }
  }

  #startBackoffTimer(): void {
    this.#cancelBackoffTimer?.();
    const first = this.#backoff.peek();
    if (!first) return;
    const delayMs = Math.max(0, first.dueMs - this.#clock.elapsed());
    this.#cancelBackoffTimer = this.#clock.after(delayMs, () => this.#endBackoffs());
  }

  #endBackoffs(): void {
    this.#cancelBackoffTimer = undefined;
    for (;;) {
      const first = this.#backoff.peek();
      if (!first || first.dueMs > this.#clock.elapsed()) break;
      this.#backoff.pop();
      const { pod } = first;
      if (pod.place === 'backoff' && this.#isCurrent(pod)) this.#activate(pod);
    }
    this.#startBackoffTimer();
  }

  /** Retries pods that no event has moved for a long time. */
  #flush(): void {
    const oldestMs = this.#clock.elapsed() - maxUnschedulableMs;
    const stale = new Set([...this.#unschedulable.values()].flatMap((pods) => [...pods]));
    for (const pod of stale) if (pod.queuedAtMs < oldestMs) this.#makeReady(pod);
  }
}

const placesOf = ({ rejectedBy }: QueuedPod): Iterable<FilterName | typeof anyEvent> =>
  rejectedBy.size > 0 ? rejectedBy : [anyEvent];

/** Doubles with each attempt. */
export const backoffMs = (attempts: number, { initialMs, maxMs } = defaultBackoff) =>
  attempts === 0 ? 0 : Math.min(initialMs * 2 ** (attempts - 1), maxMs);

function isBefore(one: QueuedPod, other: QueuedPod): boolean {
  if (one.priority !== other.priority) return one.priority > other.priority;
  if (one.queuedAtMs !== other.queuedAtMs) return one.queuedAtMs < other.queuedAtMs;
  return one.sequence < other.sequence;
}
