import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';
import { until, untilDeleted } from '../support/controllers.ts';

const api = testServer();

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const claimed = (name: string, metadata: object = {}) => ({
  name,
  ephemeral: { volumeClaimTemplate: { metadata, spec: claimSpec } },
});
const podWith = (...volumes: object[]) => ({
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'c', image: 'i' }], volumes },
});

/** The paths of the claims and pods in a new namespace. */
async function fresh() {
  const claims = await api.namespace('persistentvolumeclaims');
  const pods = claims.replace(/\w+$/, 'pods');
  const make = async (pod: object): Promise<Body> => {
    const { code, text, body } = await api.post(pods, pod);
    assert.equal(code, 201, text);
    return body;
  };
  const warning = (text: string) =>
    until(
      () => api.get(claims.replace(/\w+$/, 'events')),
      ({ body }) => body.items.some(({ message }) => message.includes(text)),
    ).then(({ body }) => body.items.find(({ message }) => message.includes(text))!);
  return { claims, pods, make, warning };
}

const made = (path: string) =>
  until(
    () => api.get(path),
    ({ code }) => code === 200,
  ).then(({ body }) => body);

test('the claim of an ephemeral volume is named <pod>-<volume>, made from its template and owned by the pod', async () => {
  const { claims, make } = await fresh();
  const template = { labels: { l: '1' }, annotations: { 'example.com/a': '2' } };
  const pod = await make(podWith(claimed('data', template), { name: 'none', emptyDir: {} }));
  const claim = await made(`${claims}/web-data`);
  const { labels, annotations, ownerReferences } = claim.metadata as Body['metadata'] & {
    ownerReferences: unknown;
  };
  assert.deepEqual(labels, template.labels);
  assert.deepEqual(annotations, template.annotations);
  const { name, uid } = pod.metadata;
  assert.deepEqual(ownerReferences, [
    { apiVersion: 'v1', kind: 'Pod', name, uid, controller: true, blockOwnerDeletion: true },
  ]);
  assert.deepEqual(claim.spec, { ...claimSpec, volumeMode: 'Filesystem' });
  assert.equal((await api.get(claims)).body.items.length, 1);
});

test('a deleted claim is recreated while its pod exists, and is deleted with the pod', async () => {
  const { claims, pods, make } = await fresh();
  await make(podWith(claimed('data')));
  const { metadata } = await made(`${claims}/web-data`);
  await api.delete(`${claims}/web-data`);
  await until(
    () => api.get(`${claims}/web-data`),
    ({ code, body }) => code === 200 && body.metadata.uid !== metadata.uid,
  );
  await api.delete(`${pods}/web`, { gracePeriodSeconds: 0 });
  await untilDeleted(api, `${claims}/web-data`);
});

test('a claim of that name that the pod does not own is unchanged, and an Event reports it', async () => {
  const { claims, make, warning } = await fresh();
  const space = claims.split('/')[4];
  const { body: other } = await api.post(claims, { metadata: { name: 'web-data' }, spec: claimSpec });
  const pod = await make(podWith(claimed('data'), claimed('more')));
  const event = await warning('pod is not owner');
  assert.equal(
    event.message,
    `ephemeral volume data: PVC ${space}/web-data was not created for pod ${space}/web (pod is not owner)`,
  );
  assert.deepEqual([event.type, event.reason], ['Warning', 'FailedBinding']);
  assert.equal((event.involvedObject as { uid: string }).uid, pod.metadata.uid);
  await made(`${claims}/web-more`);
  const { body: same } = await api.get(`${claims}/web-data`);
  assert.equal(same.metadata.uid, other.metadata.uid);
  assert.equal((same.metadata as { ownerReferences?: unknown }).ownerReferences, undefined);
  await api.delete(`${claims}/web-data`);
  await until(
    () => api.get(`${claims}/web-data`),
    ({ code, body }) => code === 200 && body.metadata.uid !== other.metadata.uid,
  );
});

test('a failed creation of a claim is reported in an Event and retried', async () => {
  const { claims, make, warning } = await fresh();
  const quotas = claims.replace(/\w+$/, 'resourcequotas');
  await api.post(quotas, { metadata: { name: 'none' }, spec: { hard: { persistentvolumeclaims: '0' } } });
  await until(
    () => api.get(`${quotas}/none`),
    ({ body }) => (body.status as { used?: object }).used !== undefined,
  );
  await make(podWith(claimed('data')));
  const { message } = await warning('exceeded quota: none');
  assert.match(
    message,
    /^ephemeral volume data: create PVC web-data: persistentvolumeclaims "web-data" is forbidden/,
  );
  await api.delete(`${quotas}/none`);
  await until(
    async () => {
      api.server.clock.advance(60_000);
      return api.get(`${claims}/web-data`);
    },
    ({ code }) => code === 200,
  );
});

test('a pod whose claim would have an invalid name is rejected', async () => {
  const { pods } = await fresh();
  const name = 'p'.repeat(250);
  const { code, body } = await api.post(pods, { ...podWith(claimed('data')), metadata: { name } });
  assert.equal(code, 422);
  assert.deepEqual(body.details.causes, [
    {
      reason: 'FieldValueInvalid',
      message: `Invalid value: "data": PVC name "${name}-data": must be no more than 253 characters`,
      field: 'spec.volumes[0].name',
    },
  ]);
});
