import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orch } from '../../dialect/index.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { tryCreate, tryUpdate } from '../try-rules.ts';
import { mutatingadmissionpolicies } from './mutatingadmissionpolicy.ts';
import { mutatingadmissionpolicybindings } from './mutatingadmissionpolicybinding.ts';
import { validatingadmissionpolicies } from './validatingadmissionpolicy.ts';
import type { ValidatingAdmissionPolicy } from './validatingadmissionpolicy-schema.ts';
import { validatingadmissionpolicybindings } from './validatingadmissionpolicybinding.ts';

const context = { dialect: orch, features: everyFeature };
const policies = validatingadmissionpolicies(context);
const bindings = validatingadmissionpolicybindings(context);
const mutating = mutatingadmissionpolicies(context);
await policies.strategy.load!({ spec: {} } as ValidatingAdmissionPolicy);

const rule = { apiGroups: ['apps'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['deployments'] };
const spec = (changes: object = {}) => ({
  matchConstraints: { resourceRules: [rule] },
  validations: [{ expression: 'true' }],
  ...changes,
});
const problems = (changes: object) => tryCreate(policies, { spec: spec(changes) }).problems;
const validation = (changes: object) => problems({ validations: [{ expression: 'true', ...changes }] });
const bound = (changes: object) =>
  tryCreate(bindings, { spec: { policyName: 'p', validationActions: ['Deny'], ...changes } }).problems;

test('defaults: failurePolicy Fail, matchPolicy Equivalent, selectors for all, any scope', () => {
  const { object } = tryCreate(policies, { spec: spec() });
  assert.equal(object.spec.failurePolicy, 'Fail');
  assert.deepEqual(object.spec.matchConstraints, {
    resourceRules: [{ ...rule, scope: '*' }],
    namespaceSelector: {},
    objectSelector: {},
    matchPolicy: 'Equivalent',
  });
});

test('validations: the expression is required', () => {
  assert.deepEqual(validation({ expression: ' ' }), [
    'spec.validations[0].expression: Required value: expression is not specified',
  ]);
  assert.match(problems({ validations: [] })[0]!, /must contain at least one item/);
});

test('validations: the message must not contain line breaks', () => {
  assert.deepEqual(validation({ message: 'one line' }), []);
  assert.deepEqual(validation({ message: 'two\nlines' }), [
    'spec.validations[0].message: Invalid value: "two\\nlines": message must not contain line breaks',
  ]);
  assert.match(validation({ message: ' ' })[0]!, /message must be non-empty if specified/);
});

test('validations: an expression with line breaks needs a message', () => {
  assert.deepEqual(validation({ expression: 'true &&\n true', message: 'why' }), []);
  assert.deepEqual(validation({ expression: 'true &&\n true' }), [
    'spec.validations[0].message: Required value: message must be specified if expression contains line breaks',
  ]);
});

test('validations: the reason is Unauthorized, Forbidden, Invalid or RequestEntityTooLarge', () => {
  for (const reason of ['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge']) {
    assert.deepEqual(validation({ reason }), []);
  }
  for (const reason of ['NotFound', '']) {
    assert.match(validation({ reason })[0]!, /supported values: "Forbidden", "Invalid"/);
  }
});

test('validations: a message expression says something', () => {
  assert.deepEqual(validation({ messageExpression: '"a"' }), []);
  assert.match(validation({ messageExpression: ' ' })[0]!, /must be non-empty if specified/);
});

test('variables: no two have the same name', () => {
  const variables = [
    { name: 'a', expression: '1' },
    { name: 'a', expression: '2' },
  ];
  assert.deepEqual(problems({ variables }), ['spec.variables[1].name: Duplicate value: "a"']);
});

test('variables: the name is a CEL identifier, the expression required', () => {
  const named = (name: string) => problems({ variables: [{ name, expression: '1' }] });
  for (const name of ['a', '_a', 'A1', 'object']) assert.deepEqual(named(name), []);
  for (const name of ['a-b', '1a', 'a.b', 'in', 'true', 'null', 'namespace']) {
    assert.match(named(name)[0]!, /name is not a valid CEL identifier/);
  }
  assert.deepEqual(problems({ variables: [{}] }), [
    'spec.variables[0].name: Required value: name is not specified',
    'spec.variables[0].expression: Required value: expression is not specified',
  ]);
});

test('audit annotations: keys behind the name of the policy, at most 20, values of 5 kB', () => {
  const noted = (...auditAnnotations: object[]) => problems({ auditAnnotations });
  assert.deepEqual(noted({ key: 'a', valueExpression: '"x"' }), []);
  assert.match(noted({ key: 'a b', valueExpression: '"x"' })[0]!, /Invalid value: "n\/a b"/);
  assert.match(noted({ key: 'a', valueExpression: ' ' })[0]!, /valueExpression is not specified/);
  assert.match(noted({ key: 'a', valueExpression: 'x'.repeat(5121) })[0]!, /must not exceed 5120 bytes/);
  const many = Array.from({ length: 21 }, (_, i) => ({ key: `a${i}`, valueExpression: '"x"' }));
  assert.match(noted(...many)[0]!, /must not have more than 20 auditAnnotations/);
});

test('the kind of parameters is named in full', () => {
  const kind = (paramKind: object) => problems({ paramKind });
  assert.deepEqual(kind({ apiVersion: 'apps/v1', kind: 'Deployment' }), []);
  assert.deepEqual(kind({}), [
    'spec.paramKind.apiVersion: Required value',
    'spec.paramKind.kind: Required value',
  ]);
  assert.match(kind({ apiVersion: 'a/b/c', kind: 'A' })[0]!, /unexpected GroupVersion string/);
});

test('what is matched must be said', () => {
  assert.deepEqual(problems({ matchConstraints: null }), ['spec.matchConstraints: Required value']);
  assert.deepEqual(problems({ matchConstraints: {} }), [
    'spec.matchConstraints.resourceRules: Required value',
  ]);
});

test('matchResources: excludes are rules too: operations, scope and names are checked', () => {
  const excluding = (changes: object) =>
    bound({ matchResources: { excludeResourceRules: [{ ...rule, ...changes }] } });
  for (const scope of ['Cluster', 'Namespaced']) assert.deepEqual(excluding({ scope }), []);
  assert.match(excluding({ operations: ['X'] })[0]!, /"\*", "CONNECT", "CREATE", "DELETE", "UPDATE"/);
  assert.match(excluding({ scope: 'Q' })[0]!, /Unsupported value: "Q"/);
  assert.match(excluding({ resourceNames: ['a/b'] })[0]!, /may not contain '\/'/);
  assert.match(bound({ matchResources: { matchPolicy: 'q' } })[0]!, /"Equivalent", "Exact"/);
});

test('status: conditions and warnings are complete', () => {
  const written = (status: object) =>
    tryUpdate(policies, { spec: spec() }, { spec: spec(), status }, 'status');
  const condition = {
    type: 'A',
    status: 'True',
    reason: 'R',
    message: 'm',
    lastTransitionTime: '2024-01-02T03:04:05Z',
  };
  const good = { observedGeneration: 1, conditions: [condition] };
  assert.deepEqual(written(good).problems, []);
  assert.deepEqual(written(good).object.status, good);
  assert.match(written({ conditions: [condition, condition] }).problems[0]!, /Duplicate value: "A"/);
  assert.match(
    written({ conditions: [{ ...condition, status: 'q' }] }).problems[0]!,
    /"False", "True", "Unknown"/,
  );
  for (const part of ['type', 'reason', 'lastTransitionTime']) {
    assert.ok(written({ conditions: [{ ...condition, [part]: null }] }).problems.length > 0, part);
  }
  assert.deepEqual(written({ typeChecking: { expressionWarnings: [{}] } }).problems, [
    'status.typeChecking.expressionWarnings[0].warning: Required value',
    'status.typeChecking.expressionWarnings[0].fieldRef: Required value',
  ]);
});

test('a change of the spec is a new generation, and leaves the status as it is', () => {
  const after = { spec: spec({ failurePolicy: 'Ignore' }), status: { observedGeneration: 9 } };
  const { object } = tryUpdate(policies, { spec: spec() }, after);
  assert.equal(object.metadata.generation, 2);
  assert.deepEqual(object.status, {});
});

test('a binding denies or warns, and may audit', () => {
  for (const validationActions of [['Deny'], ['Warn', 'Audit'], ['Deny', 'Audit']]) {
    assert.deepEqual(bound({ validationActions }), []);
  }
  assert.match(bound({ validationActions: ['Deny', 'Warn'] })[0]!, /must not contain both Deny and Warn/);
  assert.match(bound({ validationActions: ['Deny', 'Deny'] })[0]!, /Duplicate value: "Deny"/);
  assert.match(bound({ validationActions: [] })[0]!, /at least one validation action is required/);
});

test('a binding names its policy and where parameters are', () => {
  assert.deepEqual(bound({ policyName: '' }), ['spec.policyName: Required value']);
  assert.match(bound({ paramRef: {} })[0]!, /one of name or selector must be specified/);
  assert.match(bound({ paramRef: { name: 'a' } })[0]!, /parameterNotFoundAction: Required value/);
  assert.deepEqual(bound({ paramRef: { name: 'a', parameterNotFoundAction: 'Deny' } }), []);
  const both = { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' };
  assert.match(bound({ paramRef: both })[0]!, /name and selector are mutually exclusive/);
});

test('a policy that changes objects says how, and whether once more', () => {
  const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } };
  const changing = (changes: object) =>
    tryCreate(mutating, {
      spec: {
        matchConstraints: { resourceRules: [rule] },
        reinvocationPolicy: 'Never',
        mutations: [mutation],
        ...changes,
      },
    }).problems;
  assert.deepEqual(changing({}), []);
  assert.deepEqual(changing({ reinvocationPolicy: '' }), ['spec.reinvocationPolicy: Required value']);
  assert.match(changing({ mutations: [] })[0]!, /mutations must contain at least one item/);
  assert.match(
    changing({ mutations: [{ patchType: 'JSONPatch' }] })[0]!,
    /must be specified when patchType is JSONPatch/,
  );
  assert.match(
    changing({ mutations: [{ ...mutation, jsonPatch: { expression: '[]' } }] })[0]!,
    /must not be specified when patchType is ApplyConfiguration/,
  );
});

test('parameters of a binding that changes objects deny by default', () => {
  const definition = mutatingadmissionpolicybindings(context);
  const { object } = tryCreate(definition, { spec: { policyName: 'p', paramRef: { name: 'a' } } });
  assert.equal(object.spec.paramRef?.parameterNotFoundAction, 'Deny');
});

test('expressions: each is compiled, with what it may refer to', () => {
  assert.deepEqual(validation({ expression: 'object.x' }), [
    'spec.validations[0].expression: Invalid value: "object.x": must evaluate to bool but got dyn',
  ]);
  assert.deepEqual(validation({ messageExpression: '1' }), [
    'spec.validations[0].messageExpression: Invalid value: "1": must evaluate to string but got int',
  ]);
  assert.match(
    validation({ messageExpression: 'authorizer.path("/").check("get").reason()' })[0]!,
    /undeclared reference to 'authorizer'/,
  );
  assert.match(validation({ expression: 'request.uid == ""' })[0]!, /undefined field 'uid'/);
  assert.match(validation({ expression: 'params.a' })[0]!, /undeclared reference to 'params'/);
  const withParams = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
  assert.deepEqual(problems({ ...withParams, validations: [{ expression: 'params.a == 1' }] }), []);
  assert.deepEqual(problems({ auditAnnotations: [{ key: 'a', valueExpression: 'true' }] }), [
    'spec.auditAnnotations[0].valueExpression: Invalid value: "true": must evaluate to one of [string null_type] but got bool',
  ]);
});

test('expressions: variables have types, and know those before them', () => {
  const typed = (variables: object[], expression: string) =>
    problems({ variables, validations: [{ expression }] });
  const one = { name: 'a', expression: '1' };
  assert.deepEqual(typed([one, { name: 'b', expression: 'variables.a + 1' }], 'variables.b == 2'), []);
  assert.match(typed([one], 'variables.a == "x"')[0]!, /applied to '\(int, string\)'/);
  assert.match(typed([{ name: 'b', expression: 'variables.a' }, one], 'true')[0]!, /undefined field 'a'/);
  assert.match(typed([], 'variables.a')[0]!, /undeclared reference to 'variables'/);
  assert.match(
    problems({ variables: [one], matchConditions: [{ name: 'c', expression: 'variables.a == 1' }] })[0]!,
    /^spec.matchConditions\[0\].expression: .*undeclared reference to 'variables'/,
  );
});

test('expressions: what is stored already may use all there is', () => {
  const newest = spec({ validations: [{ expression: 'semver("1.0.0").major() == 1' }] });
  assert.match(tryCreate(policies, { spec: newest }).problems[0]!, /undeclared reference to 'semver'/);
  assert.deepEqual(
    tryUpdate(policies, { spec: newest }, { metadata: { labels: { a: 'b' } }, spec: newest }).problems,
    [],
  );
});
