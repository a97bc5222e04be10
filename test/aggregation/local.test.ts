import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { AggregatingServer, apiServices, poll } from '../support/aggregated-server.ts';

interface Group {
  readonly name: string;
  readonly versions: readonly { readonly version: string }[];
}
interface Service {
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> };
  readonly spec: { readonly group?: string; readonly version: string; readonly groupPriorityMinimum: number };
  readonly status: { readonly conditions: readonly { readonly reason: string }[] };
}

let api: AggregatingServer;
before(async () => {
  api = await AggregatingServer.start();
});
after(() => api.close());

const groups = async () => (await api.call<{ groups: Group[] }>('GET', '/apis')).body.groups;
const services = async () => (await api.call<{ items: Service[] }>('GET', apiServices)).body.items;
const kept = 'aggregator.orch.io/automanaged';
const definition = (versions: readonly string[]) => ({
  metadata: { name: 'wheels.custom.example.com' },
  spec: {
    group: 'custom.example.com',
    scope: 'Namespaced',
    names: { plural: 'wheels', kind: 'Wheel' },
    versions: versions.map((name, index) => ({
      name,
      served: true,
      storage: index === 0,
      schema: { openAPIV3Schema: { type: 'object' } },
    })),
  },
});
const definitions = '/apis/apiextensions.orch.io/v1/customresourcedefinitions';
const namesOf = async () =>
  (await services())
    .map(({ metadata }) => metadata.name)
    .filter((name) => name.endsWith('custom.example.com'));

test('every served group version has an APIService, except apiregistration', async () => {
  const announced = (await groups())
    .flatMap(({ name, versions }) => versions.map(({ version }) => `${version}.${name}`))
    .filter((name) => name !== 'v1.apiregistration.orch.io');
  const all = await services();
  assert.deepEqual(
    all.map(({ metadata }) => metadata.name),
    [...announced, 'v1.'].sort(),
  );
  for (const { metadata, status } of all) {
    assert.equal(metadata.labels[kept], 'onstart');
    assert.deepEqual(
      status.conditions.map(({ reason }) => reason),
      ['Local'],
    );
  }
});

test('a deleted onstart APIService is recreated at the next start, and its group version stays served', async () => {
  assert.equal((await api.call('DELETE', `${apiServices}/v1.batch`)).code, 200);
  assert.equal((await api.call('GET', `${apiServices}/v1.batch`)).code, 404);
  assert.equal((await api.call('GET', '/apis/batch/v1/jobs')).code, 200);
  await api.call('PATCH', `${apiServices}/v1.policy`, { spec: { groupPriorityMinimum: 1 } });
  assert.equal((await groups()).at(-1)?.name, 'policy');
  await api.server.stop();
  await api.open();
  assert.equal((await api.call('GET', `${apiServices}/v1.batch`)).code, 200);
  assert.notEqual((await groups()).at(-1)?.name, 'policy');
});

test('APIServices of custom resources are created, deleted and reconciled with them', async () => {
  assert.equal((await api.call('POST', definitions, definition(['v1', 'v2beta1']))).code, 201);
  const made = await poll('both are there', async () => {
    const names = await namesOf();
    return names.length === 2 ? names : undefined;
  });
  assert.deepEqual(made, ['v1.custom.example.com', 'v2beta1.custom.example.com']);
  const one = (await services()).find(({ metadata }) => metadata.name === made[0]);
  assert.equal(one?.metadata.labels[kept], 'true');
  assert.equal(one.spec.groupPriorityMinimum, 1000);

  await api.call('DELETE', `${apiServices}/v1.custom.example.com`);
  await poll('it is back', async () => ((await namesOf()).length === 2 ? true : undefined));

  await api.call('DELETE', `${definitions}/wheels.custom.example.com`);
  await poll('both are gone', async () => ((await namesOf()).length === 0 ? true : undefined));
});

test('an APIService without the automanaged label is not changed', async () => {
  const group = 'custom.example.com';
  const service = { namespace: 'nowhere', name: 'nobody' };
  await api.addApiService(group, { service, insecureSkipTLSVerify: true });
  await api.call('POST', definitions, definition(['v1', 'v2']));
  await poll('the other one is there', async () => ((await namesOf()).length === 2 ? true : undefined));
  await api.until(`v1.${group}`, 'ServiceNotFound');
  assert.equal((await api.call('GET', `/apis/${group}/v1/wheels`)).text, 'service unavailable\n');
  assert.equal((await api.call('GET', `/apis/${group}/v2/wheels`)).code, 200);
  await api.call('DELETE', `${apiServices}/v1.${group}`);
  assert.equal((await api.call('GET', `/apis/${group}/v1/wheels`)).code, 200);
  await api.call('DELETE', `${definitions}/wheels.custom.example.com`);
  const isGone = async () => !(await groups()).some(({ name }) => name === group) || undefined;
  await poll('the group is gone', isGone);
});

test('an APIService without a service and without resources announces an unserved version', async () => {
  await api.addApiService('promised.example.com', {});
  assert.equal((await groups()).at(-1)?.name, 'promised.example.com');
  assert.equal((await api.call('GET', '/apis/promised.example.com')).code, 200);
  assert.equal((await api.call('GET', '/apis/promised.example.com/v1')).text, '404 page not found\n');
});
