import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Meters } from './meters.ts';

test('Meters renders families by name, with escaped label values', () => {
  const meters = new Meters();
  meters.gauge('b_now', 'Second.').child().value = 2;
  const total = meters.counter('a_total', 'First.', ['code', 'path']);
  total.child('200', 'a"b\\c\nd').value++;
  total.child('200', 'a"b\\c\nd').value++;
  assert.equal(
    meters.render(),
    '# HELP a_total First.\n# TYPE a_total counter\na_total{code="200",path="a\\"b\\\\c\\nd"} 2\n' +
      '# HELP b_now Second.\n# TYPE b_now gauge\nb_now 2\n',
  );
});

test('a histogram counts a value in every bucket it fits', () => {
  const meters = new Meters();
  const sizes = meters.histogram('s', 'Sizes.', ['verb'], [10, 1e6]);
  for (const size of [10, 11, 2e6]) sizes.child('GET').observe(size);
  assert.equal(
    meters.render(),
    '# HELP s Sizes.\n# TYPE s histogram\n' +
      's_bucket{verb="GET",le="10"} 1\ns_bucket{verb="GET",le="1e+06"} 2\ns_bucket{verb="GET",le="+Inf"} 3\n' +
      's_sum{verb="GET"} 2000021\ns_count{verb="GET"} 3\n',
  );
});

test('a family without members is left out', () => {
  const meters = new Meters();
  meters.counter('none', 'Nothing.', ['x']);
  assert.equal(meters.render(), '');
});

test('onRender runs before numbers are read', () => {
  const meters = new Meters();
  const now = meters.gauge('now', 'Now.');
  meters.onRender(() => {
    now.child().value = 7;
  });
  assert.match(meters.render(), /^now 7$/m);
});
