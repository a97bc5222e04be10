// Dynamic resource allocation on simulated nodes with devices: claims from templates, allocation by the scheduler, and release.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { conditionsOf, until, untilDeleted } from '../support/controllers.ts';

const folder = mkdtempSync(join(tmpdir(), 'devices-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const stages = join(folder, 'stages.yaml');
writeFileSync(
  stages,
  `devices:
- { driver: gpu.example.com, name: small, count: 2, attributes: { model: a, cores: 8 }, capacity: { memory: 40Gi } }
- { driver: gpu.example.com, name: large, nodes: node-1, attributes: { model: b, cores: 16, ecc: true, firmware: { version: 1.2.3 } } }
`,
);

const api = testServer({
  nodes: 2,
  nodeStages: stages,
  featureGates: { DynamicResourceAllocation: true },
  runtimeConfig: { 'resource.orch.io/v1beta1': true },
});
const resource = '/apis/resource.orch.io/v1beta1';

async function create(path: string, object: object): Promise<Body> {
  const { code, text, body } = await api.post(path, object);
  assert.equal(code, 201, text);
  return body;
}
const selectors = (...expressions: string[]) => expressions.map((expression) => ({ cel: { expression } }));
const request = (more: object = {}) => ({ name: 'r', deviceClassName: 'gpu.example.com', ...more });
let hasClass: Promise<unknown> | undefined;

/** The paths of a new namespace of a cluster with a DeviceClass. */
async function fresh() {
  hasClass ??= create(`${resource}/deviceclasses`, {
    metadata: { name: 'gpu.example.com' },
    spec: { selectors: selectors('device.driver == "gpu.example.com"') },
  });
  await hasClass;
  const pods = await api.namespace('pods');
  const claims = pods.replace('/api/v1', resource).replace(/pods$/, 'resourceclaims');
  const createPod = (name: string, reference: object, spec: object = {}) =>
    create(pods, {
      metadata: { name },
      spec: {
        containers: [{ name: 'c', image: 'i', resources: { claims: [{ name: 'dev' }] } }],
        resourceClaims: [{ name: 'dev', ...reference }],
        ...spec,
      },
    });
  const createClaim = (name: string, requests: object[], more: object = {}) =>
    create(claims, { metadata: { name }, spec: { devices: { requests, ...more } } });
  const createTemplate = (name: string, requests: object[]) =>
    create(`${claims}templates`.replace('claimstemplates', 'claimtemplates'), {
      metadata: { name },
      spec: { metadata: { labels: { l: '1' } }, spec: { devices: { requests } } },
    });
  const running = (name: string) =>
    until(
      () => api.get(`${pods}/${name}`),
      ({ body }) => (body.status as { phase?: string }).phase === 'Running',
    ).then(({ body }) => body);
  const waiting = (name: string, text: string) =>
    until(
      () => api.get(`${pods}/${name}`),
      ({ body }) => conditionsOf(body).some(({ message }) => message?.includes(text)),
    );
  return { pods, claims, createPod, createClaim, createTemplate, running, waiting };
}

interface Claim {
  readonly metadata: Body['metadata'] & { readonly finalizers?: string[] };
  readonly status: {
    readonly allocation?: {
      readonly devices: { readonly results?: { readonly pool: string; readonly device: string }[] };
      readonly nodeSelector?: object;
    };
    readonly reservedFor?: { readonly name: string }[];
  };
}
const claimAt = async (path: string) => (await api.get(path)).body as unknown as Claim;
const devicesOf = ({ status }: Claim) => status.allocation?.devices.results?.map(({ device }) => device);

test('simulated nodes publish the devices of the stage file', async () => {
  const slices = `${resource}/resourceslices`;
  const { body } = await until(
    () => api.get(slices),
    (response) => response.body.items.length === 2,
  );
  const [first, second] = body.items.map(({ spec }) => spec as unknown as { devices: { name: string }[] });
  assert.deepEqual(
    first!.devices.map(({ name }) => name),
    ['small-0', 'small-1'],
  );
  assert.deepEqual(second!.devices[2], {
    name: 'large-0',
    basic: {
      attributes: {
        model: { string: 'b' },
        cores: { int: 16 },
        ecc: { bool: true },
        firmware: { version: '1.2.3' },
      },
    },
  });
});

test('a pod gets devices by selectors, and frees them when it ends', async () => {
  const { pods, claims, createPod, createClaim, running } = await fresh();
  const large = selectors('device.attributes["gpu.example.com"].cores > 8');
  await createClaim('c', [request({ selectors: large })]);
  await createPod('p', { resourceClaimName: 'c' });
  const pod = await running('p');
  assert.equal(pod.spec.nodeName, 'node-1');
  const claim = await claimAt(`${claims}/c`);
  assert.deepEqual(devicesOf(claim), ['large-0']);
  assert.deepEqual(claim.metadata.finalizers, ['resource.orch.io/delete-protection']);
  assert.deepEqual(
    claim.status.reservedFor?.map(({ name }) => name),
    ['p'],
  );
  assert.deepEqual(claim.status.allocation?.nodeSelector, {
    nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
  });
  await api.delete(`${pods}/p`);
  const free = await until(
    () => claimAt(`${claims}/c`),
    ({ status, metadata }) => status.allocation === undefined && !metadata.finalizers,
  );
  assert.equal(free.status.reservedFor, undefined);
});

test('claims of a template are generated for each pod, and deleted with it', async () => {
  const { pods, claims, createPod, createTemplate, running, waiting } = await fresh();
  await createTemplate('t', [request({ allocationMode: 'All', selectors: selectors('true') })]);
  const reference = { resourceClaimTemplateName: 't' };
  await createPod('p-0', reference);
  await createPod('p-1', reference);
  const first = await running('p-0');
  const second = await running('p-1');
  assert.notEqual(first.spec.nodeName, second.spec.nodeName);
  const { items } = (await api.get(claims)).body;
  assert.deepEqual(
    items.map(({ metadata }) => metadata.labels),
    [{ l: '1' }, { l: '1' }],
  );
  assert.match(items[0]!.metadata.name, /^p-0-dev-.....$/);
  await createPod('p-2', reference);
  await waiting(
    'p-2',
    '0/2 nodes are available: 2 cannot allocate all claims. still not schedulable, preemption: ',
  );
  await api.delete(`${pods}/p-0`);
  assert.equal((await running('p-2')).spec.nodeName, first.spec.nodeName);
  for (const name of ['p-1', 'p-2']) await api.delete(`${pods}/${name}`);
  await until(
    () => api.get(claims),
    ({ body }) => body.items.length === 0,
  );
});

test('pods that are scheduled together get different devices, and share a claim on its node', async () => {
  const { pods, claims, createPod, createClaim, createTemplate, running } = await fresh();
  await createTemplate('t', [request()]);
  const names = ['p-0', 'p-1', 'p-2', 'p-3', 'p-4'];
  await Promise.all(names.map((name) => createPod(name, { resourceClaimTemplateName: 't' })));
  for (const name of names) await running(name);
  const { items } = (await api.get(claims)).body as unknown as { items: Claim[] };
  const keys = items.flatMap(({ status }) =>
    status.allocation!.devices.results!.map(({ pool, device }) => `${pool}/${device}`),
  );
  assert.equal(new Set(keys).size, names.length);
  await Promise.all(names.map((name) => api.delete(`${pods}/${name}`)));
  for (const name of names) await untilDeleted(api, `${pods}/${name}`);
  await createClaim('shared', [request({ count: 2 })]);
  const users = ['u-0', 'u-1', 'u-2'];
  await Promise.all(users.map((name) => createPod(name, { resourceClaimName: 'shared' })));
  const nodes = await Promise.all(users.map(async (name) => (await running(name)).spec.nodeName));
  assert.equal(new Set(nodes).size, 1);
  assert.equal((await claimAt(`${claims}/shared`)).status.reservedFor?.length, users.length);
  await Promise.all(users.map((name) => api.delete(`${pods}/${name}`)));
});

test('a pod waits for its claim without an attempt, and for a class with a message', async () => {
  const { claims, createPod, createClaim, running, waiting } = await fresh();
  await createPod('p', { resourceClaimName: 'c' });
  await createClaim('other', [request({ deviceClassName: 'missing.example.com' })]);
  await createPod('q', { resourceClaimName: 'other' });
  await waiting('q', 'request r: device class missing.example.com does not exist.');
  const pods = claims.replace(resource, '/api/v1').replace(/\w+$/, 'pods');
  assert.deepEqual(conditionsOf((await api.get(`${pods}/p`)).body), []);
  await createClaim('c', [request()]);
  await running('p');
});
