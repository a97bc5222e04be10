import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { coreEvents } from '../core/event-definition.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { events } from './event.ts';

const core = coreEvents(orch);
const modern = events(orch);
const event = {
  regarding: { namespace: 'default', kind: 'Pod' },
  eventTime: '2020-01-01T00:00:00.000000Z',
  reportingController: 'example.com/controller',
  reportingInstance: 'one',
  action: 'Act',
  reason: 'Because',
  type: 'Normal',
};

test('a new event says when, by whom, what was done and why', () => {
  assert.deepEqual(tryCreate(modern, event).problems, []);
  const { eventTime } = event;
  const bare = tryCreate(modern, { regarding: event.regarding, eventTime, type: 'Normal' }).problems;
  assert.deepEqual(
    bare.filter((problem) => problem.endsWith('Required value')),
    ['reportingController', 'reportingInstance', 'action', 'reason'].map(
      (field) => `${field}: Required value`,
    ),
  );
  assert.ok(tryCreate(modern, { ...event, eventTime: null }).problems.includes('eventTime: Required value'));
});

test('its words are 128 characters at most and its note 1024', () => {
  const long = 'x'.repeat(129);
  assert.deepEqual(
    tryCreate(modern, {
      ...event,
      action: long,
      reason: long,
      reportingInstance: long,
      note: 'x'.repeat(1025),
    }).problems,
    [
      'reportingInstance: Invalid value: "": can have at most 128 characters',
      'action: Invalid value: "": can have at most 128 characters',
      'reason: Invalid value: "": can have at most 128 characters',
      'message: Invalid value: "": can have at most 1024 characters',
    ],
  );
});

test('its type is Normal or Warning, and the deprecated fields are not for new events', () => {
  assert.deepEqual(tryCreate(modern, { ...event, type: 'Odd', deprecatedCount: 1 }).problems, [
    'type: Invalid value: "": has invalid value: Odd',
    'count: Invalid value: "": needs to be unset',
  ]);
});

test('only the series of an event may change', () => {
  const series = { count: 2, lastObservedTime: '2020-01-01T00:00:01.000000Z' };
  assert.deepEqual(tryUpdate(modern, event, { ...event, series }).problems, []);
  assert.deepEqual(tryUpdate(modern, event, { ...event, series: { count: 1 } }).problems, [
    'series.count: Invalid value: "": should be at least 2',
    'series.lastObservedTime: Required value',
  ]);
  assert.deepEqual(tryUpdate(modern, event, { ...event, note: 'new' }).problems, [
    'message: Invalid value: "new": field is immutable',
  ]);
});

test('the core version keeps its older, milder rules', () => {
  const old = { involvedObject: { namespace: 'default' }, type: 'Odd', count: 3 };
  assert.deepEqual(tryCreate(core, old).problems, []);
  assert.deepEqual(tryUpdate(core, old, { ...old, message: 'new' }).problems, []);
  assert.deepEqual(tryCreate(core, { involvedObject: { namespace: 'other' } }).problems, [
    'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
  ]);
});

test('an event can be selected by its fields under the names of either version', () => {
  const { object } = tryCreate(core, {
    involvedObject: { namespace: 'default', kind: 'Pod' },
    source: { component: 'c' },
  });
  const fields = core.selectableFields!(object);
  assert.equal(fields['involvedObject.kind'], 'Pod');
  assert.equal(fields['regarding.kind'], 'Pod');
  assert.equal(fields.source, 'c');
});
