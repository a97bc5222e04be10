// Mutating webhooks whose patch changes the kind or apiVersion of the object: the errors of kube-apiserver's decoders.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../../support/client.ts';
import { namespaceIn, testHooks } from '../../support/webhook-client.ts';

const api = testServer();
const hooks = testHooks(api);

const replacing = (fields: Record<string, unknown>) =>
  Object.entries(fields).map(([field, value]) => ({ op: 'replace', path: `/${field}`, value }));

test('a patch that changes the kind or apiVersion of a custom resource fails the write', async () => {
  const group = 'changed.example.com';
  const versions = ['v1', 'v2'].map((name) => ({
    name,
    served: true,
    storage: name === 'v1',
    schema: { openAPIV3Schema: { type: 'object' } },
  }));
  // Created before any webhook, which would be called for it, too.
  await api.post('/apis/apiextensions.orch.io/v1/customresourcedefinitions', {
    metadata: { name: `things.${group}` },
    spec: { group, names: { plural: 'things', kind: 'Thing' }, scope: 'Namespaced', versions },
  });
  while ((await api.get(`/apis/${group}/v1/things`)).code !== 200);
  const cases: [Record<string, unknown>, number, RegExp | undefined][] = [
    [
      { kind: 'Secret' },
      422,
      /^Secret\.changed\.example\.com "a" is invalid: kind: Invalid value: "Secret": must be Thing$/,
    ],
    [
      { apiVersion: `${group}/v3` },
      500,
      /^request to convert CR from an invalid group\/version: changed\.example\.com\/v3$/,
    ],
    [
      { apiVersion: 'apps/v1' },
      500,
      /^apps\/v1, Kind=Thing is unstructured and is not suitable for converting to "changed\.example\.com\/v1"$/,
    ],
    [{ apiVersion: '' }, 500, /^\/, Kind=Thing is unstructured/],
    [{ kind: '' }, 500, /^Internal error occurred: Object 'Kind' is missing in '\{"apiVersion":/],
    [{ apiVersion: `${group}/v2` }, 201, undefined],
  ];
  for (const [changes, code, message] of cases) {
    const rules = [{ apiGroups: [group], apiVersions: ['*'], resources: ['things'], operations: ['CREATE'] }];
    const namespace = namespaceIn(await api.namespace());
    const path = `/apis/${group}/v1/namespaces/${namespace}/things`;
    await hooks.configure('mutating', hooks.hook(namespace, { patch: replacing(changes) }, { rules }));
    const { code: actual, body } = await api.post(`${path}?dryRun=All`, {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      metadata: { name: 'a' },
    });
    assert.equal(actual, code, JSON.stringify(body));
    if (message) assert.match(body.message, message);
  }
});

/** Creates a ConfigMap; the webhook replaces fields of it. */
async function createPatched(changes: Record<string, unknown>) {
  const path = await api.namespace();
  await hooks.configure('mutating', hooks.hook(namespaceIn(path), { patch: replacing(changes) }));
  return api.post(path, { metadata: { name: 'a' }, data: { k: 'v' } });
}

test('a patch that changes the kind or apiVersion of a built-in object fails the write', async () => {
  const noKind = (kind: string, version: string) =>
    `Internal error occurred: no kind "${kind}" is registered for version "${version}" in scheme "pkg/runtime/scheme.go:110"`;
  const noConversion = (from: string) => `converting (${from}) to (core.ConfigMap): unknown conversion`;
  const cases: [Record<string, unknown>, string][] = [
    [{ kind: 'Namespace' }, noConversion('v1.Namespace')],
    [{ kind: 'Secret' }, 'Internal error occurred: illegal base64 data at input byte 0'],
    [{ kind: 'ConfigMapList' }, noConversion('v1.ConfigMapList')],
    [{ kind: 'Status' }, noConversion('v1.Status')],
    [{ apiVersion: 'apps/v1', kind: 'Deployment' }, noConversion('v1.Deployment')],
    [{ kind: 'Nope' }, noKind('Nope', 'v1')],
    [{ apiVersion: 'v2' }, noKind('ConfigMap', 'v2')],
    [{ apiVersion: 'apps/v1' }, noKind('ConfigMap', 'apps/v1')],
    [
      { apiVersion: 'apiextensions.orch.io/v1', kind: 'CustomResourceDefinition' },
      noKind('CustomResourceDefinition', 'apiextensions.orch.io/v1'),
    ],
    [{ apiVersion: 'a/b/c' }, 'Internal error occurred: unexpected GroupVersion string: a/b/c'],
    [
      { kind: {} },
      "Internal error occurred: couldn't get version/kind; json parse error: json: cannot unmarshal object into Go struct field .kind of type string",
    ],
  ];
  for (const [changes, message] of cases) {
    const answer = await createPatched(changes);
    assert.deepEqual([answer.code, answer.body.message], [500, message]);
  }
  for (const unset of [{ kind: '' }, { apiVersion: '' }, { kind: null }]) {
    assert.equal((await createPatched(unset)).code, 201);
  }
});
