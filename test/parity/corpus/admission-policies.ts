import { type Json, type JsonObject, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const group = '/apis/admissionregistration.k8s.io';
const policies = (version: string) => paths(`${group}/${version}/validatingadmissionpolicies`);
const bindings = (version: string) => paths(`${group}/${version}/validatingadmissionpolicybindings`);
const mutatingPolicies = paths(`${group}/v1alpha1/mutatingadmissionpolicies`);
const mutatingBindings = paths(`${group}/v1alpha1/mutatingadmissionpolicybindings`);

const nowhere = {
  apiGroups: ['nowhere.example.com'],
  apiVersions: ['v1'],
  operations: ['CREATE'],
  resources: ['things'],
};
const matching = { resourceRules: [nowhere] };

function without(fields: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

const policy = (spec: JsonObject = {}, name = '{name}') =>
  object(name, {
    spec: without({ matchConstraints: matching, validations: [{ expression: 'true' }], ...spec }),
  });
const binding = (spec: JsonObject = {}, name = '{name}') =>
  object(name, { spec: without({ policyName: 'p', validationActions: ['Deny'], ...spec }) });
const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression: 'Object{}' } };
const mutatingPolicy = (spec: JsonObject = {}, name = '{name}') =>
  object(name, {
    spec: without({
      matchConstraints: matching,
      reinvocationPolicy: 'Never',
      mutations: [mutation],
      ...spec,
    }),
  });
const validation = (changes: JsonObject) => policy({ validations: [{ expression: 'true', ...changes }] });
const constrained = (matchConstraints: JsonObject) => policy({ matchConstraints });
const wrongSelector = { matchExpressions: [{ key: 'a', operator: 'X' }] };
const wrongParts = {
  failurePolicy: 'x',
  paramKind: {},
  matchConstraints: { matchPolicy: 'x', resourceRules: [{}], excludeResourceRules: [{}] },
  matchConditions: [{}],
  variables: [{}],
};

const fullPolicy = policy(
  {
    failurePolicy: 'Ignore',
    paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
    matchConstraints: {
      ...matching,
      excludeResourceRules: [{ ...nowhere, resourceNames: ['a'], scope: 'Cluster' }],
      matchPolicy: 'Exact',
      namespaceSelector: { matchLabels: { a: 'b' } },
    },
    matchConditions: [{ name: 'a', expression: 'true' }],
    variables: [{ name: 'a', expression: '1' }],
    validations: [
      { expression: 'variables.a == 1', message: 'm', reason: 'Forbidden' },
      { expression: 'true', messageExpression: '"m"' },
    ],
    auditAnnotations: [{ key: 'a', valueExpression: '"x"' }],
  },
  '{other}',
);

export const admissionPolicies = [
  subject('admissionregistration-policies', [
    ...lifecycle(policies('v1'), policy(), {
      full: fullPolicy,
      change: { spec: { failurePolicy: 'Ignore' } },
      status: {
        observedGeneration: 1,
        conditions: [
          {
            type: 'A',
            status: 'True',
            reason: 'R',
            message: 'm',
            lastTransitionTime: '2024-01-02T03:04:05Z',
          },
        ],
        typeChecking: { expressionWarnings: [{ fieldRef: 'spec', warning: 'w' }] },
      },
    }),
    ...lifecycle(policies('v1'), policy(), {
      name: 'a bad status',
      change: {},
      status: { conditions: [{ type: 'A b', status: 'q' }, {}], typeChecking: { expressionWarnings: [{}] } },
    }).slice(2, 3),
    ...lifecycle(policies('v1beta1'), policy(), {
      name: 'v1beta1',
      change: { spec: { failurePolicy: 'Ignore' } },
    }).slice(0, 2),
    ...tries(policies('v1'), {
      'its parts': [
        object('{name}'),
        object('A_', { spec: {} }),
        policy(wrongParts),
        ...['x', ''].map((failurePolicy) => policy({ failurePolicy })),
        policy({ matchConstraints: null }),
        constrained({}),
        constrained({ resourceRules: [{}] }),
        constrained({ resourceRules: [{ ...nowhere, resourceNames: ['a', 'a', 'b/c'] }] }),
        constrained({ ...matching, excludeResourceRules: [{ ...nowhere, operations: ['X'], scope: 'Q' }] }),
        constrained({ ...matching, namespaceSelector: wrongSelector, objectSelector: wrongSelector }),
      ],
      validations: [
        policy({ validations: [] }),
        validation({ expression: ' ' }),
        validation({ message: 'one line' }),
        validation({ message: 'two\nlines' }),
        validation({ message: ' ' }),
        validation({ expression: 'true &&\n true' }),
        validation({ messageExpression: ' ' }),
        ...['Unauthorized', 'Forbidden', 'Invalid', 'RequestEntityTooLarge', 'NotFound', ''].map((reason) =>
          validation({ reason }),
        ),
        validation({ expression: 'foo(' }),
        validation({ expression: '1' }),
      ],
      variables: ['a', '_a', 'a-b', '1a', 'a.b', 'in', 'true', 'as', ''].map((name) =>
        policy({ variables: [{ name, expression: '1' }] }),
      ),
      'audit annotations': [
        policy({ validations: null, auditAnnotations: [{ key: 'a', valueExpression: '"x"' }] }),
        ...['', 'a b', 'a/b', 'a'.repeat(64)].map((key) =>
          policy({ auditAnnotations: [{ key, valueExpression: '"x"' }] }),
        ),
        policy({
          auditAnnotations: [
            { key: 'a', valueExpression: ' ' },
            { key: 'a', valueExpression: `"${'x'.repeat(5200)}"` },
          ],
        }),
        policy({
          auditAnnotations: Array.from({ length: 21 }, (_, i) => ({ key: `a${i}`, valueExpression: '"x"' })),
        }),
      ],
      'kinds of parameters': [
        { apiVersion: 'v1', kind: 'ConfigMap' },
        {},
        { apiVersion: 'a/b/c', kind: 'A' },
        { apiVersion: 'A_/v1', kind: 'a b' },
        { apiVersion: 'a.b/V_1', kind: 'A' },
        { apiVersion: 'g/', kind: 'A' },
      ].map((paramKind) => policy({ paramKind })),
      'match conditions': [
        policy({ matchConditions: [{}] }),
        policy({
          matchConditions: [
            { name: 'a', expression: 'true' },
            { name: 'a', expression: 'true' },
          ],
        }),
      ],
    }),
  ]),
  subject('admissionregistration-bindings', [
    ...lifecycle(bindings('v1'), binding(), {
      full: binding(
        {
          paramRef: { name: 'a', namespace: 'n', parameterNotFoundAction: 'Allow' },
          matchResources: matching,
          validationActions: ['Warn', 'Audit'],
        },
        '{other}',
      ),
      change: { spec: { policyName: 'q' } },
    }),
    ...tries(bindings('v1beta1'), {
      v1beta1: [binding(), binding({ paramRef: { name: 'a' } })],
    }),
    ...tries(bindings('v1'), {
      'what they do': [
        object('{name}'),
        binding({ policyName: null }),
        binding({ policyName: 'A_' }),
        ...([null, [], ['Deny', 'Deny'], ['X'], ['Deny', 'Warn'], ['Deny', 'Audit']] as Json[]).map(
          (validationActions) => binding({ validationActions }),
        ),
      ],
      parameters: [
        {},
        { name: 'a' },
        { name: 'a', selector: {}, parameterNotFoundAction: 'Deny' },
        { selector: { matchLabels: { 'a b': 'c' } }, parameterNotFoundAction: 'Deny' },
        { name: 'a', parameterNotFoundAction: 'x' },
        { name: 'a/b', parameterNotFoundAction: 'Deny' },
      ].map((paramRef) => binding({ paramRef })),
      resources: [
        {},
        matching,
        { resourceRules: [{}] },
        { matchPolicy: 'q', namespaceSelector: wrongSelector },
      ].map((matchResources) => binding({ matchResources })),
    }),
  ]),
  subject('admissionregistration-mutatingpolicies', [
    ...lifecycle(mutatingPolicies, mutatingPolicy(), { change: { spec: { failurePolicy: 'Ignore' } } }),
    ...tries(mutatingPolicies, {
      'its parts': [
        object('{name}'),
        mutatingPolicy(wrongParts),
        ...([null, 'x', 'IfNeeded', ''] as Json[]).map((reinvocationPolicy) =>
          mutatingPolicy({ reinvocationPolicy }),
        ),
        mutatingPolicy({ matchConstraints: {} }),
      ],
      mutations: (
        [
          null,
          [],
          [{}],
          [{ patchType: 'x' }],
          [{ patchType: 'ApplyConfiguration' }],
          [{ patchType: 'ApplyConfiguration', applyConfiguration: {} }],
          [{ patchType: 'JSONPatch' }],
          [{ patchType: 'JSONPatch', jsonPatch: {} }],
          [{ ...mutation, jsonPatch: { expression: '[]' } }],
        ] as Json[]
      ).map((mutations) => mutatingPolicy({ mutations })),
    }),
  ]),
  subject('admissionregistration-mutatingbindings', [
    ...lifecycle(mutatingBindings, object('{name}', { spec: { policyName: 'p' } }), {
      change: { spec: { paramRef: { name: 'a' } } },
    }),
    ...tries(mutatingBindings, {
      'what is wrong': [
        object('{name}'),
        object('{name}', { spec: { policyName: 'A_', paramRef: {}, matchResources: { matchPolicy: 'q' } } }),
        object('{name}', { spec: { policyName: 'p', paramRef: { name: 'a' }, matchResources: {} } }),
      ],
    }),
  ]),
];
