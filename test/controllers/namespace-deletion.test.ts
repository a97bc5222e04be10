import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';
import { conditionsOf, controllersIdle, customKind, until, untilDeleted } from '../support/controllers.ts';
import { minimalObjects } from '../support/minimal-objects.ts';

const api = testServer();
/** A create in this namespace may come too late. */
const careless = testServer({ disableAdmissionPlugins: ['NamespaceLifecycle'] });
const patient = testServer({ namespaceDeletionDelay: 3_600_000 });
const everything = testServer({
  runtimeConfig: { 'api/all': true },
  featureGates: { AllAlpha: true, AllBeta: true },
});

interface Resource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

/** The paths of all namespaced kinds, with a minimal object of each. */
async function namespacedKinds(): Promise<{ path: string; key: string; apiVersion: string; kind: string }[]> {
  const { body } = await everything.get('/apis');
  const groups = body.groups as { name: string; preferredVersion: { groupVersion: string } }[];
  const versions = [
    { group: '', apiVersion: 'v1', root: '/api/v1' },
    ...groups.map(({ name, preferredVersion: { groupVersion } }) => ({
      group: name.replace('.orch.io', ''),
      apiVersion: groupVersion,
      root: `/apis/${groupVersion}`,
    })),
  ];
  const kinds = await Promise.all(
    versions.map(async ({ group, apiVersion, root }) => {
      const { resources } = (await everything.get(root)).body as unknown as { resources: Resource[] };
      return resources
        .filter(
          ({ name, namespaced, verbs }) => namespaced && !name.includes('/') && verbs.includes('delete'),
        )
        .map(({ name, kind }) => ({
          path: `${root}/namespaces/doomed/${name}`,
          key: `${group} ${name}`,
          apiVersion,
          kind,
        }));
    }),
  );
  return kinds.flat();
}

test('a namespace is deleted with objects of every kind, custom resources included', async () => {
  await everything.post('/api/v1/namespaces', { metadata: { name: 'doomed' } });
  await everything.post('/api/v1/namespaces', { metadata: { name: 'other' } });
  await everything.post('/api/v1/namespaces/other/configmaps', { metadata: { name: 'stays' } });
  await customKind(everything, 'doomed.example.com');
  const kinds = await namespacedKinds();
  const paths: string[] = [];
  for (const { path, key, apiVersion, kind } of kinds) {
    const { name = key.replace(/\W+/g, '-').replace(/^-/, ''), body } = minimalObjects[key] ?? { body: {} };
    const text = JSON.stringify({ apiVersion, kind, metadata: { name }, ...body })
      .replaceAll('DOMAIN', 'orch.io')
      .replaceAll('"namespace":"default"', '"namespace":"doomed"');
    const made = await everything.request('POST', path, text);
    assert.equal(made.code, 201, `${path} ${made.text}`);
    paths.push(`${path}/${name}`);
  }
  assert.ok(paths.length > 25, `${paths.length} kinds`);
  assert.ok(paths.some((path) => path.includes('doomed.example.com')));
  await everything.delete('/api/v1/namespaces/doomed');
  await untilDeleted(everything, '/api/v1/namespaces/doomed');
  for (const path of paths) assert.equal((await everything.get(path)).code, 404, path);
  for (const { path } of kinds) assert.deepEqual((await everything.get(path)).body.items, [], path);
  assert.equal((await everything.get('/api/v1/namespaces/other/configmaps/stays')).code, 200);
});

test('the conditions report objects with finalizers, and the namespace waits for them', async () => {
  const configmaps = await api.namespace();
  const namespace = configmaps.slice(0, configmaps.lastIndexOf('/'));
  const finalizers = ['example.com/b', 'example.com/a'];
  await api.post(configmaps, { metadata: { name: 'held', finalizers } });
  await api.post(configmaps, { metadata: { name: 'held-too', finalizers: ['example.com/a'] } });
  await api.delete(namespace);
  const { body } = await until(
    () => api.get(namespace),
    (response) => conditionsOf(response.body).length > 0,
  );
  assert.deepEqual(
    conditionsOf(body).map(({ type, status, reason, message }) => [type, status, reason, message]),
    [
      [
        'NamespaceDeletionDiscoveryFailure',
        'False',
        'ResourcesDiscovered',
        'All resources successfully discovered',
      ],
      [
        'NamespaceDeletionGroupVersionParsingFailure',
        'False',
        'ParsedGroupVersions',
        'All legacy orch types successfully parsed',
      ],
      [
        'NamespaceDeletionContentFailure',
        'False',
        'ContentDeleted',
        'All content successfully deleted, may be waiting on finalization',
      ],
      [
        'NamespaceContentRemaining',
        'True',
        'SomeResourcesRemain',
        'Some resources are remaining: configmaps. has 2 resource instances',
      ],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: ' +
          'example.com/a in 2 resource instances, example.com/b in 1 resource instances',
      ],
    ],
  );
  for (const name of ['held', 'held-too']) await api.put(`${configmaps}/${name}`, { metadata: { name } });
  await untilDeleted(api, namespace);
});

test('pods are deleted first: other objects stay during the grace period of a pod', async () => {
  const configmaps = await api.namespace();
  const namespace = configmaps.slice(0, configmaps.lastIndexOf('/'));
  await api.post(configmaps, { metadata: { name: 'used' } });
  const spec = { nodeName: 'somewhere', containers: [{ name: 'c', image: 'i' }] };
  await api.post(`${namespace}/pods`, { metadata: { name: 'ending' }, spec });
  await api.delete(namespace);
  const { body: pod } = await until(
    () => api.get(`${namespace}/pods/ending`),
    (response) => response.body.metadata.deletionTimestamp !== undefined,
  );
  assert.ok(pod.metadata.deletionTimestamp);
  const { body } = await until(
    () => api.get(namespace),
    (response) => conditionsOf(response.body).length > 0,
  );
  assert.equal(
    conditionsOf(body)[3]!.message,
    'Some resources are remaining: pods. has 1 resource instances',
  );
  assert.equal((await api.get(`${configmaps}/used`)).code, 200);
  await api.delete(`${namespace}/pods/ending`, { gracePeriodSeconds: 0 });
  await untilDeleted(api, namespace);
});

test('the finalizers foregroundDeletion and orphan do not block the namespace', async () => {
  const configmaps = await api.namespace();
  const namespace = configmaps.slice(0, configmaps.lastIndexOf('/'));
  const { body: owner } = await api.post(configmaps, { metadata: { name: 'owner' } });
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
  const dependent = { name: 'dependent', ownerReferences: [{ ...reference, blockOwnerDeletion: true }] };
  await api.post(configmaps, { metadata: { ...dependent, finalizers: ['example.com/hold'] } });
  await api.delete(`${configmaps}/owner?propagationPolicy=Foreground`);
  assert.equal((await api.get(`${configmaps}/owner`)).code, 200);
  await api.delete(namespace);
  await untilDeleted(api, `${configmaps}/owner`);
  await api.put(`${configmaps}/dependent`, { metadata: { name: 'dependent' } });
  await untilDeleted(api, namespace);
});

test('other finalizers of a namespace keep it after its content is deleted', async () => {
  const name = 'held-by-others';
  const path = `/api/v1/namespaces/${name}`;
  await api.post('/api/v1/namespaces', {
    metadata: { name, finalizers: ['example.com/meta'] },
    spec: { finalizers: ['example.com/spec'] },
  });
  await api.post(`${path}/configmaps`, { metadata: { name: 'a' } });
  await api.delete(path);
  await untilDeleted(api, `${path}/configmaps/a`);
  const { body } = await until(
    () => api.get(path),
    (response) => !(response.body.spec.finalizers as string[]).includes('orch'),
  );
  assert.deepEqual(body.spec.finalizers, ['example.com/spec']);
  await api.put(`${path}/finalize`, { ...body, spec: {} });
  const { body: marked } = await api.get(path);
  await api.put(path, { ...marked, metadata: { ...marked.metadata, finalizers: [] } });
  await untilDeleted(api, path);
});

test('a deletion that a policy denies is a condition and is retried', async () => {
  const group = '/apis/admissionregistration.orch.io/v1';
  await api.post(`${group}/validatingadmissionpolicies`, {
    metadata: { name: 'keep' },
    spec: {
      matchConstraints: {
        resourceRules: [
          { apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['secrets'] },
        ],
      },
      validations: [{ expression: "oldObject.metadata.name != 'kept'", message: 'it is kept' }],
    },
  });
  await api.post(`${group}/validatingadmissionpolicybindings`, {
    metadata: { name: 'keep' },
    spec: { policyName: 'keep', validationActions: ['Deny'] },
  });
  const secrets = await api.namespace('secrets');
  const namespace = secrets.slice(0, secrets.lastIndexOf('/'));
  await api.post(secrets, { metadata: { name: 'kept' } });
  await api.delete(namespace);
  const { body } = await until(
    () => api.get(namespace),
    (response) => conditionsOf(response.body).length > 0,
  );
  const failure = conditionsOf(body)[2]!;
  assert.equal(failure.status, 'True');
  assert.equal(failure.reason, 'ContentDeletionFailed');
  assert.match(failure.message, /^Failed to delete all resource types, 1 remaining: .*it is kept/);
  await api.delete(`${group}/validatingadmissionpolicybindings/keep`);
  api.server.clock.advance(60_000);
  await untilDeleted(api, namespace);
});

test('with --namespace-deletion-delay a client can finalize the namespace first', async () => {
  await patient.post('/api/v1/namespaces', { metadata: { name: 'own' } });
  await patient.post('/api/v1/namespaces', { metadata: { name: 'left' } });
  for (const name of ['own', 'left']) {
    await patient.post(`/api/v1/namespaces/${name}/configmaps`, { metadata: { name: 'content' } });
    await patient.delete(`/api/v1/namespaces/${name}`);
  }
  patient.server.clock.advance(1_800_000);
  // A change of the content does not end the delay.
  await patient.delete('/api/v1/namespaces/left/serviceaccounts/default');
  await controllersIdle(patient);
  const { body } = await patient.get('/api/v1/namespaces/own');
  assert.deepEqual([body.spec, body.status], [{ finalizers: ['orch'] }, { phase: 'Terminating' }]);
  assert.equal((await patient.get('/api/v1/namespaces/left/configmaps/content')).code, 200);
  const finalized = await patient.put('/api/v1/namespaces/own/finalize', {
    ...body,
    spec: { finalizers: [] },
  });
  assert.equal(finalized.code, 200, finalized.text);
  assert.equal((await patient.get('/api/v1/namespaces/own')).code, 404);
  patient.server.clock.advance(3_600_000);
  await untilDeleted(patient, '/api/v1/namespaces/left');
});

test('an object created while its namespace was deleted is deleted too', async () => {
  const configmaps = await careless.namespace();
  const namespace = configmaps.slice(0, configmaps.lastIndexOf('/'));
  await careless.delete(namespace);
  await untilDeleted(careless, namespace);
  assert.equal((await careless.post(configmaps, { metadata: { name: 'late' } })).code, 201);
  await untilDeleted(careless, `${configmaps}/late`);
});

test('after a restore terminating namespaces are deleted', async () => {
  const configmaps = await api.namespace();
  const namespace = configmaps.slice(0, configmaps.lastIndexOf('/'));
  await api.post(configmaps, { metadata: { name: 'held', finalizers: ['example.com/hold'] } });
  await api.delete(namespace);
  await controllersIdle(api);
  const snapshot = api.server.snapshot();
  await api.put(`${configmaps}/held`, { metadata: { name: 'held' } });
  await untilDeleted(api, namespace);
  api.server.restore(snapshot);
  assert.equal((await api.get(namespace)).code, 200);
  await api.put(`${configmaps}/held`, { metadata: { name: 'held' } });
  await untilDeleted(api, namespace);
});
