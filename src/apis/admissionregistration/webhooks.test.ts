import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryCreateLoaded, tryUpdate } from '../try-rules.ts';
import { mutatingwebhookconfigurations } from './mutatingwebhookconfiguration.ts';
import { validatingwebhookconfigurations } from './validatingwebhookconfiguration.ts';

const context = { dialect: orch, features: everyFeature };
const validating = validatingwebhookconfigurations(context);
const mutating = mutatingwebhookconfigurations(context);

const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] };
const webhook = (changes: object = {}) => ({
  name: 'a.example.com',
  clientConfig: { url: 'https://a' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [rule],
  ...changes,
});
const problems = (changes: object) => tryCreate(validating, { webhooks: [webhook(changes)] }).problems;
const ruled = (changes: object) => problems({ rules: [{ ...rule, ...changes }] });

test('timeoutSeconds is 10, failurePolicy Fail and matchPolicy Equivalent by default', () => {
  for (const definition of [validating, mutating]) {
    const [made] = tryCreate(definition, { webhooks: [webhook()] }).object.webhooks ?? [];
    assert.equal(made?.timeoutSeconds, 10);
    assert.equal(made?.failurePolicy, 'Fail');
    assert.equal(made?.matchPolicy, 'Equivalent');
    assert.deepEqual([made?.namespaceSelector, made?.objectSelector], [{}, {}]);
    assert.equal(made?.rules?.[0]?.scope, '*');
  }
});

test('a service has port 443 by default', () => {
  const hook = webhook({ clientConfig: { service: { name: 'a', namespace: 'b' } } });
  const { object } = tryCreate(validating, { webhooks: [hook] });
  assert.equal(object.webhooks?.[0]?.clientConfig.service?.port, 443);
});

test('reinvocationPolicy is Never by default, and Never or IfNeeded', () => {
  const { object } = tryCreate(mutating, { webhooks: [webhook()] });
  assert.equal(object.webhooks?.[0]?.reinvocationPolicy, 'Never');
  const { problems: found } = tryCreate(mutating, { webhooks: [webhook({ reinvocationPolicy: 'x' })] });
  assert.match(found[0]!, /supported values: "IfNeeded", "Never"/);
});

test('sideEffects is required: None or NoneOnDryRun', () => {
  assert.deepEqual(problems({ sideEffects: 'NoneOnDryRun' }), []);
  assert.deepEqual(problems({ sideEffects: null }), [
    'webhooks[0].sideEffects: Required value: must specify one of None, NoneOnDryRun',
  ]);
  for (const sideEffects of ['Some', 'Unknown', '']) {
    assert.match(problems({ sideEffects })[0]!, /supported values: "None", "NoneOnDryRun"/);
  }
});

test('admissionReviewVersions is required: v1 or v1beta1 among them', () => {
  assert.deepEqual(problems({ admissionReviewVersions: ['v2', 'v1beta1'] }), []);
  assert.match(problems({ admissionReviewVersions: [] })[0]!, /must specify one of v1, v1beta1/);
  assert.match(problems({ admissionReviewVersions: ['v2'] })[0]!, /must include at least one of v1, v1beta1/);
});

test('names of webhooks are unique domains of three parts', () => {
  const { problems: found } = tryCreate(validating, { webhooks: [webhook(), webhook()] });
  assert.deepEqual(found, ['webhooks[1].name: Duplicate value: "a.example.com"']);
  assert.match(problems({ name: 'a.b' })[0]!, /at least three segments separated by dots/);
  assert.deepEqual(problems({ name: '' }), ['webhooks[0].name: Required value']);
});

test('the timeout is 1 to 30 seconds', () => {
  for (const timeoutSeconds of [1, 30]) assert.deepEqual(problems({ timeoutSeconds }), []);
  for (const timeoutSeconds of [0, 31]) {
    assert.match(problems({ timeoutSeconds })[0]!, /must be between 1 and 30 seconds/);
  }
});

test('exactly one of url and service is given', () => {
  assert.match(problems({ clientConfig: {} })[0]!, /exactly one of url or service is required/);
});

test('rules name groups, versions, resources and operations; * stands alone', () => {
  for (const part of ['apiGroups', 'apiVersions', 'resources', 'operations']) {
    assert.match(ruled({ [part]: [] })[0]!, new RegExp(`${part}: Required value`));
    assert.match(ruled({ [part]: ['*', 'x'] })[0]!, /if '\*' is present/);
  }
  assert.match(ruled({ operations: ['create'] })[0]!, /"\*", "CONNECT", "CREATE", "DELETE", "UPDATE"/);
  assert.match(ruled({ scope: 'x' })[0]!, /"\*", "Cluster", "Namespaced"/);
});

test('what a rule covers with a wildcard it does not name again', () => {
  assert.deepEqual(ruled({ resources: ['*', 'pods/log'] }), []);
  assert.match(ruled({ resources: ['pods/*', 'pods/log'] })[0]!, /if 'pods\/\*' is present/);
  assert.match(ruled({ resources: ['*/log', 'pods/log'] })[0]!, /if '\*\/log' is present/);
  assert.match(ruled({ resources: ['*/*', 'pods'] })[0]!, /if '\*\/\*' is present/);
});

test('match conditions have names of their own and expressions, at most 64', async () => {
  const conditions = async (...matchConditions: object[]) =>
    (await tryCreateLoaded(validating, { webhooks: [webhook({ matchConditions })] })).problems;
  assert.deepEqual(await conditions({ name: 'a', expression: 'true' }), []);
  assert.deepEqual(await conditions({}), [
    'webhooks[0].matchConditions[0].expression: Required value',
    'webhooks[0].matchConditions[0].name: Required value',
  ]);
  assert.match(
    (await conditions({ name: 'a', expression: 'true' }, { name: 'a', expression: 'true' }))[0]!,
    /Duplicate value: "a"/,
  );
  const many = Array.from({ length: 65 }, (_, i) => ({ name: `a${i}`, expression: 'true' }));
  assert.match((await conditions(...many))[0]!, /must have at most 64 items/);
});

test('a change of the webhooks is a new generation', () => {
  const before = { webhooks: [webhook()] };
  const after = { webhooks: [webhook({ timeoutSeconds: 5 })] };
  assert.equal(tryUpdate(validating, before, before).object.metadata.generation, 1);
  assert.equal(tryUpdate(validating, before, after).object.metadata.generation, 2);
});

test('an update must say which state it replaces', () => {
  assert.ok(!validating.strategy.allowUnconditionalUpdate);
});
