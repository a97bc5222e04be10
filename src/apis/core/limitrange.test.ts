import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { tryCreate } from '../try-rules.ts';
import { limitranges } from './limitrange.ts';

const definition = limitranges(orch);
const of = (...limits: unknown[]) => tryCreate(definition, { spec: { limits } });

test("a container's defaults come from the maximum, and its request from the limit or else the minimum", () => {
  const [item] = of({ type: 'Container', max: { cpu: '2' }, min: { cpu: '1', memory: '1Gi' } }).object.spec
    .limits!;
  assert.deepEqual({ ...item!.default }, { cpu: '2' });
  assert.deepEqual({ ...item!.defaultRequest }, { cpu: '2', memory: '1Gi' });
});

test('other types get no defaults', () => {
  const [item] = of({ type: 'Pod', max: { cpu: '2' } }).object.spec.limits!;
  assert.equal(item!.default, undefined);
});

test('amounts are written in their canonical form, no finer than a thousandth', () => {
  const [item] = of({ type: 'x.y/z', max: { cpu: '0.5', memory: '1024Mi', 'a/b': '1n' } }).object.spec
    .limits!;
  assert.deepEqual({ ...item!.max }, { cpu: '500m', memory: '1Gi', 'a/b': '1m' });
});

test('each type comes once, and is known or qualified', () => {
  assert.deepEqual(of({ type: 'Pod' }, { type: 'Pod' }).problems, [
    'spec.limits[1].type: Duplicate value: "Pod"',
  ]);
  assert.deepEqual(of({ type: 'Foo' }).problems, [
    'spec.limits[0].type: Invalid value: "Foo": must be a standard limit type or fully qualified',
  ]);
  assert.deepEqual(of({ type: 'example.com/foo' }).problems, []);
});

test('minimum, request, limit and maximum are in this order', () => {
  const text = of({
    type: 'Container',
    min: { cpu: '3' },
    defaultRequest: { cpu: '2' },
    default: { cpu: '1' },
    max: { cpu: '500m' },
  }).problems.join('\n');
  for (const rule of [
    'min value 3 is greater than max value 500m',
    'min value 3 is greater than default request value 2',
    'default request value 2 is greater than max value 500m',
    'default request value 2 is greater than default limit value 1',
    'min value 3 is greater than default value 1',
    'default value 1 is greater than max value 500m',
  ]) {
    assert.ok(text.includes(rule), rule);
  }
});

test('a ratio is at least 1 and within what the bounds allow', () => {
  const ratio = (value: string) =>
    of({
      type: 'Pod',
      min: { cpu: '1' },
      max: { cpu: '2' },
      maxLimitRequestRatio: { cpu: value },
    }).problems.join();
  assert.equal(ratio('2'), '');
  assert.match(ratio('500m'), /ratio 500m is less than 1$/);
  assert.match(ratio('3'), /ratio 3 is greater than max\/min = 2\.000000$/);
});

test('a claim needs a bound for storage', () => {
  assert.deepEqual(of({ type: 'PersistentVolumeClaim', max: { cpu: '1' } }).problems, [
    'spec.limits[0].limits: Required value: either minimum or maximum storage value is required, but neither was provided',
  ]);
  assert.deepEqual(of({ type: 'PersistentVolumeClaim', min: { storage: '1Gi' } }).problems, []);
});

test('what cannot be overcommitted has equal defaults', () => {
  const item = {
    type: 'Container',
    default: { 'example.com/gpu': '2' },
    defaultRequest: { 'example.com/gpu': '1' },
  };
  assert.match(
    of(item).problems.join(),
    /default value 2 must equal to defaultRequest value 1 in example\.com\/gpu$/,
  );
});
