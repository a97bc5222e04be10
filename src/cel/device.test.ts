import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Device, deviceSchema } from './device.ts';
import { Issues } from './environment.ts';
import { schemaSizeHints, variableFor } from './schema-types.ts';
import { createEnvironment } from './versions.ts';

const environment = createEnvironment({ serviceName: 'orch', forDevices: true }).extend({
  device: variableFor(deviceSchema),
});

const gpu: Device = {
  driver: 'gpu.example.com',
  attributes: {
    model: { string: 'a100' },
    'gpu.example.com/cores': { int: 8 },
    'other.example.com/ready': { bool: true },
    firmware: { version: '1.2.3' },
  },
  capacity: { memory: { value: '40Gi' } },
};

function evaluate(expression: string) {
  const program = environment.compile(expression);
  if (program instanceof Issues) return program.text;
  const result = program.evaluate({ device: gpu });
  return 'problem' in result ? result.problem : result.value;
}

test('device has driver, attributes grouped by domain, and capacity', () => {
  for (const expression of [
    "device.driver == 'gpu.example.com'",
    "device.attributes['gpu.example.com'].model == 'a100'",
    "device.attributes['gpu.example.com'].cores > 4",
    "device.attributes['other.example.com'].ready",
    "device.attributes['gpu.example.com'].firmware.isGreaterThan(semver('1.0.0'))",
    "device.capacity['gpu.example.com'].memory.compareTo(quantity('32Gi')) > 0",
    "cel.bind(gpu, device.attributes['gpu.example.com'], gpu.model == 'a100' && gpu.cores == 8)",
    "'model' in device.attributes['gpu.example.com']",
  ]) {
    assert.equal(evaluate(expression), true, expression);
  }
});

test('an unknown domain is an empty map, an unknown attribute an error', () => {
  assert.equal(evaluate("device.attributes['nobody.example.com'].size() == 0"), true);
  assert.equal(evaluate("'nobody.example.com' in device.attributes"), false);
  assert.equal(evaluate("device.attributes['nobody.example.com'].model == 'x'"), 'no such key: model');
  assert.equal(evaluate("device.attributes['gpu.example.com'].nope"), 'no such key: nope');
});

test('an unknown field of device is a compile error', () => {
  assert.match(String(evaluate('device.model')), /undefined field 'model'/);
  assert.match(String(evaluate("device.capacity['x'].memory + 1")), /'\(orch.Quantity, int\)'/);
});

test('the estimated cost of a selector uses the size limits of a device', () => {
  const program = environment.compile("device.attributes.all(d, device.attributes[d].all(a, a != 'x'))");
  assert.ok(!(program instanceof Issues));
  const { max } = program.estimateCost(schemaSizeHints({ device: deviceSchema }));
  assert.ok(max > 1000 && max < 1_000_000, String(max));
});
