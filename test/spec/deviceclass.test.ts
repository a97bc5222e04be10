import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const classes = kind(http, '/apis/resource.orch.io/v1beta1/deviceclasses');
const opaque = (change: object) => ({
  spec: { config: [{ opaque: { driver: 'd.example.com', parameters: { a: 1 }, ...change } }] },
});
const selecting = (expression: string) => ({ spec: { selectors: [{ cel: { expression } }] } });
const tenKi = 10 * 1024;

test('DeviceClass: spec can change, and a change increments metadata.generation', async () => {
  const made = await classes.create();
  assert.equal(made.metadata.generation, 1);
  const labelled = await classes.update(made, { metadata: { labels: { l: 'v' } } });
  assert.equal(labelled.metadata.generation, 1);
  const changed = await classes.update(labelled, opaque({}));
  assert.equal(changed.metadata.generation, 2);
});

test('DeviceClass: an opaque configuration names its driver by a DNS subdomain', async () => {
  await classes.valid({ ...opaque({}), metadata: { name: 'other' } });
  await classes.invalid(opaque({ driver: 'Not_A_Domain' }), 'spec.config[0].opaque.driver');
  await classes.invalid(opaque({ driver: undefined }), 'spec.config[0].opaque.driver');
});

test('DeviceClass: opaque parameters are required and take at most 10 Ki', async () => {
  const padded = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
  await classes.valid({ ...opaque({ parameters: padded(tenKi) }), metadata: { name: 'other' } });
  const at = 'spec.config[0].opaque.parameters';
  await classes.invalid(opaque({ parameters: padded(tenKi + 1) }), at, /Too long/);
  await classes.invalid(opaque({ parameters: undefined }), at, /Required value/);
});

test('DeviceClass: a selector is a CEL expression of at most 10 Ki', async () => {
  const expression = 'device.driver == "d.example.com"';
  await classes.valid({ ...selecting(expression), metadata: { name: 'other' } });
  await classes.valid({ ...selecting(expression.padEnd(tenKi)), metadata: { name: 'other' } });
  const at = 'spec.selectors[0].cel.expression';
  await classes.invalid(selecting(expression.padEnd(tenKi + 1)), at, /Too long/);
  await classes.invalid(selecting(''), at);
});

test('DeviceClass: a selector has device with its driver, attributes and capacity', async () => {
  const at = 'spec.selectors[0].cel.expression';
  const named = { metadata: { name: 'other' } };
  for (const expression of [
    'device.driver.endsWith(".example.com")',
    'device.attributes["d.example.com"].model == "a100"',
    'device.capacity["d.example.com"].memory.compareTo(quantity("1Gi")) > 0',
    'cel.bind(all, device.attributes["d.example.com"], all.size() > 1 && "model" in all)',
  ]) {
    await classes.valid({ ...selecting(expression), ...named });
  }
  await classes.invalid(selecting('device.name == "a"'), at, /undefined field 'name'/);
  await classes.invalid(
    selecting('device.driver'),
    at,
    /must evaluate to bool or the unknown type, not string/,
  );
  await classes.invalid(selecting('device.capacity["x"].y > 1'), at, /'\(orch\.Quantity, int\)'/);
});

test('DeviceClass: the cost of a selector is limited', async () => {
  const each = (inner: string) => `device.attributes.all(x, device.attributes.all(y, ${inner}))`;
  await classes.valid({ ...selecting(each('x != y')), metadata: { name: 'other' } });
  const at = 'spec.selectors[0].cel.expression';
  await classes.invalid(selecting(each(each('device.driver.matches("a*")'))), at, /exceeds cost limit/);
});

test('DeviceClass: it is served only with the feature gate DynamicResourceAllocation', async () => {
  for (const [featureGates, code] of [
    [{}, 404],
    [{ DynamicResourceAllocation: true }, 200],
  ] as const) {
    const server = new TestServer();
    server.server = await startServer({ runtimeConfig: { 'resource.orch.io/v1beta1': true }, featureGates });
    try {
      assert.equal((await server.get(classes.collection)).code, code);
    } finally {
      await server.server.stop();
    }
  }
});

test('DeviceClass: deletion returns the object', async () => {
  await classes.create({ metadata: { name: 'going' } });
  const { code, body } = await http.delete(`${classes.collection}/going`);
  assert.equal(code, 200);
  assert.equal(body.kind, 'DeviceClass');
  assert.equal(body.metadata.name, 'going');
});

test('DeviceClass: spec is required, and may be empty', async () => {
  await classes.valid({ metadata: { name: 'with-spec' }, spec: {} });
  await classes.invalid({ metadata: { name: 'without-spec' }, spec: null }, 'spec', /Required value/);
});
