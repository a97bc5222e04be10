import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { orch } from '../../src/dialect/index.ts';
import type { Metric } from '../../src/telemetry/metric.ts';
import { metricTable } from '../../src/telemetry/metric-table.ts';

// Cells are padded for alignment; padding is ignored.
const page = readFileSync('docs/reference/metrics.md', 'utf8').replace(/ +\|/g, ' |');

test('docs/reference/metrics.md has every metric with its type, level, labels and meaning, and no other', () => {
  const expected = Object.entries<Metric>(metricTable).map(([key, metric]) => {
    const { type, level, labels = [], help, branded, deprecated } = metric;
    const name = branded ? `${orch.metricPrefix}_${key}` : key;
    const labelList = labels.map((label) => `\`${label}\``).join(', ') || '-';
    const since = deprecated === undefined ? '' : ` Deprecated since ${deprecated.since}.`;
    return `| \`${name}\` | ${type} | ${level === 'NONE' ? '-' : level} | ${labelList} | ${help}${since} |`;
  });
  const rows = page.split('\n').filter((line) => line.startsWith('| `') && !line.startsWith('| `--'));
  assert.deepEqual(rows, expected);
});
