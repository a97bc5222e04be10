// Tests of the report of the scale benchmark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineChart } from '../report/line-chart.ts';
import { plotLines, scaleTable } from './report.ts';

const results = new Map([
  [1_000, { get: 20, page: 90, restart: 400 }],
  [10_000, { get: 22, page: 95 }],
]);

test('the table has a column per number of objects, and empty cells for what was not measured', () => {
  const lines = scaleTable(results).split('\n');
  assert.equal(lines[0], '| objects | 1,000 | 10,000 |');
  assert.ok(lines.includes('| restart until ready, ms | 400 |  |'), lines.join('\n'));
});

test('the chart has a line per measured cost, with a point per number of objects', () => {
  const texts = { title: 'a < b', subtitle: '', xTitle: 'objects', yTitle: 'µs' };
  const svg = lineChart(plotLines(results), texts);
  assert.equal(svg.match(/<polyline/g)?.length, 2);
  assert.equal(svg.match(/<circle/g)?.length, 4);
  assert.ok(svg.includes('a &lt; b') && !svg.includes('NaN'));
});
