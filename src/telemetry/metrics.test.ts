// The metrics registry: rendering, deprecation and allow-lists.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usedHeapBytes } from '../base/used-heap.fixture.ts';
import { kubernetes } from '../dialect/index.ts';
import type { Metric } from './metric.ts';
import { Metrics, type MetricsOptions } from './metrics.ts';

const gauge = (help: string, labels: string[] = []): Metric => ({
  type: 'gauge',
  level: 'BETA',
  help,
  labels,
});

test('Metrics renders families by name, with their level and escaped label values', () => {
  const metrics = new Metrics({
    a_total: { type: 'counter', level: 'STABLE', help: 'First.', labels: ['code', 'path'] },
    b_now: { type: 'gauge', level: 'NONE', help: 'Second.' },
  });
  metrics.gauge('b_now').child().value = 2;
  const total = metrics.counter('a_total');
  total.child('200', 'a"b\\c\nd').value++;
  total.child('200', 'a"b\\c\nd').value++;
  assert.equal(
    metrics.render(),
    '# HELP a_total [STABLE] First.\n# TYPE a_total counter\na_total{code="200",path="a\\"b\\\\c\\nd"} 2\n' +
      '# HELP b_now [ALPHA] Second.\n# TYPE b_now gauge\nb_now 2\n',
  );
});

test('a histogram counts a value in every bucket it fits', () => {
  const metrics = new Metrics({
    s: { type: 'histogram', level: 'ALPHA', help: 'Sizes.', labels: ['verb'], buckets: [10, 1e6] },
  });
  const sizes = metrics.histogram('s');
  for (const size of [10, 11, 2e6]) sizes.child('GET').observe(size);
  assert.equal(
    metrics.render(),
    '# HELP s [ALPHA] Sizes.\n# TYPE s histogram\n' +
      's_bucket{verb="GET",le="10"} 1\ns_bucket{verb="GET",le="1e+06"} 2\ns_bucket{verb="GET",le="+Inf"} 3\n' +
      's_sum{verb="GET"} 2000021\ns_count{verb="GET"} 3\n',
  );
});

test('a family without children is omitted', () => {
  const metrics = new Metrics({ none: gauge('Nothing.', ['x']) });
  metrics.gauge('none');
  assert.equal(metrics.render(), '');
});

test('onRender runs before numbers are read', () => {
  const metrics = new Metrics({ now: gauge('Now.') });
  const now = metrics.gauge('now');
  metrics.onRender(() => {
    now.child().value = 7;
  });
  assert.match(metrics.render(), /^now 7$/m);
});

test('a metric is created with the type in the table', () => {
  const metrics = new Metrics({ now: gauge('Now.') });
  assert.throws(() => metrics.counter('now'), { message: 'now is a gauge, not a counter' });
});

/** A metric that was deprecated in 1.30, in a server of the release that is given. */
function aged(release: string, settings: Partial<MetricsOptions> = {}) {
  const deprecated = { introduced: '1.26', since: '1.30' };
  const warnings: string[] = [];
  const metrics = new Metrics(
    { old: { ...gauge('Old.'), deprecated } },
    { release, warn: (text) => warnings.push(text), ...settings },
  );
  const old = metrics.gauge('old');
  return { meters: metrics, old, warnings };
}

test('SPEC rule 11: a deprecated metric has a marked description and is logged once when recorded', () => {
  const { meters: metrics, old, warnings } = aged('1.32');
  assert.deepEqual(warnings, []);
  old.child().value++;
  old.child().value++;
  assert.match(metrics.render(), /^# HELP old \[BETA\] \(Deprecated from 1\.30\) Old\.$/m);
  assert.deepEqual(warnings, ['metric old: (Deprecated from 1.30) Old.']);
});

test('SPEC rule 11: a metric is hidden three releases after its deprecation, unless it is enabled', () => {
  for (const [release, settings, shown] of [
    ['1.30', {}, true],
    ['1.32', {}, true],
    ['1.33', {}, false],
    ['1.33', { showHidden: true }, true],
    ['1.33', { showHidden: true, disabled: ['old'] }, false],
    ['1.31', { dialect: kubernetes }, false],
  ] as const) {
    const { meters: metrics, old } = aged(release, settings);
    old.child().value++;
    assert.equal(metrics.render() !== '', shown, `${release} ${JSON.stringify(Object.keys(settings))}`);
  }
});

test('hidden and disabled metrics are counted but not rendered', () => {
  assert.deepEqual(aged('1.33').meters.summary, { registered: [], hidden: 1, disabled: 0, unexpected: 0 });
  const { summary } = aged('1.32', { disabled: ['other'] }).meters;
  assert.deepEqual(summary, {
    registered: [{ level: 'BETA', deprecatedSince: '1.30' }],
    hidden: 0,
    disabled: 1,
    unexpected: 0,
  });
});

test('label values that are not allowed are counted as unexpected', () => {
  const metrics = new Metrics(
    { asked: gauge('Asked.', ['code', 'verb']) },
    { allowedLabels: new Map([['asked', new Map([['code', new Set(['200'])]])]]) },
  );
  const asked = metrics.gauge('asked');
  for (const code of ['200', '404', '500']) asked.child(code, 'GET').value++;
  const text = metrics.render();
  assert.match(text, /^asked\{code="200",verb="GET"\} 1$/m);
  assert.match(text, /^asked\{code="unexpected",verb="GET"\} 2$/m);
  assert.doesNotMatch(text, /404|500/);
  assert.equal(metrics.summary.unexpected, 2);
});

test('metric names with the name of the service follow the dialect', () => {
  const table = { info: { ...gauge('Info.'), branded: true } } as const;
  for (const [settings, name] of [
    [{}, 'orch_info'],
    [{ dialect: kubernetes }, `${kubernetes.metricPrefix}_info`],
  ] as const) {
    const metrics = new Metrics(table, settings);
    metrics.gauge('info').child();
    assert.match(metrics.render(), new RegExp(`^${name} 0$`, 'm'));
  }
});

test('the memory of all series is bounded: further label values are counted as unexpected', () => {
  const metrics = new Metrics({ a: gauge('First.', ['name']), b: gauge('Second.', ['name']) });
  const [a, b] = [metrics.gauge('a'), metrics.gauge('b')];
  const before = usedHeapBytes();
  const name = (i: number) => Buffer.from(`${i} `.padEnd(2_000, 'x')).toString();
  for (let i = 0; i < 50_000; i++) a.child(name(i)).value++;
  assert.ok(usedHeapBytes() - before < 100_000_000);
  b.child(name(1)).value++;
  a.child(name(0)).value++;
  assert.equal(a.child(name(0)).value, 2);
  assert.ok(a.child('unexpected').value > 30_000);
  assert.ok(metrics.render().includes('\nb{name="unexpected"} 1\n'));
  assert.ok(metrics.summary.unexpected > 30_000);
});
