import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone } from './time-zone.ts';

test('names of the tz database are time zones, also those that stand for another', () => {
  for (const name of ['UTC', 'Europe/Berlin', 'Europe/Kyiv', 'US/Pacific', 'Etc/GMT+5', 'EST5EDT', 'Zulu']) {
    assert.ok(isTimeZone(name), name);
  }
});

test('another case, an offset or the zone of the process is none', () => {
  for (const name of ['', 'utc', 'europe/berlin', 'us/pacific', '+01:00', 'Local', 'Nope/Where']) {
    assert.ok(!isTimeZone(name), name);
  }
});
