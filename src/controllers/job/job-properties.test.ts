// Properties of the decisions of the Job controller, in a model of a Job and its pods. Reconciliations may be interrupted anywhere.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Job } from '../../apis/batch/job.ts';
import type { Pod } from '../../apis/core/pod.ts';
import { orch } from '../../dialect/orch.ts';
import { noBackoff } from './failure-backoff.ts';
import { countReleased, trackFinishedPods } from './finished-pods.ts';
import { IndexRanges } from './index-ranges.ts';
import { completionsReached, decideOutcome } from './job-outcome.ts';
import { jobPod } from './job-pods.ts';
import { type JobProgress, jobProgress } from './job-progress.ts';
import { planPods } from './pod-plan.ts';

interface Step {
  readonly event: 'succeed' | 'fail' | 'delete' | 'duplicate' | 'reconcile';
  /** Which pod. */
  readonly choice: number;
  /** A reconciliation stops after this many writes. */
  readonly writes: number;
}

const steps = fc.array(
  fc.record<Step>({
    event: fc.constantFrom(
      'succeed',
      'succeed',
      'fail',
      'delete',
      'duplicate',
      'reconcile',
      'reconcile',
      'reconcile',
    ),
    choice: fc.nat(20),
    writes: fc.oneof(fc.nat(12), fc.constant(1000)),
  }),
  { maxLength: 60 },
);

class Interrupted extends Error {}

class Model {
  job: Job;
  pods: Pod[] = [];
  /** The uids of pods that have finished. Deleted pods are included, unless the Job replaces only failed pods. */
  readonly ended = new Set<string>();
  readonly succeededIndexes = new Set<number>();
  readonly #onlyReplaceFailed: boolean;
  #created = 0;
  #writesLeft = 0;

  constructor(spec: Partial<Job['spec']>) {
    this.job = {
      metadata: { name: 'j', namespace: 'n', uid: 'u' },
      spec: { backoffLimit: 2 ** 31 - 1, template: { metadata: {}, spec: {} }, ...spec },
      status: { startTime: '2026-01-01T00:00:00Z' },
    } as unknown as Job;
    this.#onlyReplaceFailed = spec.podReplacementPolicy === 'Failed';
  }

  get progress(): JobProgress {
    const options = { dialect: orch, onlyReplaceFailed: this.#onlyReplaceFailed };
    return jobProgress(
      this.job,
      this.pods.map((pod) => jobPod(this.job, pod, options)),
    );
  }

  run({ event, choice, writes }: Step): void {
    const active = this.progress.active;
    const chosen = active[choice % Math.max(1, active.length)];
    if (event === 'reconcile') this.reconcile(writes);
    else if (event === 'duplicate' && chosen && this.job.spec.completionMode === 'Indexed')
      this.#add(chosen.index);
    else if (chosen && event !== 'duplicate') this.#end(chosen.uid, event);
  }

  #end(uid: string, event: Step['event']): void {
    if (event !== 'delete' || !this.#onlyReplaceFailed) this.ended.add(uid);
    this.pods = this.pods.map((pod) => {
      if (pod.metadata.uid !== uid) return pod;
      if (event === 'delete') {
        return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
      }
      const index = pod.metadata.annotations?.[orch.labels.jobCompletionIndex];
      if (event === 'succeed' && index !== undefined) this.succeededIndexes.add(Number(index));
      return { ...pod, status: { phase: event === 'succeed' ? 'Succeeded' : 'Failed' } };
    });
  }

  #add(index: number | undefined): void {
    const uid = `p${this.#created++}`;
    const annotations = index === undefined ? {} : { [orch.labels.jobCompletionIndex]: String(index) };
    const finalizers = [orch.finalizers.jobTracking];
    const metadata = { name: uid, namespace: 'n', uid, annotations, finalizers };
    this.pods.push({ metadata, spec: {}, status: { phase: 'Running' } } as unknown as Pod);
  }

  #write(write: () => void): void {
    if (this.#writesLeft-- <= 0) throw new Interrupted();
    write();
  }

  reconcile(writes: number): void {
    this.#writesLeft = writes;
    try {
      this.#reconcile();
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error;
    }
  }

  /** The order of writes of JobController. */
  #reconcile(): void {
    const { progress } = this;
    const now = 0;
    assert.equal(decideOutcome(progress, now), undefined);
    const plan = planPods(progress, { backoff: noBackoff, onlyReplaceFailed: this.#onlyReplaceFailed, now });
    assert.ok(plan.toDelete.length === 0 || plan.toCreate === 0);
    for (const { uid } of plan.toDelete) {
      this.#write(() => {
        this.pods = this.pods.filter(({ metadata }) => metadata.uid !== uid);
      });
    }
    for (let n = 0; n < plan.toCreate; n++) this.#write(() => this.#add(plan.indexes?.[n]));
    const { completions } = this.job.spec;
    const isComplete =
      plan.toCreate === 0 &&
      progress.active.length === plan.toDelete.length &&
      (completions === undefined ? progress.succeeded > 0 : progress.succeeded >= completions);
    const outcome = isComplete ? completionsReached : undefined;
    const { status, toRelease } = trackFinishedPods(progress, outcome, this.job.status);
    this.#write(() => {
      this.job = { ...this.job, status };
    });
    for (const { uid } of toRelease) {
      this.#write(() => {
        // A terminating pod is gone when it has no finalizer any more.
        this.pods = this.pods
          .filter(({ metadata }) => metadata.uid !== uid || metadata.deletionTimestamp === undefined)
          .map((pod) =>
            pod.metadata.uid === uid ? { ...pod, metadata: { ...pod.metadata, finalizers: [] } } : pod,
          );
      });
    }
    const tracked = this.progress.pods.filter(({ isTracked }) => isTracked).map(({ uid }) => uid);
    this.#write(() => {
      this.job = { ...this.job, status: countReleased(status, new Set(tracked)) };
    });
  }

  /** Ends all pods, and reconciles until nothing changes. */
  settle(): void {
    for (const { uid } of this.progress.pods.filter(({ state }) => state === 'terminating'))
      this.#end(uid, 'fail');
    for (let n = 0; n < 5; n++) this.reconcile(1000);
  }
}

const specs = fc.record({
  parallelism: fc.nat(6),
  completions: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  completionMode: fc.constantFrom('Indexed' as const, 'NonIndexed' as const),
  podReplacementPolicy: fc.constantFrom('Failed' as const, 'TerminatingOrFailed' as const),
});

const validSpecs = specs.filter(
  ({ completionMode, completions }) => completionMode === 'NonIndexed' || completions !== undefined,
);

test('there are never more active pods than parallelism, nor with podReplacementPolicy Failed more pods that have not ended', () => {
  fc.assert(
    fc.property(validSpecs, steps, (spec, events) => {
      const model = new Model(spec as Partial<Job['spec']>);
      for (const step of events) {
        if (step.event === 'duplicate') continue;
        model.run(step);
        const { active, terminating } = model.progress;
        const counted = spec.podReplacementPolicy === 'Failed' ? active.length + terminating : active.length;
        assert.ok(counted <= spec.parallelism);
        if (spec.completionMode === 'Indexed') {
          assert.equal(new Set(active.map(({ index }) => index)).size, active.length);
        }
      }
    }),
    { numRuns: 300 },
  );
});

test('each finished pod is counted exactly once, wherever reconciliations are interrupted', () => {
  fc.assert(
    fc.property(validSpecs, steps, (spec, events) => {
      const model = new Model({ ...spec, completionMode: 'NonIndexed' } as Partial<Job['spec']>);
      for (const step of events) {
        model.run(step);
        const { succeeded = 0, failed = 0, uncountedTerminatedPods: uncounted } = model.job.status;
        const pending = (uncounted?.succeeded ?? []).length + (uncounted?.failed ?? []).length;
        assert.ok(succeeded + failed + pending <= model.ended.size);
      }
      model.settle();
      const { succeeded = 0, failed = 0, uncountedTerminatedPods } = model.job.status;
      assert.deepEqual(uncountedTerminatedPods, {});
      assert.equal(succeeded + failed, model.ended.size);
    }),
    { numRuns: 300 },
  );
});

test('each index that has succeeded is completed once, also if several pods have it', () => {
  fc.assert(
    fc.property(validSpecs, steps, ({ completions = 5, ...spec }, events) => {
      const model = new Model({ ...spec, completions, completionMode: 'Indexed' } as Partial<Job['spec']>);
      for (const step of events) model.run(step);
      model.settle();
      const { completedIndexes, succeeded } = model.job.status;
      assert.equal(completedIndexes, String(IndexRanges.of(model.succeededIndexes)));
      assert.equal(succeeded, model.succeededIndexes.size);
    }),
    { numRuns: 300 },
  );
});
