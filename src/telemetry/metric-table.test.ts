// The metric table agrees with the metrics of kube-apiserver.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { kubernetes } from '../dialect/index.ts';
import type { Metric } from './metric.ts';
import { metricTable } from './metric-table.ts';

type Recorded = Pick<Metric, 'type' | 'level'> & { readonly labels: readonly string[] };

/** What a kube-apiserver 1.33 has on `/metrics` and `/metrics/slis`, hidden ones included. */
const recorded: Readonly<Record<string, Recorded>> = JSON.parse(
  readFileSync(new URL('testdata/reference-metrics.json', import.meta.url), 'utf8'),
);

test('metrics of kube-apiserver have the same type, level and labels', () => {
  let compared = 0;
  for (const [key, { type, level, labels = [], branded }] of Object.entries<Metric>(metricTable)) {
    const name = branded ? `${kubernetes.metricPrefix}_${key}` : key;
    const theirs = Object.hasOwn(recorded, name) ? recorded[name] : undefined;
    if (theirs === undefined) continue;
    assert.deepEqual({ type, level, labels }, theirs, name);
    compared++;
  }
  assert.ok(compared > 30, String(compared));
});
