/** Conformance suite: random sequences of writes, checked against a plain map. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Change, PreconditionFailed, type Store, type View } from '../store.ts';
import { parsed, put, remove, summary } from './objects.ts';
import type { OpenStore } from './open-store.ts';

/** One write. */
interface Step {
  readonly key: string;
  /** Null: a deletion. */
  readonly data: string | null;
  /** The precondition, if any: the revision of the key in the model ('right'), or another one ('wrong'). */
  readonly expect: 'right' | 'wrong' | undefined;
  /** Whether the next step starts without waiting for this one. */
  readonly isConcurrent: boolean;
  /** Whether the state after the step is pinned, and read again at the end. */
  readonly pin: boolean;
}

/** An object in the model. */
interface ModelObject {
  readonly revision: number;
  readonly data: string;
}

const key = fc.constantFrom('things/a', 'things/b', 'things/ä', 'things/🙂', 'others/a', 'others/ns/a');
const steps = fc.array(
  fc.record<Step>({
    key,
    data: fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: null }),
    expect: fc.constantFrom(undefined, undefined, 'right', 'wrong'),
    isConcurrent: fc.boolean(),
    pin: fc.boolean(),
  }),
  { maxLength: 40 },
);

export function modelCases(open: OpenStore): void {
  test('any sequence of writes leaves what a plain map would hold', async () => {
    // Opening a store on disk is expensive: all runs share one, and each run clears it.
    const { store, ordersAllKeys } = await open();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await runSteps(store, ordersAllKeys ? sequence : sequence.map(separateFromOtherKeys));
      }),
      { numRuns: 60 },
    );
  });
}

/** Backends may order concurrent writes to different keys in any way, so only writes to one key run together. */
function separateFromOtherKeys(step: Step, index: number, sequence: readonly Step[]): Step {
  return sequence[index + 1]?.key === step.key ? step : { ...step, isConcurrent: false };
}

/** Applies the steps to the store and to the model, and compares state, changes, views and history. */
async function runSteps(store: Store, sequence: readonly Step[]): Promise<void> {
  const start = store.revision;
  const model = new Map<string, ModelObject>();
  const expected: unknown[][] = [];
  const delivered: Change[] = [];
  const pins: { view: View; contents: Map<string, ModelObject> }[] = [];
  const stop = store.subscribe((changes) => delivered.push(...changes));
  let revision = start;
  let pending: Promise<void>[] = [];
  for (const step of sequence) {
    const previous = model.get(step.key);
    const expect = step.expect && (previous?.revision ?? 0) + (step.expect === 'right' ? 0 : 1);
    const attempt =
      step.data === null
        ? remove(store, step.key, expect)
        : put(store, step.key, { data: step.data }, expect);
    const isRejected = step.expect === 'wrong' || (step.data === null && !previous);
    if (isRejected) {
      pending.push(assert.rejects(attempt, (error) => assertPreconditionFailed(error, previous)));
    } else {
      revision++;
      const [type, data] =
        step.data === null ? ['deleted', previous!.data] : [previous ? 'updated' : 'created', step.data];
      expected.push([revision, type, step.key.slice(0, step.key.indexOf('/')), step.key, data, previous]);
      if (step.data === null) model.delete(step.key);
      else model.set(step.key, { revision, data: step.data });
      const expectedRevision = revision;
      pending.push(attempt.then((change) => assert.equal(change.revision, expectedRevision)));
    }
    if (step.isConcurrent) continue;
    await Promise.all(pending);
    pending = [];
    assert.deepEqual(contentsOf(store), sorted(model));
    if (step.pin) pins.push({ view: store.pin(), contents: new Map(model) });
  }
  await Promise.all(pending);
  stop();
  assert.deepEqual(contentsOf(store), sorted(model));
  assert.deepEqual(delivered.map(summary), expected);
  for (const { view, contents } of pins) {
    assert.deepEqual(readAll(view), sorted(contents));
    view.release();
  }
  for (const after of [start, Math.floor((start + revision) / 2)]) {
    await store.compact(after);
    for (const prefix of ['things', 'others']) {
      const ofPrefix = expected.filter((change) => change[2] === prefix && Number(change[0]) > after);
      assert.deepEqual([...store.history(prefix, after)].map(summary), ofPrefix);
    }
  }
  await Promise.all([...model.keys()].map((remainingKey) => remove(store, remainingKey)));
}

/** Asserts that the error has the object of the model. Returns true, as `assert.rejects` requires. */
function assertPreconditionFailed(error: unknown, previous: ModelObject | undefined): boolean {
  assert.ok(error instanceof PreconditionFailed);
  assert.deepEqual(error.current && parsed(error.current), previous);
  return true;
}

function contentsOf(store: Store): [string, ModelObject][] {
  const view = store.pin();
  assert.equal(view.revision, store.revision);
  const contents = readAll(view);
  for (const [storedKey, object] of contents) assert.deepEqual(parsed(store.get(storedKey)!), object);
  view.release();
  return contents;
}

function readAll(view: View): [string, ModelObject][] {
  return [...view.range('')].map((object) => [object.key, parsed(object)]);
}

function sorted(model: Map<string, ModelObject>): [string, ModelObject][] {
  return [...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
