import { type JsonObject, post, type Step, subject } from '../case.ts';
import { configMap, configmaps, object } from './objects.ts';
import { type Enforced, enforced, rule } from './policies.ts';

const secrets = '/api/v1/namespaces/{ns}/secrets';
const dry = (name: string): Step => post(configmaps('?dryRun=All'), configMap(name));
const failing = [
  { expression: "object.metadata.name != 'a'", message: 'one' },
  { expression: "object.metadata.name != 'a'", message: 'two', reason: 'Forbidden' },
  { expression: "object.metadata.name != 'b' || object.nope == 1" },
];
const acting = (validationActions: string[], policy: JsonObject = {}): Enforced => ({
  policy: { validations: failing, ...policy },
  binding: { validationActions },
});
const asks = ['a', 'b', 'c'].map(dry);

/**
 * The reference follows the objects of a kind of parameters while a policy has them, and never again after that: each of
 * the cases that find some has a kind of its own.
 */
const kind = (name: string, apiVersion = 'v1') => ({ paramKind: { apiVersion, kind: name } });
const unused = kind('PodTemplate');
const found = {
  expression: "object.metadata.name == 'free'",
  messageExpression: "'found ' + string(params.metadata.name)",
};
const referring = (of: JsonObject, paramRef: JsonObject, policy: JsonObject = {}): Enforced => ({
  policy: { ...of, validations: [found], ...policy },
  binding: { paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } },
  rules: [rule(['secrets'])],
});
const secret = post(`${secrets}?dryRun=All`, object('a'));
const free = post(`${secrets}?dryRun=All`, object('free'));
const made = (path: string, name: string, labels: JsonObject = {}) =>
  post(`/api/v1/namespaces/{ns}/${path}`, object(name, {}, { labels }));

export const policyActions = subject('policies-actions', [
  enforced('deny', acting(['Deny']), asks),
  enforced('warn', acting(['Warn']), asks),
  enforced('deny and note', acting(['Deny', 'Audit']), asks),
  enforced('warn and note', acting(['Audit', 'Warn']), asks),
  enforced('deny, ignoring what cannot be told', acting(['Deny'], { failurePolicy: 'Ignore' }), asks),
  enforced('warn, ignoring what cannot be told', acting(['Warn'], { failurePolicy: 'Ignore' }), asks),
  enforced(
    'annotations that cannot be made',
    {
      policy: {
        validations: [{ expression: "object.metadata.name != 'b'", message: 'first' }],
        auditAnnotations: [
          { key: 'k', valueExpression: "object.metadata.name == 'c' ? 'x' : string(object.nope)" },
          { key: 'l', valueExpression: "'x'" },
        ],
      },
    },
    asks,
  ),
  enforced(
    'annotations that cannot be made, with a warning',
    {
      policy: {
        validations: [],
        auditAnnotations: [
          { key: 'k', valueExpression: "object.metadata.name == 'c' ? 'x' : string(object.nope)" },
        ],
      },
      binding: { validationActions: ['Warn'] },
    },
    asks,
  ),
  enforced(
    'annotations that cannot be made, which is ignored',
    {
      policy: {
        failurePolicy: 'Ignore',
        validations: [],
        auditAnnotations: [{ key: 'k', valueExpression: 'string(object.nope)' }],
      },
    },
    asks,
  ),
  enforced(
    'parameters by name',
    {
      ...referring(kind('ConfigMap'), { name: 'p' }),
      before: [made('configmaps', 'p')],
      refusal: /found p/,
    },
    secret,
    free,
  ),
  enforced(
    'parameters in a namespace',
    {
      ...referring(kind('Secret'), { name: 'p', namespace: '{ns}' }),
      before: [made('secrets', 'p')],
      refusal: /found p/,
    },
    secret,
    free,
  ),
  enforced(
    'parameters by labels',
    {
      ...referring(kind('ServiceAccount'), { selector: { matchLabels: { l: '1' } } }),
      before: [made('serviceaccounts', 'p', { l: '1' }), made('serviceaccounts', 'q', { l: '2' })],
      refusal: /found p/,
    },
    secret,
    free,
  ),
  enforced('parameters that are missing', referring(unused, { name: 'p' }), secret, free),
  enforced(
    'parameters that are missing, with a warning',
    {
      ...referring(unused, {}),
      binding: { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' }, validationActions: ['Warn'] },
    },
    secret,
  ),
  enforced(
    'labels that no parameters have',
    referring(unused, { selector: { matchLabels: { l: '1' } } }),
    secret,
  ),
  enforced(
    'a kind of parameters outside of namespaces',
    {
      policy: {
        ...kind('Namespace'),
        validations: [{ expression: 'false', messageExpression: 'string(params.metadata.name)' }],
      },
      binding: { paramRef: { name: 'default', parameterNotFoundAction: 'Deny' } },
      rules: [rule(['secrets'])],
      refusal: /denied request: default/,
    },
    secret,
  ),
  enforced(
    'a namespace for parameters that are in none',
    referring(kind('PersistentVolume'), { name: 'default', namespace: 'default' }),
    secret,
  ),
  enforced(
    'a kind of parameters that does not exist',
    referring(kind('Nope', 'foo.com/v1'), { name: 'p' }),
    secret,
  ),
  enforced(
    'no reference to parameters',
    {
      policy: { ...unused, validations: [{ expression: 'params != null', message: 'none' }] },
      rules: [rule(['secrets'])],
      refusal: /none/,
    },
    secret,
  ),
  enforced(
    'a reference to parameters of no kind',
    {
      policy: { validations: [{ expression: 'false', message: 'checked' }] },
      binding: { paramRef: { name: 'p', parameterNotFoundAction: 'Deny' } },
      rules: [rule(['secrets'])],
    },
    secret,
  ),
  enforced(
    'parameters in another version',
    {
      policy: {
        ...kind('HorizontalPodAutoscaler', 'autoscaling/v1'),
        validations: [
          {
            expression: 'false',
            messageExpression: "string(params.apiVersion) + ' ' + string(params.spec.maxReplicas)",
          },
        ],
      },
      binding: { paramRef: { name: 'h', parameterNotFoundAction: 'Deny' } },
      rules: [rule(['secrets'])],
      before: [
        post(
          '/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers',
          object('h', { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' } } }),
        ),
      ],
      refusal: /autoscaling.v1 3/,
    },
    secret,
  ),
]);
