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

test('ValidatingAdmissionPolicyBinding: excludeResourceRules name operations, groups, versions, resources and a scope', async () => {
  const rule = { apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], operations: ['CREATE', 'UPDATE'] };
  const of = (change: object) => ({
    spec: { matchResources: { excludeResourceRules: [{ ...rule, ...change }] } },
  });
  const path = 'spec.matchResources.excludeResourceRules[0]';
  for (const operations of [['DELETE'], ['CONNECT'], ['*']]) await bindings.valid(of({ operations }));
  for (const scope of ['Cluster', 'Namespaced', '*']) await bindings.valid(of({ scope }));
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
