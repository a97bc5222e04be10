// Random runs: workloads change, pods become ready, fail and disappear, time passes, and the leader restarts, while every change of a pod is
// checked. Afterwards all pods become ready, and every workload must reach its goal.
import { Random } from './random.ts';
import { appLabel, isActive, randomWorkload, template, type Workload } from './workloads.ts';
import { type CreatedObject, type PodState, World } from './world.ts';

const name = 'w';
/** Changes of each workload before it is left alone. */
const changesPerRun = 12;
const maxClosingRounds = 60;
const maxClockMs = 30_000;

export interface RunOptions {
  readonly firstSeed: number;
  /** Workloads that run at the same time, each in its own namespace. */
  readonly workloads: number;
}

/** Resolves to what was wrong, with the seed of each workload. */
export async function runWorkloads({ firstSeed, workloads }: RunOptions): Promise<string[]> {
  const problems: string[] = [];
  const runs = new Map<string, WorkloadRun>();
  const world = await World.start((namespace, current, previous) =>
    runs.get(namespace)?.observe(current, previous),
  );
  const random = new Random(firstSeed);
  try {
    for (let index = 0; index < workloads; index++) {
      const run = new WorkloadRun(world, firstSeed + index, problems);
      runs.set(run.namespace, run);
      await run.create();
    }
    await world.settle();
    for (let round = 0; round < changesPerRun; round++) {
      for (const run of runs.values()) run.beginRound();
      await Promise.all([...runs.values()].map((run) => run.change()));
      if (random.below(4) === 0) await world.restart();
      else if (random.below(3) === 0) world.clock.advance(random.below(maxClockMs));
      await world.settle();
    }
    await close(world, [...runs.values()], problems);
  } finally {
    await world.stop();
  }
  return problems;
}

/** Makes all pods ready, or finishes them, until every workload has reached its goal. */
async function close(world: World, runs: readonly WorkloadRun[], problems: string[]): Promise<void> {
  let waiting = runs;
  for (let round = 0; round < maxClosingRounds && waiting.length > 0; round++) {
    for (const run of waiting) run.beginRound();
    await Promise.all(waiting.map((run) => run.help()));
    world.clock.advance(maxClockMs);
    await world.settle();
    const isDone = await Promise.all(waiting.map((run) => run.isComplete()));
    waiting = waiting.filter((_, index) => !isDone[index]);
  }
  for (const run of waiting) problems.push(`${run}: not complete: ${JSON.stringify(await run.status())}`);
}

class WorkloadRun {
  readonly namespace: string;
  readonly #world: World;
  readonly #workload: Workload;
  readonly #random: Random;
  readonly #problems: string[];
  readonly #seed: number;
  /** Pods that this run deletes, by uid: the controller has not. */
  readonly #deleted = new Set<string>();
  #sizes: number[];
  #image = 'i';

  constructor(world: World, seed: number, problems: string[]) {
    this.#world = world;
    this.#seed = seed;
    this.#problems = problems;
    this.#random = new Random(seed ^ 0x5bd1e995);
    this.#workload = randomWorkload(seed);
    this.#sizes = [this.#workload.size];
    this.namespace = `run-${seed}`;
  }

  toString(): string {
    return `${this.#workload.kind} of seed ${this.#seed}`;
  }

  async create(): Promise<void> {
    const { client } = this.#world;
    const { namespace } = this;
    const { apiVersion, kind, spec } = this.#workload;
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };
    await client.create(space as CreatedObject);
    await client.create({
      apiVersion,
      kind,
      metadata: { namespace, name },
      spec,
    } as unknown as CreatedObject);
  }

  /** From now on only the current size counts. */
  beginRound(): void {
    this.#sizes = this.#sizes.slice(-1);
  }

  observe(current: PodState | undefined, previous: PodState | undefined): void {
    const situation = { pods: this.#world.podsOf(this.namespace), sizes: this.#sizes };
    const isNew = current !== undefined && previous?.uid !== current.uid;
    if (isNew) this.#report(this.#workload.checkCreated(current, situation), 'created', current);
    const wasDeleted = previous && !previous.isTerminating && (!current || current.isTerminating || isNew);
    if (wasDeleted && !this.#deleted.has(previous.uid)) {
      this.#report(this.#workload.checkDeleted(previous, situation), 'deleted', previous);
    }
  }

  #report(problem: string | undefined, what: string, pod: PodState): void {
    if (problem !== undefined) this.#problems.push(`${this}: ${pod.name} ${what}: ${problem}`);
  }

  /** One random change, by a user or a kubelet. */
  async change(): Promise<void> {
    const active = this.#world.podsOf(this.namespace).filter(isActive);
    const pod = this.#random.of(active);
    switch (this.#random.below(11)) {
      case 0:
        return this.#scale(this.#random.below(7));
      case 1:
      case 2:
        return this.#update(this.#random.of(['i', 'j', 'k'])!);
      case 3:
        return pod && this.#setStatus(pod, 'Running', false);
      case 4:
        return pod && this.#setStatus(pod, 'Failed', false);
      case 5:
        return pod && this.#deletePod(pod);
      case 6:
        return pod && this.#workload.kind !== 'Job' ? this.#hold(pod) : undefined;
      default:
        return this.help();
    }
  }

  /** Makes pods ready, finishes those of Jobs, and lets terminating ones go. */
  async help(): Promise<void> {
    for (const pod of this.#world.podsOf(this.namespace)) {
      const isOfJob = this.#workload.kind === 'Job';
      // Pods of Jobs have a finalizer of the controller.
      if (pod.isTerminating && !isOfJob) await this.#patch(pod, { metadata: { finalizers: null } });
      else if (!isActive(pod)) continue;
      else if (isOfJob) await this.#setStatus(pod, 'Succeeded', false);
      else if (!pod.isReady) await this.#setStatus(pod, 'Running', true);
    }
  }

  async status(): Promise<Record<string, unknown>> {
    const { apiVersion, kind } = this.#workload;
    const { namespace } = this;
    const found = await this.#world.client.get({ apiVersion, kind, namespace, name });
    return (found as unknown as { status: Record<string, unknown> }).status;
  }

  async isComplete(): Promise<boolean> {
    const status = await this.status();
    const size = this.#sizes.at(-1)!;
    const count = (field: string) => Number(status[field] ?? 0);
    switch (this.#workload.kind) {
      case 'Job':
        return count('succeeded') > 0 && status.completionTime !== undefined;
      case 'DaemonSet':
        return ['numberAvailable', 'updatedNumberScheduled'].every((field) => count(field) === size);
      case 'Deployment':
        return ['replicas', 'availableReplicas', 'updatedReplicas'].every((field) => count(field) === size);
      default:
        return ['replicas', 'availableReplicas'].every((field) => count(field) === size);
    }
  }

  async #scale(size: number): Promise<void> {
    const { sizeField, kind } = this.#workload;
    // A Job with a parallelism of 0 would never end.
    const newSize = kind === 'Job' ? Math.max(1, size) : size;
    if (sizeField === undefined) return;
    this.#sizes.push(newSize);
    await this.#patchWorkload({ spec: { [sizeField]: newSize } });
  }

  async #update(image: string): Promise<void> {
    if (!this.#workload.mayUpdate || image === this.#image) return;
    this.#image = image;
    await this.#patchWorkload({ spec: { template: template(image) } });
  }

  #setStatus(pod: PodState, phase: string, isReady: boolean): Promise<void> {
    const lastTransitionTime = `${new Date(this.#world.clock.now()).toISOString().slice(0, 19)}Z`;
    const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False', lastTransitionTime }];
    return this.#patch(pod, { status: { phase, conditions } }, 'status');
  }

  async #deletePod(pod: PodState): Promise<void> {
    this.#deleted.add(pod.uid);
    const { namespace } = this;
    await ignoreMissing(
      this.#world.client.delete({ apiVersion: 'v1', kind: 'Pod', namespace, name: pod.name }),
    );
  }

  /** The pod will be terminating when it is deleted, until `help` lets it go. */
  #hold(pod: PodState): Promise<void> {
    return this.#patch(pod, { metadata: { finalizers: ['example.com/hold'], labels: appLabel } });
  }

  async #patch({ name: podName }: PodState, change: object, subresource?: string): Promise<void> {
    const { namespace } = this;
    const pod = { apiVersion: 'v1', kind: 'Pod', namespace, name: podName };
    await ignoreMissing(this.#world.client.patch(pod, change, subresource ? { subresource } : {}));
  }

  async #patchWorkload(change: object): Promise<void> {
    const { apiVersion, kind } = this.#workload;
    const { namespace } = this;
    await this.#world.client.patch({ apiVersion, kind, namespace, name }, change);
  }
}

/** The controller may have deleted the pod meanwhile. */
async function ignoreMissing(request: Promise<unknown>): Promise<void> {
  try {
    await request;
  } catch (error) {
    const { code } = error as { code?: number };
    if (code !== 404 && code !== 409) throw error;
  }
}
