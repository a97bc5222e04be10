import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readOptions } from '../options.ts';
import { Results, type RowName, rowsOf } from '../rows.ts';
import { scaleOf } from '../scale.ts';
import { ratioChart } from './chart.ts';
import { aimReached, ratioOf } from './format.ts';
import { asMarkdown, detailTable, memoryTable, ratioTable } from './tables.ts';

const rows = rowsOf(scaleOf(readOptions([])));
const rowNamed = (name: RowName) => rows.find((row) => row.name === name)!;

function measured(): Results {
  const results = new Results();
  for (const value of [16_000, 15_000, 90_000])
    results.add('get', 'orch', { value, p99Milliseconds: 9, serverCores: 0.8 });
  for (const value of [3_000, 3_200, 2_900]) results.add('get', 'reference', { value, failures: 2 });
  results.add('memory-idle', 'orch', { value: 150, anonymousMB: 100, mappedMB: 50 });
  results.add('memory-idle', 'reference', { value: 300, anonymousMB: 200, mappedMB: 100 });
  results.add('start-empty', 'orch', { value: 0.4 });
  results.add('start-empty', 'reference', { value: 4 });
  return results;
}

test('a ratio compares medians and is above one if Orch is better, for both directions', () => {
  const results = measured();
  const ratio = (name: RowName) =>
    ratioOf(rowNamed(name), results.of(name, 'orch'), results.of(name, 'reference'));
  assert.equal(ratio('get'), 16_000 / 3_000);
  assert.equal(ratio('memory-idle'), 2);
  assert.equal(ratio('list-all'), undefined);
});

test('an aim in times needs both sides, an aim below a value only Orch', () => {
  const results = measured();
  const reached = (name: RowName, reference: string) =>
    aimReached(rowNamed(name), results.of(name, 'orch'), results.of(name, reference));
  assert.equal(reached('get', 'reference'), true);
  assert.equal(reached('memory-idle', 'reference'), false);
  assert.equal(reached('get', 'nobody'), undefined);
  assert.equal(reached('start-empty', 'nobody'), true);
});

test('the tables contain medians, ratios, aims, spread and failures', () => {
  const results = measured();
  const table = asMarkdown(ratioTable(rows, results));
  assert.match(
    table,
    /\| get one object \| gets\/s \| 16,000 \| 3,000 \| 50.0 \| {2}\| 5\.33× \| 5× \| yes \|/,
  );
  assert.match(table, /\| list 10,000, whole \| lists\/s \| – \| – \| {2}\| {2}\| – \| 5× \| {2}\|/);
  const details = detailTable(rows, results);
  assert.deepEqual(details[1]?.slice(0, 3), ['get one object', 'Orch', '15,000 – 90,000']);
  assert.equal(details[2]?.at(-1), '2.00');
  assert.deepEqual(memoryTable(rows, results)[1], [
    'memory, idle and empty',
    'anonymous',
    '100',
    '200',
    '2.00×',
  ]);
});

test('the chart has one bar per ratio and escapes text', () => {
  const chart = ratioChart(rows, measured(), '2 cores & <nothing> else');
  assert.equal(chart.match(/height="20"/g)?.length, 3);
  assert.match(chart, /2 cores &amp; &lt;nothing&gt; else/);
  assert.match(chart, /aim &lt; 0\.5 s/);
});
