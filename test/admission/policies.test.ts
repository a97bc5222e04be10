import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Body, testServer } from '../support/client.ts';

const api = testServer();
const group = '/apis/admissionregistration.orch.io/v1';

let count = 0;

interface Parts {
  readonly policy?: object;
  readonly binding?: object;
  readonly rules?: object[];
}

const rule = (resources: string[], operations = ['*'], apiGroups = ['']) => ({
  apiGroups,
  apiVersions: ['v1'],
  resources,
  operations,
});

/** Creates a policy with a binding for a new namespace, and returns both names. */
async function inForce(validations: object[], parts: Parts = {}) {
  const name = `policy-${++count}`;
  const configMaps = await api.namespace('configmaps');
  const space = configMaps.split('/')[4]!;
  const { policy = {}, binding = {}, rules = [rule(['configmaps'])] } = parts;
  const made = await api.post(`${group}/validatingadmissionpolicies`, {
    metadata: { name },
    spec: { matchConstraints: { resourceRules: rules }, validations, ...policy },
  });
  assert.equal(made.code, 201, made.text);
  const bound = await api.post(`${group}/validatingadmissionpolicybindings`, {
    metadata: { name: `${name}-here` },
    spec: {
      policyName: name,
      validationActions: ['Deny'],
      matchResources: { namespaceSelector: { matchLabels: { 'orch.io/metadata.name': space } } },
      ...binding,
    },
  });
  assert.equal(bound.code, 201, bound.text);
  return { name, space, configMaps };
}

const configMap = (name = 'a', data: Record<string, string> = {}) => ({ metadata: { name }, data });
const why = ({ message }: Body) => message.replace(/^.* denied request: /, '');

test('a policy applies from the write of its binding to its deletion', async () => {
  const { name, configMaps } = await inForce([{ expression: 'object.data.size() < 2', message: 'too much' }]);
  const { code, body } = await api.post(configMaps, configMap('a', { x: '1', y: '2' }));
  const denial = `ValidatingAdmissionPolicy '${name}' with binding '${name}-here' denied request: too much`;
  assert.equal(code, 422);
  assert.equal(body.reason, 'Invalid');
  assert.equal(body.message, `configmaps "a" is forbidden: ${denial}`);
  assert.deepEqual(body.details.causes, [{ message: denial }]);
  assert.equal((await api.post(configMaps, configMap('b', { x: '1' }))).code, 201);
  await api.delete(`${group}/validatingadmissionpolicybindings/${name}-here`);
  assert.equal((await api.post(configMaps, configMap('a', { x: '1', y: '2' }))).code, 201);
});

test('a changed policy applies as soon as it is stored', async () => {
  const { name, configMaps } = await inForce([{ expression: 'false', message: 'one' }]);
  const path = `${group}/validatingadmissionpolicies/${name}`;
  const spec = { validations: [{ expression: 'false', message: 'two', reason: 'Forbidden' }] };
  const merge = { 'content-type': 'application/merge-patch+json' };
  assert.equal((await api.request('PATCH', path, { spec }, merge)).code, 200);
  const { code, body } = await api.post(configMaps, configMap());
  assert.equal(code, 403);
  assert.equal(why(body), 'two');
});

test('fields are selected by their escaped names: __dash__, __dot__, __slash__, __underscores__, reserved words', async () => {
  const given = { 'a-b': '1', 'c.d': '2', e_f: '3', namespace: '4', in: '5', plain__name: '6', k: 'x' };
  const expressions = [
    "object.data.a__dash__b == '1' && object.data.c__dot__d == '2' && object.data.e__underscores__f == '3'",
    "object.metadata.annotations.x__dot__y__slash__z == '7'",
    "object.data.namespace__ == '4' && object.data.__namespace__ == '4' && object.data.in__ == '5'",
    'has(object.data.a__dash__b) && !has(object.data.no__dash__pe)',
    "object.data.?a__dash__b.orValue('') == '1' && object.data.?no__dash__pe.orValue('no') == 'no'",
    "object.data.plain__name == '6' && object.data['a-b'] == '1' && object.data.namespace == '4'",
  ];
  for (const expression of expressions) {
    const { configMaps } = await inForce([{ expression }]);
    const map = { metadata: { name: 'a', annotations: { 'x.y/z': '7' } }, data: given };
    const { code, text } = await api.post(configMaps, map);
    assert.equal(code, 201, text);
  }
  const { configMaps } = await inForce([{ expression: "object.data.no__dash__pe == ''" }]);
  const { body } = await api.post(configMaps, configMap());
  assert.match(body.message, /resulted in error: no such key: (data|no__dash__pe)$/);
});

test('an evaluation error rejects the write, unless failurePolicy is Ignore', async () => {
  const broken = [{ expression: 'object.spec.nope == 1' }];
  const { configMaps } = await inForce(broken);
  const { body } = await api.post(configMaps, configMap());
  assert.equal(why(body), "expression 'object.spec.nope == 1' resulted in error: no such key: spec");
  const lenient = await inForce(broken, { policy: { failurePolicy: 'Ignore' } });
  assert.equal((await api.post(lenient.configMaps, configMap())).code, 201);
});

test('the action Warn sends a warning instead of rejecting the write', async () => {
  const { name, configMaps } = await inForce([{ expression: 'false', message: 'hm' }], {
    binding: { validationActions: ['Warn'] },
  });
  const { code, headers } = await api.post(configMaps, configMap());
  assert.equal(code, 201);
  const by = `ValidatingAdmissionPolicy '${name}' with binding '${name}-here'`;
  assert.equal(headers.get('warning'), `299 - "Validation failed for ${by}: hm"`);
});

test('messageExpression sets the message; message and expression are the fallbacks', async () => {
  for (const [messageExpression, expected] of [
    ['"no " + object.metadata.name', 'no a'],
    ['" "', 'fallback'],
    ['"a\\nb"', 'fallback'],
    ['string(object.nope)', 'fallback'],
  ]) {
    const { configMaps } = await inForce([{ expression: 'false', message: 'fallback', messageExpression }]);
    assert.equal(why((await api.post(configMaps, configMap())).body), expected);
  }
});

test('the first failed validation sets reason and code, by default Invalid and 422', async () => {
  const { configMaps } = await inForce([
    { expression: "object.metadata.name != 'a'", message: 'one', reason: 'Unauthorized' },
    { expression: "object.metadata.name == 'c'", message: 'two', reason: 'Forbidden' },
    { expression: 'false', message: 'three' },
  ]);
  for (const [name, code, reason, message] of [
    ['a', 401, 'Unauthorized', 'one'],
    ['b', 403, 'Forbidden', 'two'],
    ['c', 422, 'Invalid', 'three'],
  ] as const) {
    const response = await api.post(configMaps, configMap(name));
    assert.deepEqual([response.code, response.body.reason, why(response.body)], [code, reason, message]);
  }
});

test('matchResources of a binding narrow the policy; excluded resources are not checked', async () => {
  const { configMaps, space } = await inForce([{ expression: 'false' }], {
    rules: [rule(['configmaps', 'secrets'])],
    policy: {
      matchConstraints: {
        resourceRules: [rule(['configmaps', 'secrets'])],
        excludeResourceRules: [{ ...rule(['configmaps']), resourceNames: ['free'] }],
      },
    },
    binding: {
      matchResources: {
        resourceRules: [rule(['configmaps'], ['CREATE'])],
        excludeResourceRules: [{ ...rule(['configmaps']), resourceNames: ['bound-free'] }],
        objectSelector: { matchLabels: { narrowed: 'yes' } },
      },
    },
  });
  const labels = { narrowed: 'yes' };
  const code = async (name: string, path = configMaps) =>
    (await api.post(path, { metadata: { name, labels } })).code;
  assert.deepEqual([await code('a'), await code('free'), await code('bound-free')], [422, 201, 201]);
  assert.equal(await code('a', `/api/v1/namespaces/${space}/secrets`), 201);
  assert.equal((await api.post(configMaps, configMap('unlabelled'))).code, 201);
});

test('authorizer checks permissions of the user or of a service account', async () => {
  const may = (who: string) =>
    `${who}.group('').resource('secrets').namespace('default').check('get').allowed()`;
  const { configMaps } = await inForce([
    { expression: may('authorizer'), message: 'the writer' },
    { expression: "authorizer.requestResource.check('create').allowed()", message: 'the request' },
    { expression: may("authorizer.serviceAccount('default', 'a')"), message: 'the account' },
  ]);
  assert.equal(why((await api.post(configMaps, configMap())).body), 'the account');
});

test('a variable is evaluated lazily and once', async () => {
  const { configMaps } = await inForce([{ expression: 'variables.b == 4 || variables.never' }], {
    policy: {
      variables: [
        { name: 'a', expression: 'object.data.size()' },
        { name: 'b', expression: 'variables.a * 2' },
        { name: 'never', expression: 'object.nope == 1' },
      ],
    },
  });
  assert.equal((await api.post(configMaps, configMap('a', { x: '1', y: '2' }))).code, 201);
  assert.equal(
    why((await api.post(configMaps, configMap('b', { x: '1' }))).body),
    "expression 'variables.b == 4 || variables.never' resulted in error: " +
      'composited variable "never" fails to evaluate: no such key: nope',
  );
});

test('a parameter is read in its current state', async () => {
  const limits = await api.namespace('configmaps');
  const { configMaps } = await inForce(
    [{ expression: 'object.data.size() <= int(params.data.most)', message: 'more than the limit' }],
    {
      policy: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
      binding: {
        paramRef: { name: 'limit', namespace: limits.split('/')[4], parameterNotFoundAction: 'Deny' },
      },
    },
  );
  const two = configMap('a', { x: '1', y: '2' });
  const { body } = await api.post(configMaps, two);
  assert.match(why(body), /^failed to configure binding: no params found/);
  await api.post(limits, configMap('limit', { most: '1' }));
  assert.equal(why((await api.post(configMaps, two)).body), 'more than the limit');
  await api.put(`${limits}/limit`, configMap('limit', { most: '2' }));
  assert.equal((await api.post(configMaps, two)).code, 201);
});

test('a policy is evaluated for every parameter that a selector matches', async () => {
  const limits = await api.namespace('configmaps');
  const { configMaps } = await inForce([{ expression: 'object.metadata.name != params.data.not' }], {
    policy: { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
    binding: {
      paramRef: {
        selector: { matchLabels: { kind: 'names' } },
        namespace: limits.split('/')[4],
        parameterNotFoundAction: 'Allow',
      },
    },
  });
  const allowed = async (name: string) =>
    (await api.post(`${configMaps}?dryRun=All`, configMap(name, { x: '1' }))).code === 201;
  assert.ok(await allowed('a'));
  for (const not of ['a', 'b']) {
    const labels = { kind: 'names' };
    await api.post(limits, { metadata: { name: `not-${not}`, labels }, data: { not } });
  }
  assert.ok(!(await allowed('a')) && !(await allowed('b')) && (await allowed('c')));
  await api.delete(`${limits}/not-b`);
  assert.ok(!(await allowed('a')) && (await allowed('b')));
});

test('a policy applies to deletions and subresources', async () => {
  const { configMaps, space } = await inForce(
    [{ expression: 'object != null && !has(request.subResource)', message: 'not so' }],
    {
      rules: [
        rule(['configmaps'], ['DELETE']),
        rule(['deployments/scale', 'pods/eviction'], ['UPDATE', 'CREATE'], ['', 'apps']),
      ],
    },
  );
  assert.equal((await api.post(configMaps, configMap())).code, 201);
  assert.equal(why((await api.delete(`${configMaps}/a`)).body), 'not so');
  const { body } = await api.delete(configMaps);
  assert.match(body.message, /^configmaps "Unknown" is forbidden/);
  assert.equal((await api.get(`${configMaps}/a`)).code, 200);
  const deployments = `/apis/apps/v1/namespaces/${space}/deployments`;
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  await api.post(deployments, {
    metadata: { name: 'd' },
    spec: { selector: { matchLabels: { a: 'b' } }, template },
  });
  const scale = { metadata: { name: 'd', namespace: space }, spec: { replicas: 2 } };
  assert.equal(why((await api.put(`${deployments}/d/scale`, scale)).body), 'not so');
});

test('the object has the version of the matching rule', async () => {
  const scalers = { apiGroups: ['autoscaling'], apiVersions: ['v1'], operations: ['*'] };
  const { space } = await inForce(
    [{ expression: 'object.spec.targetCPUUtilizationPercentage < 50', message: 'too high' }],
    { rules: [{ ...scalers, resources: ['horizontalpodautoscalers'] }] },
  );
  const metric = {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } },
  };
  const { body } = await api.post(`/apis/autoscaling/v2/namespaces/${space}/horizontalpodautoscalers`, {
    metadata: { name: 'a' },
    spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' }, metrics: [metric] },
  });
  assert.equal(why(body), 'too high');
});

test('the cost of a policy is limited', async () => {
  const ten = '[1,2,3,4,5,6,7,8,9,10]';
  const nested = (depth: number): string =>
    depth === 0 ? 'true' : `${ten}.all(a${depth}, ${nested(depth - 1)})`;
  const { configMaps } = await inForce([{ expression: nested(6) }]);
  assert.match(
    why((await api.post(configMaps, configMap())).body),
    /operation cancelled: actual cost limit exceeded$/,
  );
  const many = await inForce(Array.from({ length: 60 }, () => ({ expression: nested(5) })));
  assert.match(why((await api.post(many.configMaps, configMap())).body), /running out of cost budget/);
});

test('policies do not apply to policies and bindings', async () => {
  const { name } = await inForce([{ expression: 'false' }], {
    rules: [{ apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'] }],
    binding: {
      matchResources: { objectSelector: { matchLabels: { locked: 'yes' } } },
    },
  });
  const labels = { locked: 'yes' };
  const review = await api.post('/apis/authentication.orch.io/v1/selfsubjectreviews', {
    metadata: { labels },
  });
  assert.equal(review.code, 201);
  assert.equal((await api.post('/api/v1/namespaces', { metadata: { name: 'locked', labels } })).code, 422);
  const binding = {
    metadata: { name: 'free', labels },
    spec: { policyName: 'x', validationActions: ['Deny'] },
  };
  assert.equal((await api.post(`${group}/validatingadmissionpolicybindings`, binding)).code, 201);
  assert.equal((await api.delete(`${group}/validatingadmissionpolicies/${name}`)).code, 200);
});

test('status.typeChecking has the type errors of expressions', async () => {
  const { name } = await inForce([{ expression: 'object.spec.replicas == "1" || true' }], {
    rules: [{ ...rule(['deployments', 'pods']), apiGroups: ['apps', ''] }],
  });
  const watch = await api.watch(
    `${group}/validatingadmissionpolicies?watch=1&fieldSelector=metadata.name=${name}`,
  );
  let status: unknown;
  while (!(status as { observedGeneration?: number } | undefined)?.observedGeneration) {
    const event = await watch.next();
    assert.ok(event, 'the policy is never looked at');
    status = event.object.status;
  }
  watch.close();
  const { observedGeneration, typeChecking } = status as {
    observedGeneration: number;
    typeChecking: { expressionWarnings: { fieldRef: string; warning: string }[] };
  };
  assert.equal(observedGeneration, 1);
  assert.deepEqual(
    typeChecking.expressionWarnings.map(({ fieldRef, warning }) => [fieldRef, warning.split('\n')[0]]),
    [['spec.validations[0].expression', "/v1, Kind=Pod: ERROR: <input>:1:12: undefined field 'replicas'"]],
  );
  assert.match(typeChecking.expressionWarnings[0]!.warning, /apps\/v1, Kind=Deployment: .*'\(int, string\)'/);
});

test('a policy matches custom resources, and uses them as parameters, as soon as they are served', async () => {
  const apiVersion = 'limits.example.com/v1';
  const { configMaps, space } = await inForce(
    [{ expression: 'object.data.size() <= params.spec.most', message: 'too much' }],
    {
      policy: { paramKind: { apiVersion, kind: 'Limit' } },
      binding: {
        paramRef: { name: 'a', parameterNotFoundAction: 'Deny' },
        matchResources: { objectSelector: { matchLabels: { limited: 'yes' } } },
      },
      rules: [{ ...rule(['configmaps']), apiGroups: ['', 'limits.example.com'] }],
    },
  );
  const big = { ...configMap('a', { x: '1', y: '2' }), metadata: { name: 'a', labels: { limited: 'yes' } } };
  assert.match(
    why((await api.post(configMaps, big)).body),
    /failed to find resource referenced by paramKind/,
  );
  const schema = { openAPIV3Schema: { type: 'object', 'x-orch-preserve-unknown-fields': true } };
  const crd = await api.post('/apis/apiextensions.orch.io/v1/customresourcedefinitions', {
    metadata: { name: 'limits.limits.example.com' },
    spec: {
      group: 'limits.example.com',
      scope: 'Namespaced',
      names: { plural: 'limits', singular: 'limit', kind: 'Limit', listKind: 'LimitList' },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  });
  assert.equal(crd.code, 201, crd.text);
  const limits = `/apis/${apiVersion}/namespaces/${space}/limits`;
  const made = await api.post(limits, {
    apiVersion,
    kind: 'Limit',
    metadata: { name: 'a' },
    spec: { most: 1 },
  });
  assert.equal(made.code, 201, made.text);
  assert.equal(why((await api.post(configMaps, big)).body), 'too much');
});
