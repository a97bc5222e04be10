import { type Json, type JsonObject, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const validating = paths('/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations');
const mutating = paths('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations');

/** Nobody asks for these, so that a configuration that stays for a while bothers nobody. */
const nowhere = {
  apiGroups: ['nowhere.example.com'],
  apiVersions: ['v1'],
  resources: ['things'],
  operations: ['CREATE'],
};

function webhook(changes: JsonObject = {}): JsonObject {
  const whole: JsonObject = {
    name: 'a.example.com',
    clientConfig: { url: 'https://a.example/x' },
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    rules: [nowhere],
    ...changes,
  };
  for (const [field, value] of Object.entries(whole)) if (value === null) delete whole[field];
  return whole;
}

const hooks = (...webhooks: JsonObject[]) => object('{name}', { webhooks });
const hook = (changes: JsonObject) => hooks(webhook(changes));
const ruled = (changes: JsonObject) => hook({ rules: [{ ...nowhere, ...changes }] });
const conditions = (...matchConditions: JsonObject[]) => hook({ matchConditions });
const wrongSelector = { matchExpressions: [{ key: 'a', operator: 'X' }] };

const refusals: Record<string, JsonObject[]> = {
  names: [
    hooks(),
    hooks(webhook()),
    object('A_b', { webhooks: [] }),
    ...['a', 'a.b', 'A_b.c.d', ''].map((name) => hook({ name })),
    hooks(webhook(), webhook()),
  ],
  'how they are reached': [
    hook({ clientConfig: { service: { name: 'a', namespace: 'b' } } }),
    hook({ clientConfig: { service: { name: 'a', namespace: 'b', port: 0 } } }),
    hook({ clientConfig: { service: {} } }),
    hook({ clientConfig: { service: { name: 'a', namespace: 'b' }, url: 'https://a' } }),
    hook({ clientConfig: {} }),
    hook({ clientConfig: null }),
    hook({ clientConfig: { url: 'http://a' } }),
    hook({ clientConfig: { url: 'https://a', caBundle: 'YWJj' } }),
  ],
  'defaults and what they may be': [
    ...[null, 'Some', 'Unknown', 'NoneOnDryRun', '', 'x'].map((sideEffects) => hook({ sideEffects })),
    ...([null, [], ['v2'], ['v1', 'v1'], ['V_1'], ['v1beta1', 'v9']] as Json[]).map(
      (admissionReviewVersions) => hook({ admissionReviewVersions }),
    ),
    ...['Ignore', 'x', ''].map((failurePolicy) => hook({ failurePolicy })),
    ...['Exact', 'x', ''].map((matchPolicy) => hook({ matchPolicy })),
    ...[0, 1, 30, 31, -1].map((timeoutSeconds) => hook({ timeoutSeconds })),
    hook({ namespaceSelector: wrongSelector, objectSelector: { matchLabels: { 'a b': 'c' } } }),
  ],
  rules: [
    ...['apiGroups', 'apiVersions', 'resources', 'operations'].flatMap((field) =>
      [[], [''], ['*', 'a'], ['*']].map((values) => ruled({ [field]: values })),
    ),
    ruled({ operations: ['create', 'X'] }),
    ruled({ operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'] }),
    ...[
      ['pods/status'],
      ['*/*'],
      ['*', 'pods/x'],
      ['pods/*', 'pods/status'],
      ['*/status', 'pods/status'],
      ['*/*', 'pods'],
      ['*/status', '*'],
    ].map((resources) => ruled({ resources })),
    ...['Cluster', 'Namespaced', '*', '', 'x'].map((scope) => ruled({ scope })),
    hook({ rules: null }),
    hook({ rules: [{}] }),
  ],
  'match conditions': [
    conditions({ name: 'a', expression: 'true' }),
    conditions({ name: 'a', expression: 'true' }, { name: 'a', expression: 'true' }),
    conditions({ expression: 'true' }),
    conditions({ name: 'a b', expression: ' ' }),
    conditions(...Array.from({ length: 65 }, (_, i) => ({ name: `a${i}`, expression: 'true' }))),
    conditions({ name: 'a', expression: 'foo(' }),
    conditions({ name: 'a', expression: '1' }),
  ],
};

export const admissionWebhooks = [
  subject('admissionregistration-validatingwebhooks', [
    ...lifecycle(validating, hook({}), {
      full: object('{other}', {
        webhooks: [
          webhook({
            failurePolicy: 'Ignore',
            matchPolicy: 'Exact',
            timeoutSeconds: 3,
            namespaceSelector: { matchLabels: { a: 'b' } },
            objectSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] },
            matchConditions: [{ name: 'a', expression: 'true' }],
            clientConfig: {
              service: { name: 'a', namespace: 'b', path: '/c', port: 8443 },
              caBundle: 'YWJj',
            },
          }),
        ],
      }),
      change: { webhooks: [webhook({ timeoutSeconds: 5 })] },
    }),
    ...tries(validating, refusals),
  ]),
  subject('admissionregistration-mutatingwebhooks', [
    ...lifecycle(mutating, hook({}), { change: { webhooks: [webhook({ reinvocationPolicy: 'IfNeeded' })] } }),
    ...tries(mutating, {
      'as validating ones': [
        hooks(webhook(), webhook()),
        hook({ name: 'x', clientConfig: {}, rules: [{}], failurePolicy: 'q', sideEffects: 'q' }),
      ],
      'once more': ['Never', 'IfNeeded', 'x', ''].map((reinvocationPolicy) => hook({ reinvocationPolicy })),
    }),
  ]),
];
