/** Conformance suite: random sequences of writes, checked against a plain map. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Change, PreconditionFailed, type Store, type View } from '../store.ts';
import { parsed, put, remove, summary } from './objects.ts';
import type { OpenStore } from './open-store.ts';

interface Step {
  readonly key: string;
  readonly data: string | null;
  /** Undefined: no precondition. 'right' and 'wrong' are computed from the model. */
  readonly expect: 'right' | 'wrong' | undefined;
  /** Whether the following steps run in the same event loop turn. */
  readonly together: boolean;
  readonly pin: boolean;
}

interface Held {
  readonly revision: number;
  readonly data: string;
}

const key = fc.constantFrom('things/a', 'things/b', 'things/ä', 'things/🙂', 'others/a', 'others/ns/a');
const steps = fc.array(
  fc.record<Step>({
    key,
    data: fc.option(fc.string({ unit: 'binary', maxLength: 40 }), { nil: null }),
    expect: fc.constantFrom(undefined, undefined, 'right', 'wrong'),
    together: fc.boolean(),
    pin: fc.boolean(),
  }),
  { maxLength: 40 },
);

export function modelCases(open: OpenStore): void {
  test('any sequence of writes leaves what a plain map would hold', async () => {
    // Opening a store on disk is expensive: all runs share one, and each run clears it.
    const { store, ordersAll } = await open();
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        await play(store, ordersAll ? sequence : sequence.map(apart));
      }),
      { numRuns: 60 },
    );
  });
}

/** Only writes to the same key share a turn. */
function apart(step: Step, at: number, sequence: readonly Step[]): Step {
  return sequence[at + 1]?.key === step.key ? step : { ...step, together: false };
}

async function play(store: Store, sequence: readonly Step[]): Promise<void> {
  const start = store.revision;
  const model = new Map<string, Held>();
  const expected: unknown[][] = [];
  const delivered: Change[] = [];
  const pins: { view: View; contents: Map<string, Held> }[] = [];
  const stop = store.subscribe((changes) => delivered.push(...changes));
  let revision = start;
  let underWay: Promise<void>[] = [];
  for (const step of sequence) {
    const before = model.get(step.key);
    const expect = step.expect && (before?.revision ?? 0) + (step.expect === 'right' ? 0 : 1);
    const attempt =
      step.data === null
        ? remove(store, step.key, expect)
        : put(store, step.key, { data: step.data }, expect);
    const isRefused = step.expect === 'wrong' || (step.data === null && !before);
    if (isRefused) {
      underWay.push(assert.rejects(attempt, (error) => isRefusal(error, before)));
    } else {
      revision++;
      const [type, data] =
        step.data === null ? ['deleted', before!.data] : [before ? 'updated' : 'created', step.data];
      expected.push([revision, type, step.key.slice(0, step.key.indexOf('/')), step.key, data, before]);
      if (step.data === null) model.delete(step.key);
      else model.set(step.key, { revision, data: step.data });
      const own = revision;
      underWay.push(attempt.then((change) => assert.equal(change.revision, own)));
    }
    if (step.together) continue;
    await Promise.all(underWay);
    underWay = [];
    assert.deepEqual(contentsOf(store), sorted(model));
    if (step.pin) pins.push({ view: store.pin(), contents: new Map(model) });
  }
  await Promise.all(underWay);
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
  await Promise.all([...model.keys()].map((left) => remove(store, left)));
}

function isRefusal(error: unknown, before: Held | undefined): boolean {
  assert.ok(error instanceof PreconditionFailed);
  assert.deepEqual(error.current && parsed(error.current), before);
  return true;
}

function contentsOf(store: Store): [string, Held][] {
  const view = store.pin();
  assert.equal(view.revision, store.revision);
  const contents = readAll(view);
  for (const [each, held] of contents) assert.deepEqual(parsed(store.get(each)!), held);
  view.release();
  return contents;
}

function readAll(view: View): [string, Held][] {
  return [...view.range('')].map((object) => [object.key, parsed(object)]);
}

function sorted(model: Map<string, Held>): [string, Held][] {
  return [...model].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}
