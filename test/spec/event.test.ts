import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const events = kind(http, '/apis/events.orch.io/v1/namespaces/default/events');

test('Event: eventTime is required, with microseconds', async () => {
  assert.equal((await events.valid()).eventTime, '2026-01-01T00:00:00.000000Z');
  await events.invalid({ eventTime: null }, 'eventTime');
});

test('Event: action, reason, reportingController and reportingInstance are not empty for new events', async () => {
  for (const field of ['action', 'reason', 'reportingController', 'reportingInstance']) {
    for (const missing of [null, '']) await events.invalid({ [field]: missing }, field);
  }
});

test('Event: action, reason and reportingInstance have at most 128 characters', async () => {
  for (const field of ['action', 'reason', 'reportingInstance']) {
    await events.valid({ [field]: 'x'.repeat(128) });
    await events.invalid({ [field]: 'x'.repeat(129) }, field);
    // Characters, not the bytes or code units that hold them.
    for (const character of ['ä', '語', '😀']) {
      await events.valid({ [field]: character.repeat(128) });
      await events.invalid({ [field]: character.repeat(129) }, field);
    }
  }
});

test('Event: note has at most 1 kB', async () => {
  assert.equal((await events.valid({ note: 'x'.repeat(1024) })).note, 'x'.repeat(1024));
  await events.invalid({ note: 'x'.repeat(1025) }, 'message');
});

test('Event: type is Normal or Warning and not empty for new events', async () => {
  for (const type of ['Normal', 'Warning']) await events.valid({ type });
  for (const type of [null, '', 'Odd']) await events.invalid({ type }, 'type');
});

test('Event: regarding is the object of the Event, related another one', async () => {
  const regarding = { kind: 'Pod', namespace: 'default', name: 'p' };
  const related = { kind: 'Node', name: 'n' };
  const event = await events.valid({ regarding, related });
  assert.deepEqual(event.regarding, regarding);
  assert.deepEqual(event.related, related);
});

test('Event: series is absent for a single one, and counts from there', async () => {
  const event = await events.create();
  assert.equal(event.series, undefined);
  const series = { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' };
  await events.invalidUpdate(event, { series: { ...series, count: 1 } }, 'series.count');
  await events.invalidUpdate(event, { series: { count: 2 } }, 'series.lastObservedTime');
  assert.deepEqual((await events.update(event, { series })).series, series);
});

test('Event: the deprecated fields are not allowed on new objects', async () => {
  const time = '2026-01-01T00:00:00Z';
  await events.invalid({ metadata: { name: 'n' }, deprecatedCount: 1 }, 'count');
  await events.invalid({ metadata: { name: 'n' }, deprecatedFirstTimestamp: time }, 'firstTimestamp');
  await events.invalid({ metadata: { name: 'n' }, deprecatedLastTimestamp: time }, 'lastTimestamp');
  await events.invalid({ metadata: { name: 'n' }, deprecatedSource: { component: 'c' } }, 'source');
});

test('Event: the core version has involvedObject for regarding, message for note and source for deprecatedSource', async () => {
  const core = kind(http, '/api/v1/namespaces/default/events');
  const time = '2026-01-01T00:00:00Z';
  await core.create({
    metadata: { name: 'older' },
    message: 'hello',
    count: 3,
    firstTimestamp: time,
    lastTimestamp: time,
    source: { component: 'c', host: 'h' },
  });
  const { body } = await http.get(`${events.collection}/older`);
  assert.deepEqual(body.regarding, { ...core.least.involvedObject! });
  assert.equal(body.note, 'hello');
  assert.equal(body.deprecatedCount, 3);
  assert.equal(body.deprecatedFirstTimestamp, time);
  assert.equal(body.deprecatedLastTimestamp, time);
  assert.deepEqual(body.deprecatedSource, { component: 'c', host: 'h' });
});
