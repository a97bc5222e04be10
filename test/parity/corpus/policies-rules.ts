import { type JsonObject, subject } from '../case.ts';
import { object, paths } from './objects.ts';
import { policies, rule } from './policies.ts';
import { tries } from './refusals.ts';

const base = {
  matchConstraints: { resourceRules: [rule(['configmaps'])] },
  validations: [{ expression: 'true' }],
};
const policy = (spec: JsonObject) => object('{name}', { spec: { ...base, ...spec } });
const checking = (expression: string) => policy({ validations: [{ expression }] });
const saying = (messageExpression: string) =>
  policy({ validations: [{ expression: 'true', messageExpression }] });
const noting = (valueExpression: string) => policy({ auditAnnotations: [{ key: 'a', valueExpression }] });
const defining = (variables: [name: string, expression: string][], expression: string) =>
  policy({
    variables: variables.map(([name, defined]) => ({ name, expression: defined })),
    validations: [{ expression }],
  });
const params = { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } };
const meeting = (expression: string, more: JsonObject = {}) =>
  policy({ ...more, matchConditions: [{ name: 'a', expression }] });

export const policyRules = subject(
  'policies-rules',
  tries(policies, {
    'what a check must come to': [
      '1',
      'foo(',
      'object.x',
      'dyn(true)',
      'null',
      '[true]',
      'optional.of(true)',
      'object.x ? true : false',
      'type(object)',
    ].map(checking),
    'what a check may refer to': [
      'self',
      'params.x == 1',
      'variables.x == 1',
      'nope.y && has(object.x)',
      'cel.bind(x, true, x)',
      'semver("1.0.0").major() == 1',
      '[1,2].transformList(i, v, v).size() == 2',
      'authorizer',
      'authorizer.requestResource',
      'authorizer.requestResource.check("get").allowed()',
      '"a".format([1]) == ""',
      'object.k.matches("(")',
      `${'('.repeat(300)}true${')'.repeat(300)}`,
    ].map(checking),
    'the type of the request': [
      'request.uid == ""',
      'request.object == null',
      'request.name',
      'request.userInfo.x',
      'request.userInfo.extra.a[0] == "x"',
      'request.userInfo.groups.exists(g, g == 1)',
      'request.kind',
      'request.options',
      'request.options.x == 1',
      'request.operation == 1',
      'request',
    ].map(checking),
    'the type of the namespace': [
      'namespaceObject',
      'namespaceObject.kind == "x"',
      'namespaceObject.metadata.x == 1',
      'namespaceObject.metadata.uid == ""',
      'namespaceObject.metadata.creationTimestamp',
      'namespaceObject.spec.finalizers',
      'namespaceObject.status.conditions',
    ].map(checking),
    messages: [
      'true',
      'object.x',
      'foo(',
      'authorizer.path("/x").check("get").reason()',
      'request.name',
      'variables.a',
    ].map(saying),
    annotations: ['true', 'null', 'object.x', 'true ? "a" : null', 'foo(', 'request.name'].map(noting),
    variables: [
      defining(
        [
          ['a', '1'],
          ['b', 'variables.a + 1'],
        ],
        'variables.b == "x"',
      ),
      defining(
        [
          ['a', 'variables.b'],
          ['b', '1'],
        ],
        'variables.a == 1',
      ),
      defining([['a', 'foo(']], 'variables.a == 1'),
      defining([['a', '1']], 'variables'),
      defining([['a', '1']], 'variables.b'),
      defining([['a', 'authorizer']], 'variables.a.path("/x").check("get").allowed()'),
      defining([['a', 'object.x']], 'variables.a'),
    ],
    conditions: [
      ...[
        '1',
        'foo(',
        'object.x',
        'params.x == 1',
        'namespaceObject.x',
        'authorizer.requestResource',
        'request.uid',
      ].map((expression) => meeting(expression)),
      meeting('params.x == 1', params),
      meeting('variables.a', { variables: [{ name: 'a', expression: 'true' }] }),
    ],
    parameters: [
      policy({ ...params, validations: [{ expression: 'params.x' }, { expression: 'params.x == 1' }] }),
    ],
    'all at once': [
      policy({
        paramKind: {},
        matchConditions: [{ name: '', expression: '1' }],
        variables: [{ name: '1', expression: 'foo(' }],
        validations: [
          { expression: '1', message: 'a\nb', messageExpression: '1', reason: 'q' },
          { expression: 'foo(' },
        ],
        auditAnnotations: [{ key: '!', valueExpression: '1' }],
        failurePolicy: 'q',
      }),
    ],
  }).concat(
    tries(paths('/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies'), {
      'the older version': ['1', 'request.uid == ""', 'true'].map(checking),
    }),
  ),
);
