// Property test: watches with selectors receive the events that comparing each selector with each change gives.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { systemClock } from '../base/clock.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { matchesLabels, parseLabelSelector } from '../selectors/label-selector.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { Change, Draft } from '../store/store.ts';
import { decodePairs, encodePairs } from '../store/stored-object.ts';
import { jsonEvent, type Watch, type WatchFormat, WatchHub } from '../store/watch/hub.ts';
import { selectionOf } from './selection.ts';

const resource = { prefix: 'things', definition: { namespaced: true } };

const key = fc.constantFrom('a', 'b', 'c');
const value = fc.constantFrom('x', 'y', '');
const labelTerm = fc.oneof(
  key,
  key.map((name) => `!${name}`),
  fc.tuple(key, fc.constantFrom('=', '!='), value).map((parts) => parts.join('')),
  fc
    .tuple(key, fc.constantFrom('in', 'notin'), fc.array(value, { minLength: 1, maxLength: 3 }))
    .map(([name, operator, values]) => `${name} ${operator} (${values.join(',')})`),
);
const fieldTerm = fc
  .tuple(
    fc.constantFrom('metadata.name', 'metadata.namespace', 'spec.node'),
    fc.constantFrom('=', '!='),
    fc.constantFrom('1', '2', ''),
  )
  .map((parts) => parts.join(''));

const selectableFields = ['metadata.namespace', 'spec.node'];
const watch = fc.record({
  labels: fc.array(labelTerm, { maxLength: 3 }).map((terms) => parseLabelSelector(terms.join(','))),
  fields: fc
    .array(fieldTerm, { maxLength: 2 })
    .map((terms) => parseFieldSelector(terms.join(','), selectableFields)),
  namespace: fc.constantFrom('', '1'),
});
const state = fc.record({
  labels: fc.dictionary(key, value, { noNullPrototype: true }),
  fields: fc.constantFrom({}, { 'spec.node': '' }, { 'spec.node': '1' }, { 'spec.node': '2' }),
});
/** A new watch, the end of one, or a change of an object: null deletes it. */
const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ watch }) },
  { weight: 1, arbitrary: fc.record({ end: fc.nat(20) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      object: fc.constantFrom('1/1', '1/2', '2/1'),
      state: fc.option(state, { freq: 4 }),
    }),
  },
);

const format: WatchFormat = {
  id: 'json',
  event: (type, object) => jsonEvent(type, object.json),
  bookmark: () => Buffer.alloc(0),
};

function draftOf({
  labels,
  fields,
}: {
  labels: Record<string, string>;
  fields: Record<string, string>;
}): Draft {
  const start = '{"revision":"';
  return {
    json: Buffer.from(`${start}"}`),
    revisionOffset: start.length,
    listItemOffset: 0,
    labels: encodePairs(labels),
    selectableFields: encodePairs(fields),
    schemaFingerprint: 'm1',
  };
}

type WatchedStep = typeof watch extends fc.Arbitrary<infer T> ? T : never;

/** Evaluates the requirements one by one, on one state of an object. */
function isSelected({ labels, fields, namespace }: WatchedStep, objectKey: string, object: Change['object']) {
  const [, objectNamespace = '', name = ''] = objectKey.split('/');
  const pairs = decodePairs(object.selectableFields)
    .set('metadata.name', name)
    .set('metadata.namespace', objectNamespace);
  return (
    (namespace === '' || namespace === objectNamespace) &&
    matchesLabels(labels, decodePairs(object.labels)) &&
    fields.every(
      (requirement) => ((pairs.get(requirement.field) ?? '') === requirement.value) === requirement.equal,
    )
  );
}

function expectedEvent(request: WatchedStep, { key: objectKey, type, object, previous, revision }: Change) {
  const isNow = type !== 'deleted' && isSelected(request, objectKey, object);
  const wasBefore = previous !== undefined && isSelected(request, objectKey, previous);
  if (!isNow && !wasBefore) return [];
  return [`${isNow ? (wasBefore ? 'MODIFIED' : 'ADDED') : 'DELETED'} ${revision}`];
}

interface OpenedWatch {
  readonly hubWatch: Watch;
  readonly of: WatchedStep;
  readonly expected: string[];
  readonly received: string[];
}

test('an indexed watch receives what comparing its selectors with every change gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80, size: 'max' }), async (steps) => {
      const store = new MemoryStore({ clock: systemClock });
      const hub = new WatchHub(store, systemClock);
      const watches: OpenedWatch[] = [];
      const open = new Set<OpenedWatch>();
      for (const action of steps) {
        if ('watch' in action) {
          const { labels, fields, namespace } = action.watch;
          const received: string[] = [];
          const sink = {
            write(frame: Buffer) {
              for (const line of frame.toString().trim().split('\n')) {
                const event: { type: string; object: { revision: string } } = JSON.parse(line);
                received.push(`${event.type} ${event.object.revision}`);
              }
              return true;
            },
            buffered: () => 0,
            close() {},
          };
          const select = selectionOf(resource, labels, fields);
          const keyPrefix = namespace === '' ? 'things/' : `things/${namespace}/`;
          const request = { prefix: 'things', keyPrefix, select, bookmarks: false, format };
          const opened = {
            hubWatch: hub.watch({ ...request, start: 'now' }, sink),
            of: action.watch,
            expected: [],
            received,
          };
          watches.push(opened);
          open.add(opened);
        } else if ('end' in action) {
          const ended = watches[action.end];
          if (!ended || !open.delete(ended)) continue;
          // Flushes the events before the end, as it does for every resource.
          hub.endResource('none');
          ended.hubWatch.stop();
        } else {
          const objectKey = `things/${action.object}`;
          if (action.state === null && !store.get(objectKey)) continue;
          const draft = action.state && draftOf(action.state);
          const change = await store.commit({ prefix: 'things', key: objectKey, draft });
          for (const watched of open) watched.expected.push(...expectedEvent(watched.of, change));
        }
      }
      hub.close();
      for (const { expected, received } of watches) assert.deepEqual(received, expected);
      await store.close();
    }),
    { numRuns: 150 },
  );
});
