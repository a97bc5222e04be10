import assert from 'node:assert/strict';
import { test } from 'node:test';
import { authority } from '../parity/corpus/certificates-data.ts';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const services = kind(http, '/apis/apiregistration.orch.io/v1/apiservices');
const spec = (change: object) => ({ spec: change });

test('APIService: the name is <version>.<group>', async () => {
  await services.valid();
  await services.invalid({ metadata: { name: 'example.com.v1' } }, 'metadata.name');
  await services.invalid(spec({ version: 'v2' }), 'metadata.name');
});

test('APIService: groupPriorityMinimum and versionPriority are required, the latter greater than zero', async () => {
  for (const field of ['groupPriorityMinimum', 'versionPriority']) {
    await services.valid(spec({ [field]: 1 }));
    for (const bad of [null, 0, -1]) await services.invalid(spec({ [field]: bad }), `spec.${field}`);
  }
});

/** Creates the APIService of a version that this server would serve, so that it is in discovery. */
async function announce(version: string, group: string, groupPriorityMinimum: number, versionPriority = 10) {
  await services.create({
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum,
      versionPriority,
      service: null,
      insecureSkipTLSVerify: null,
    },
  });
}

const groups = async () =>
  (await http.get('/apis')).body.groups as {
    name: string;
    versions: { version: string }[];
    preferredVersion: { version: string };
  }[];

test('APIService: discovery has groups by groupPriorityMinimum, high to low, then by name', async () => {
  await announce('v1', 'b.order.example.com', 10);
  await announce('v1', 'c.order.example.com', 20);
  await announce('v1', 'a.order.example.com', 10);
  const names = (await groups()).map(({ name }) => name).filter((name) => name.endsWith('order.example.com'));
  assert.deepEqual(names, ['c.order.example.com', 'a.order.example.com', 'b.order.example.com']);
});

test('APIService: discovery has versions by versionPriority, high to low, then by their names', async () => {
  const group = 'versions.example.com';
  for (const [version, priority] of [
    ['v1', 5],
    ['foo', 7],
    ['v1alpha1', 7],
    ['v2beta1', 7],
    ['v2beta2', 7],
    ['v3', 7],
    ['v10', 7],
    ['v1beta1', 9],
  ] as const) {
    await announce(version, group, 10, priority);
  }
  const found = (await groups()).find(({ name }) => name === group);
  assert.deepEqual(
    found?.versions.map(({ version }) => version),
    ['v1beta1', 'v10', 'v3', 'v2beta2', 'v2beta1', 'v1alpha1', 'foo', 'v1'],
  );
  assert.equal(found?.preferredVersion.version, 'v1beta1');
});

test('APIService: caBundle or insecureSkipTLSVerify, not both', async () => {
  const caBundle = Buffer.from(authority).toString('base64');
  await services.valid(spec({ caBundle, insecureSkipTLSVerify: null }));
  await services.invalid(spec({ caBundle, insecureSkipTLSVerify: true }), 'spec.insecureSkipTLSVerify');
});

test('APIService: the port of its service is from 1 to 65535, 443 by default', async () => {
  const { service } = (await services.valid()).spec as { service: { port: number } };
  assert.equal(service.port, 443);
  for (const port of [1, 65535]) await services.valid(spec({ service: { port } }));
  for (const port of [0, 65536]) await services.invalid(spec({ service: { port } }), 'spec.service.port');
  await services.invalid(spec({ service: { name: null } }), 'spec.service.name');
  await services.invalid(spec({ service: { namespace: null } }), 'spec.service.namespace');
});

test('APIService: without a service the group version is served by this server', async () => {
  const change = spec({ service: null, insecureSkipTLSVerify: null });
  const { conditions } = (await services.valid(change)).status as { conditions: { reason: string }[] };
  assert.deepEqual(
    conditions.map(({ reason }) => reason),
    ['Local'],
  );
  await services.invalid(spec({ service: null }), 'spec.insecureSkipTLSVerify');
});

test('APIService: status.conditions are written through status', async () => {
  // The server itself writes the status of an APIService with a service.
  const service = await services.create(spec({ service: null, insecureSkipTLSVerify: null }));
  const condition = {
    type: 'Available',
    status: 'False',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'ServiceNotFound',
    message: 'nobody there',
  };
  const change = { status: { conditions: [condition] } };
  assert.deepEqual((await services.update(service, change)).status, service.status);
  const written = await services.update(service, change, 'status');
  assert.deepEqual(written.status, change.status);
});

test('APIService: a condition has a type, and a status that is True, False or Unknown', async () => {
  // The server does not write the status of a local APIService.
  const local = { group: 'local.example.com', service: null, insecureSkipTLSVerify: null };
  const service = await services.create({ metadata: { name: 'v1.local.example.com' }, spec: local });
  await services.invalidConditions(service, [{ status: 'True' }], 'type');
  for (const status of ['Maybe', 'true', '', null]) {
    await services.invalidConditions(service, [{ type: 'Available', status }], 'status');
  }
  const conditions = ['True', 'False', 'Unknown'].map((status) => ({ type: status, status }));
  await services.update(service, { status: { conditions } }, 'status');
});
