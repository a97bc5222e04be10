import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const group = '/apis/admissionregistration.orch.io/v1';
const policies = kind(http, `${group}/validatingadmissionpolicies`);
const bindings = kind(http, `${group}/validatingadmissionpolicybindings`);
const validation = (change: object) => ({ spec: { validations: [{ expression: 'true', ...change }] } });
const at = 'spec.validations[0]';

test('ValidatingAdmissionPolicy: a validation needs an expression', async () => {
  await policies.valid(validation({ expression: 'object.spec.replicas < 5' }));
  await policies.invalid(validation({ expression: '' }), `${at}.expression`);
});

test('ValidatingAdmissionPolicy: a message has no line breaks', async () => {
  await policies.valid(validation({ message: 'no' }));
  await policies.invalid(validation({ message: 'no\nno' }), `${at}.message`);
});

test('ValidatingAdmissionPolicy: an expression with line breaks needs a message', async () => {
  await policies.valid(validation({ expression: 'true\n&& true', message: 'no' }));
  await policies.invalid(validation({ expression: 'true\n&& true' }), `${at}.message`);
});

test('ValidatingAdmissionPolicy: reason is Unauthorized, Forbidden, Invalid or RequestEntityTooLarge', async () => {
  await policies.valid(validation({}));
  for (const reason of ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge']) {
    await policies.valid(validation({ reason }));
  }
  await policies.invalid(validation({ reason: 'NotFound' }), `${at}.reason`);
});

test('ValidatingAdmissionPolicy: a variable has an expression and a unique name that is a CEL identifier', async () => {
  const of = (...variables: object[]) => ({ spec: { variables } });
  const one = { name: 'one', expression: '1' };
  await policies.valid(of(one, { name: 'two', expression: 'variables.one + 1' }));
  await policies.invalid(of({ name: 'a-b', expression: '1' }), 'spec.variables[0].name');
  await policies.invalid(of({ name: 'one', expression: '' }), 'spec.variables[0].expression');
  await policies.invalid(of(one, one), 'spec.variables[1].name');
});

let inForce = 0;

/** A new namespace, after a policy with this spec and a binding to it were created. */
async function underPolicy(spec: object, binding: object = {}) {
  const name = `in-force-${++inForce}`;
  const maps = await http.namespace();
  const namespace = maps.split('/')[4]!;
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] };
  await policies.create({
    metadata: { name },
    spec: { matchConstraints: { resourceRules: [rule] }, ...spec },
  });
  await bindings.create({
    metadata: { name },
    spec: {
      policyName: name,
      matchResources: { namespaceSelector: { matchLabels: { 'orch.io/metadata.name': namespace } } },
      ...binding,
    },
  });
  return { maps, namespace };
}

test('ValidatingAdmissionPolicy: object is null on DELETE, and oldObject on CREATE', async () => {
  const expression = `
    request.operation == "CREATE" ? object != null && oldObject == null :
    request.operation == "DELETE" ? object == null && oldObject.data.k == "2" :
    object.data.k == "2" && oldObject.data.k == "1"`;
  const { maps } = await underPolicy({ validations: [{ expression, message: 'not so' }] });
  const map = { metadata: { name: 'a' }, data: { k: '1' } };
  const created = await http.post(maps, map);
  assert.equal(created.code, 201, created.text);
  const updated = await http.put(`${maps}/a`, { ...map, data: { k: '2' } });
  assert.equal(updated.code, 200, updated.text);
  const deleted = await http.delete(`${maps}/a`);
  assert.equal(deleted.code, 200, deleted.text);
});

test('ValidatingAdmissionPolicy: namespaceObject is the namespace, and null for cluster-scoped kinds', async () => {
  const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['*'] };
  const { maps } = await underPolicy(
    {
      matchConstraints: { resourceRules: [{ ...rule, resources: ['configmaps', 'nodes'] }] },
      validations: [
        {
          expression:
            'request.resource.resource == "nodes" ? namespaceObject == null : namespaceObject.metadata.name == request.namespace',
        },
      ],
    },
    { matchResources: { objectSelector: { matchLabels: { seen: 'yes' } } } },
  );
  const seen = { metadata: { name: 'seen', labels: { seen: 'yes' } } };
  for (const path of [maps, '/api/v1/nodes']) {
    const made = await http.post(path, seen);
    assert.equal(made.code, 201, made.text);
  }
});

test('ValidatingAdmissionPolicy: params exists only if the policy has a paramKind', async () => {
  const field = `${at}.expression`;
  await policies.invalid(
    validation({ expression: 'params != null' }),
    field,
    /undeclared reference to 'params'/,
  );
  const paramKind = { apiVersion: 'v1', kind: 'ConfigMap' };
  await policies.valid({ spec: { ...validation({ expression: 'params != null' }).spec, paramKind } });
});

test('ValidatingAdmissionPolicy: messageExpression has all variables but authorizer', async () => {
  const says = (messageExpression: string) => validation({ messageExpression });
  await policies.valid(says('string(object == null) + string(oldObject == null) + request.name'));
  await policies.valid(says('string(namespaceObject == null)'));
  for (const hidden of ['authorizer', 'authorizer.requestResource']) {
    const expression = `string(${hidden} == ${hidden})`;
    await policies.invalid(
      says(expression),
      `${at}.messageExpression`,
      /undeclared reference to 'authorizer'/,
    );
  }
});

/** Costs about ten to the power of `depth`. */
const costly = (depth: number): string =>
  depth === 0 ? 'true' : `[1,2,3,4,5,6,7,8,9,10].all(a${depth}, ${costly(depth - 1)})`;

test('ValidatingAdmissionPolicyBinding: every binding and every parameter has its own cost budget', async () => {
  // Fifteen of these are within the budget, and three times as many are not.
  const validations = Array.from({ length: 15 }, () => ({ expression: costly(5) }));
  const thrice = await underPolicy({ validations: [...validations, ...validations, ...validations] });
  const refused = await http.post(thrice.maps, { metadata: { name: 'a' } });
  assert.match(refused.body.message, /running out of cost budget/);

  const { maps: params, namespace } = await underPolicy({ validations: [{ expression: 'true' }] });
  for (const name of ['one', 'two', 'three']) {
    await http.post(params, { metadata: { name, labels: { is: 'param' } } });
  }
  const { maps } = await underPolicy(
    { validations, paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } },
    {
      paramRef: {
        namespace,
        selector: { matchLabels: { is: 'param' } },
        parameterNotFoundAction: 'Deny',
      },
      matchResources: { objectSelector: { matchLabels: { held: 'yes' } } },
    },
  );
  const made = await http.post(maps, { metadata: { name: 'a', labels: { held: 'yes' } } });
  assert.equal(made.code, 201, made.text);
});

test('ValidatingAdmissionPolicy: status has conditions and typeChecking, written through status', async () => {
  const policy = await policies.create({ metadata: { name: 'with-status' } });
  const status = {
    observedGeneration: 1,
    typeChecking: { expressionWarnings: [{ fieldRef: 'spec.validations[0].expression', warning: 'hm' }] },
    conditions: [
      {
        type: 'Checked',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'R',
        message: 'm',
      },
    ],
  };
  const written = await policies.update(policy, { status }, 'status');
  assert.deepEqual(written.status, status);
  assert.deepEqual((await policies.update(written, { status: null })).status, status);
});

test('ValidatingAdmissionPolicy: a condition has all fields but observedGeneration, of which message may be empty', async () => {
  const policy = await policies.create({ metadata: { name: 'with-conditions' } });
  const condition = {
    type: 'Checked',
    status: 'True',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    reason: 'R',
    message: '',
  };
  for (const field of Object.keys(condition)) {
    await policies.invalidConditions(policy, [{ ...condition, [field]: null }], field);
  }
  await policies.invalidConditions(policy, [{ ...condition, status: 'Maybe' }], 'status');
  await policies.update(policy, { status: { conditions: [condition] } }, 'status');
});

test('ValidatingAdmissionPolicyBinding: excludeResourceRules name operations, groups, versions, resources and a scope', async () => {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'] };
  const of = (change: object) => ({
    spec: { matchResources: { excludeResourceRules: [{ ...rule, ...change }] } },
  });
  const path = 'spec.matchResources.excludeResourceRules[0]';
  for (const operations of [['DELETE'], ['CONNECT'], ['*']]) await bindings.valid(of({ operations }));
  for (const scope of ['Cluster', 'Namespaced', '', '*']) await bindings.valid(of({ scope }));
  await bindings.valid(of({ resourceNames: ['one'] }));
  await bindings.invalid(of({ operations: ['READ'] }), `${path}.operations[0]`);
  await bindings.invalid(of({ scope: 'Galaxy' }), `${path}.scope`);
});

test('ValidatingAdmissionPolicyBinding: matchPolicy is Exact or Equivalent', async () => {
  const of = (matchPolicy: string) => ({ spec: { matchResources: { matchPolicy } } });
  for (const good of ['Exact', 'Equivalent']) await bindings.valid(of(good));
  await bindings.invalid(of('Similar'), 'spec.matchResources.matchPolicy');
});

for (const plural of ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations']) {
  const configurations = kind(http, `${group}/${plural}`);
  const webhook = {
    name: 'a.example.com',
    clientConfig: { url: 'https://a.example.com' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  };
  const of = (change: object, ...more: object[]) => ({ webhooks: [{ ...webhook, ...change }, ...more] });

  test(`${plural}: failurePolicy is Fail, matchPolicy Equivalent and timeoutSeconds 10 by default`, async () => {
    const [made] = (await configurations.valid(of({}))).webhooks as Record<string, unknown>[];
    assert.equal(made!.failurePolicy, 'Fail');
    assert.equal(made!.matchPolicy, 'Equivalent');
    assert.equal(made!.timeoutSeconds, 10);
  });

  test(`${plural}: sideEffects is required, None or NoneOnDryRun`, async () => {
    await configurations.valid(of({ sideEffects: 'NoneOnDryRun' }));
    for (const sideEffects of [undefined, 'Some', 'Unknown']) {
      await configurations.invalid(of({ sideEffects }), 'webhooks[0].sideEffects');
    }
  });

  test(`${plural}: admissionReviewVersions is required, with v1 or v1beta1`, async () => {
    for (const admissionReviewVersions of [['v1'], ['v1beta1'], ['v9', 'v1']]) {
      await configurations.valid(of({ admissionReviewVersions }));
    }
    const field = 'webhooks[0].admissionReviewVersions';
    for (const admissionReviewVersions of [undefined, ['v9']]) {
      await configurations.invalid(of({ admissionReviewVersions }), field);
    }
  });

  test(`${plural}: the name of a webhook is unique`, async () => {
    await configurations.valid(of({}, { ...webhook, name: 'b.example.com' }));
    await configurations.invalid(of({}, webhook), 'webhooks[1].name');
  });
}
