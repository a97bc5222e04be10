import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer();

const using = (limits: object = {}, requests: object = {}) => ({
  name: 'c',
  image: 'i:1',
  resources: { limits, requests },
});
const pod = (containers: object[], name = 'a') => ({ metadata: { name }, spec: { containers } });
const range = (limits: object[], name = 'l') => ({ metadata: { name }, spec: { limits } });

/** The paths of a namespace with the LimitRange. */
async function limited(...limits: object[]) {
  const pods = await api.namespace('pods');
  const of = (plural: string) => pods.replace(/pods$/, plural);
  assert.equal((await api.post(of('limitranges'), range(limits))).code, 201);
  return { pods, ranges: of('limitranges'), claims: of('persistentvolumeclaims') };
}

test('a container gets the default requests and limits, and an annotation lists them', async () => {
  const { pods } = await limited({ type: 'Container', max: { cpu: '2' }, defaultRequest: { cpu: '1' } });
  const { body } = await api.post(pods, pod([using()]));
  const [container] = body.spec.containers as { resources: unknown }[];
  assert.deepEqual(container!.resources, { limits: { cpu: '2' }, requests: { cpu: '1' } });
  assert.equal(
    body.metadata.annotations['orch.io/limit-ranger'],
    'LimitRanger plugin set: cpu request for container c; cpu limit for container c',
  );
});

test('a pod that exceeds a LimitRange of its namespace is rejected, and accepted in another one', async () => {
  const { pods } = await limited({ type: 'Pod', max: { cpu: '2' } });
  const { code, body } = await api.post(pods, pod([using({ cpu: '3' })]));
  assert.equal(code, 403);
  assert.equal(body.message, 'pods "a" is forbidden: maximum cpu usage per Pod is 2, but limit is 3');
  assert.equal((await api.post(await api.namespace('pods'), pod([using({ cpu: '3' })]))).code, 201);
});

test('a LimitRange applies from its creation until its deletion', async () => {
  const { pods, ranges } = await limited({ type: 'Pod', max: { cpu: '2' } });
  const make = async (name: string) => (await api.post(pods, pod([using({ cpu: '3' })], name))).code;
  assert.equal(await make('a'), 403);
  await api.put(`${ranges}/l`, range([{ type: 'Pod', max: { cpu: '3' } }]));
  assert.equal(await make('b'), 201);
  await api.put(`${ranges}/l`, range([{ type: 'Pod', max: { cpu: '1' } }]));
  assert.equal(await make('c'), 403);
  await api.delete(`${ranges}/l`);
  assert.equal(await make('c'), 201);
});

test('every LimitRange of a namespace applies', async () => {
  const { pods, ranges } = await limited({ type: 'Container', max: { cpu: '2' } });
  await api.post(ranges, range([{ type: 'Container', max: { memory: '1Gi' } }], 'm'));
  assert.equal((await api.post(pods, pod([using({ cpu: '3' })]))).code, 403);
  assert.equal((await api.post(pods, pod([using({ memory: '2Gi' })]))).code, 403);
  assert.equal((await api.post(pods, pod([using({ cpu: '2', memory: '1Gi' })]))).code, 201);
});

test('a LimitRange limits the storage of a PersistentVolumeClaim', async () => {
  const { claims } = await limited({ type: 'PersistentVolumeClaim', max: { storage: '1Gi' } });
  const claim = (storage: string) => ({
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
  });
  const { body } = await api.post(claims, claim('2Gi'));
  assert.match(body.message, /maximum storage usage per PersistentVolumeClaim is 1Gi, but request is 2Gi$/);
  assert.equal((await api.post(claims, claim('1Gi'))).code, 201);
});
