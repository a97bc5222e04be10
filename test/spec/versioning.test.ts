/** SPEC's rules of versions: levels, deprecated endpoints, and replacements of removed versions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TestServer } from '../support/client.ts';
import { startServer } from '../support/servers.ts';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();

async function refusedField(collection: string, body: object, field: string): Promise<void> {
  const response = await http.post(`${collection}?fieldValidation=Strict&dryRun=All`, body);
  assert.equal(response.code, 400, response.text);
  assert.ok(response.body.message.includes(`unknown field "${field}"`), response.body.message);
}

interface Groups {
  readonly groups: readonly { readonly versions: readonly { readonly version: string }[] }[];
}

async function versionsServedBy(server: TestServer): Promise<string[]> {
  const { groups } = (await server.get('/apis')).body as unknown as Groups;
  return groups.flatMap(({ versions }) => versions.map(({ version }) => version));
}

test('versions are named v1alpha1, v2beta3 or v1, and by default only those of the last form are served', async () => {
  for (const version of await versionsServedBy(http)) assert.match(version, /^v\d+((alpha|beta)\d+)?$/);
  const usual = new TestServer();
  usual.server = await startServer();
  try {
    for (const version of await versionsServedBy(usual)) assert.match(version, /^v\d+$/);
  } finally {
    await usual.server.stop();
  }
});

test('a request to a deprecated endpoint succeeds with a Warning header', async () => {
  for (const [path, text] of [
    ['/api/v1/componentstatuses', 'v1 ComponentStatus is deprecated in v1.19+'],
    [
      '/api/v1/namespaces/default/endpoints',
      'v1 Endpoints is deprecated in v1.33+; use discovery.orch.io/v1 EndpointSlice',
    ],
  ] as const) {
    const { code, headers } = await http.get(path);
    assert.equal(code, 200);
    assert.equal(headers.get('warning'), `299 - "${text}"`);
  }
  assert.equal((await http.get('/api/v1/namespaces/default/configmaps')).headers.get('warning'), null);
});

test('a request to a deprecated endpoint is counted once, with its labels', async () => {
  const group = 'admissionregistration.orch.io';
  await http.get('/api/v1/namespaces/default/endpoints/missing');
  await http.get('/api/v1/namespaces/default/endpoints');
  await http.get(`/apis/${group}/v1beta1/validatingadmissionpolicies/missing/status`);
  const { text } = await http.get('/metrics');
  for (const labels of [
    'group="",removed_release="",resource="endpoints",subresource="",version="v1"',
    `group="${group}",removed_release="1.34",resource="validatingadmissionpolicies",subresource="status",version="v1beta1"`,
  ]) {
    assert.ok(text.includes(`\napiserver_requested_deprecated_apis{${labels}} 1\n`), labels);
  }
  assert.ok(!/apiserver_requested_deprecated_apis{[^}]*configmaps/.test(text));
});

test('flowcontrol v1: assuredConcurrencyShares is called nominalConcurrencyShares', async () => {
  const levels = kind(http, '/apis/flowcontrol.apiserver.orch.io/v1/prioritylevelconfigurations');
  const spec = {
    type: 'Limited',
    limited: { limitResponse: { type: 'Reject' }, assuredConcurrencyShares: 5 },
  };
  await refusedField(levels.collection, { ...levels.least, spec }, 'spec.limited.assuredConcurrencyShares');
});

test('Event v1: involvedObject, count, source and the timestamps are not its fields', async () => {
  const events = kind(http, '/apis/events.orch.io/v1/namespaces/default/events');
  for (const field of ['involvedObject', 'count', 'source', 'firstTimestamp', 'lastTimestamp']) {
    await refusedField(events.collection, { ...events.least, [field]: {} }, field);
  }
});

test('PodDisruptionBudget v1: an empty selector selects all pods of the namespace, an unset one none', async () => {
  for (const [selector, code] of [
    [{}, 429],
    [undefined, 201],
  ] as const) {
    const pods = await http.namespace('pods');
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await http.post(pods, { metadata: { name: 'p' }, spec });
    await http.put(`${pods}/p/status`, {
      metadata: { name: 'p' },
      spec,
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    });
    const budgets = pods.replace('/api/v1/', '/apis/policy/v1/').replace('/pods', '/poddisruptionbudgets');
    const budget = { metadata: { name: 'b' }, spec: { minAvailable: 1, selector } };
    assert.equal((await http.post(budgets, budget)).code, 201);
    const eviction = await http.post(`${pods}/p/eviction`, { metadata: { name: 'p' } });
    assert.equal(eviction.code, code, eviction.text);
  }
});

test('CustomResourceDefinition v1: version, validation, subresources and columns are fields of a version', async () => {
  const definitions = kind(http, '/apis/apiextensions.orch.io/v1/customresourcedefinitions');
  for (const field of ['version', 'validation', 'subresources', 'additionalPrinterColumns']) {
    const spec = { ...definitions.least.spec, [field]: {} };
    await refusedField(definitions.collection, { ...definitions.least, spec }, `spec.${field}`);
  }
  const conversion = { strategy: 'Webhook', webhookClientConfig: {} };
  const spec = { ...definitions.least.spec, conversion };
  await refusedField(
    definitions.collection,
    { ...definitions.least, spec },
    'spec.conversion.webhookClientConfig',
  );
});

test('access reviews v1: spec.group is called spec.groups', async () => {
  const path = '/apis/authorization.orch.io/v1/subjectaccessreviews';
  const spec = { user: 'u', resourceAttributes: { resource: 'pods', verb: 'get' } };
  assert.equal((await http.post(path, { spec: { ...spec, groups: ['g'] } })).code, 201);
  await refusedField(path, { spec: { ...spec, group: ['g'] } }, 'spec.group');
});

test('an object is read in every version of its kind', async () => {
  const group = '/apis/resource.orch.io';
  await kind(http, `${group}/v1beta1/deviceclasses`).create({ metadata: { name: 'read' } });
  for (const version of ['v1alpha3', 'v1beta1', 'v1beta2']) {
    const { body } = await http.get(`${group}/${version}/deviceclasses/read`);
    assert.equal(body.apiVersion, `resource.orch.io/${version}`);
  }
});
