import { changed, del, get, type JsonObject, post, put, type Step, send, subject } from '../case.ts';
import {
  configMap,
  configmaps,
  coreEvent,
  coreEvents,
  event,
  events,
  namespaces,
  object,
  paths,
  services,
} from './objects.ts';
import { enforced, rule } from './policies.ts';

const pods = paths('/api/v1/namespaces/{ns}/pods');
const serviceaccounts = paths('/api/v1/namespaces/{ns}/serviceaccounts');
const deployments = paths('/apis/apps/v1/namespaces/{ns}/deployments');
const scalers = (version: string) =>
  paths(`/apis/autoscaling/${version}/namespaces/{ns}/horizontalpodautoscalers`);
const clusterroles = paths('/apis/rbac.authorization.k8s.io/v1/clusterroles');

/** All that a write is said to be. */
const told =
  "request.operation + ' ' + request.resource.group + '/' + request.resource.version + '/' + request.resource.resource" +
  " + '/' + (has(request.subResource) ? request.subResource : '') + ' asked as ' + request.requestKind.group + '/' + request.requestKind.version + ' ' + request.requestKind.kind" +
  " + ', seen as ' + request.kind.version + ' ' + request.kind.kind" +
  " + ', name ' + (has(request.name) ? request.name : 'none') + ', namespace ' + (has(request.namespace) ? request.namespace : 'none')" +
  " + ', object ' + (object == null ? 'null' : string(object.kind) + ' ' + string(object.apiVersion))" +
  " + ', old ' + (oldObject == null ? 'null' : string(oldObject.kind) + ' ' + string(oldObject.apiVersion))" +
  " + ', in ' + (namespaceObject == null ? 'null' : namespaceObject.metadata.name)" +
  " + ', options ' + (request.options == null ? 'null' : string(request.options.kind)) + (request.dryRun ? ', dry' : '')";
const telling = { validations: [{ expression: 'false', messageExpression: told }] };

const everything = [
  { apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], operations: ['*'], scope: 'Namespaced' },
];
const merge = { headers: { 'content-type': 'application/merge-patch+json' } };
const json = { headers: { 'content-type': 'application/json-patch+json' } };
const apply = { headers: { 'content-type': 'application/apply-patch+yaml' } };
const patch = (path: string, body: Parameters<typeof send>[2], options: Parameters<typeof send>[3]): Step =>
  send('PATCH', path, body, options);
const typed = (name: string, data: Record<string, string>) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...configMap(name, data),
});
const pod = (name: string) => object(name, { spec: { containers: [{ name: 'c', image: 'i' }] } });
const deployment = object('d', {
  spec: {
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  },
});
const scaler = (name: string, fields = {}) =>
  object(name, { spec: { maxReplicas: 3, scaleTargetRef: { kind: 'Deployment', name: 'd' }, ...fields } });
const nameOf = ({ metadata }: JsonObject) => (metadata as JsonObject).name ?? null;
const allowed = (name: string, fields = {}) => ({ ...configMap(name), ...fields });

export const policyWrites = subject('policies-writes', [
  enforced(
    'every verb on an object',
    {
      policy: telling,
      before: [post(configmaps(), configMap('x'), { as: 'x' }), post(configmaps(), configMap('y'))],
    },
    post(configmaps(), configMap('a')),
    post(configmaps('?dryRun=All&fieldManager=m&fieldValidation=Strict'), configMap('a')),
    post(configmaps(), { metadata: { name: '' } }),
    post(configmaps(), configMap('x')),
    post(configmaps(), { metadata: { name: 'A' } }),
    put(configmaps('x'), configMap('x', { q: '1' })),
    put(configmaps('x'), changed('x', {})),
    put(configmaps('new'), configMap('new')),
    patch(configmaps('x'), { data: { q: '2' } }, merge),
    patch(configmaps('x?dryRun=All'), { data: { q: '2' } }, merge),
    patch(configmaps('x'), '[{"op":"add","path":"/data/z","value":"1"}]', json),
    patch(configmaps('x'), {}, merge),
    patch(configmaps('nope'), { data: { q: '2' } }, merge),
    patch(configmaps('new?fieldManager=m'), typed('new', { a: 'b' }), apply),
    patch(configmaps('x?fieldManager=m'), typed('x', { a: 'b' }), apply),
    del(configmaps('x')),
    del(configmaps('x'), { gracePeriodSeconds: 5 }),
    del(configmaps('nope')),
    del(configmaps('?dryRun=All')),
    del(configmaps()),
    get(configmaps('x')),
  ),
  enforced(
    'names of fields are not escaped, and all of metadata is seen',
    {
      policy: {
        validations: [
          {
            expression: 'has(object.data.a__dash__b) || has(object.data.namespace__)',
            messageExpression: "object.data['a-b'] + object.data.namespace + object.metadata.labels.l",
          },
        ],
      },
    },
    post(
      configmaps(),
      allowed('a', { metadata: { name: 'a', labels: { l: 'x' } }, data: { 'a-b': '1', namespace: '2' } }),
    ),
    post(configmaps(), allowed('a', { data: { a__dash__b: '1' } })),
  ),
  enforced(
    'what policies see of parts of objects',
    {
      policy: telling,
      rules: everything,
      before: [
        post(serviceaccounts(), object('default'), { pick: nameOf }),
        post(pods(), pod('p'), { pick: nameOf }),
        post(deployments(), deployment),
        post(services(), object('s', { spec: { ports: [{ port: 80 }] } })),
      ],
    },
    patch(pods('p/status'), { status: { phase: 'Running' } }, merge),
    post(pods('p/binding'), object('p', { target: { name: 'n' } })),
    post(paths('/api/v1/namespaces/{ns}/bindings')(), object('p', { target: { name: 'n' } })),
    post(pods('p/eviction'), object('p')),
    post(serviceaccounts('default/token'), { spec: { audiences: ['x'] } }),
    put(deployments('d/scale'), object('d', { spec: { replicas: 3 } }, { namespace: '{ns}' })),
    patch(deployments('d/scale'), { spec: { replicas: 3 } }, merge),
    patch(deployments('d/status'), { status: { replicas: 3 } }, merge),
    patch(deployments('d'), { spec: { replicas: 3 } }, merge),
    del(deployments('d')),
    del(pods('p')),
    patch(services('s/status'), { metadata: { labels: { a: 'b' } } }, merge),
    post('/apis/authorization.k8s.io/v1/namespaces/{ns}/localsubjectaccessreviews', {
      spec: { user: 'a', resourceAttributes: { namespace: '{ns}', verb: 'get', resource: 'pods' } },
    }),
  ),
  enforced(
    'connections',
    {
      policy: {
        validations: [
          {
            expression: "request.operation != 'CONNECT'",
            messageExpression: `${told} + (has(dyn(object).metadata) ? ', named' : '')`,
          },
        ],
      },
      rules: [
        rule(['pods/*', 'services/proxy'], ['CONNECT']),
        rule(['nodes/proxy'], ['CONNECT'], { resourceNames: ['{other}'] }),
      ],
      before: [
        post(serviceaccounts(), object('default'), { pick: nameOf }),
        post(pods(), pod('p'), { pick: nameOf }),
        post(services(), object('s', { spec: { ports: [{ port: 80 }] } })),
      ],
    },
    post(pods('p/exec?command=ls&command=-l&stdout=1'), ''),
    get(pods('p/exec?command=ls&stdout=1')),
    post(pods('p/attach?stdout=1'), ''),
    post(pods('p/portforward'), ''),
    post(pods('nope/portforward'), ''),
    get(pods('p/proxy/a/b?c=d')),
    get(pods('p/log')),
    put(services('s/proxy/x'), ''),
    get('/api/v1/nodes/{other}/proxy/x'),
    get('/api/v1/nodes/{other}2/proxy/x'),
  ),
  enforced(
    'namespaces are in themselves',
    { policy: telling, rules: [rule(['namespaces', 'namespaces/*'])] },
    post(namespaces('?dryRun=All'), object('{ns}')),
    patch(namespaces('{ns}?dryRun=All'), { metadata: { labels: { a: 'b' } } }, merge),
    patch(namespaces('{ns}/status?dryRun=All'), { metadata: { labels: { a: 'b' } } }, merge),
    put(namespaces('{ns}/finalize?dryRun=All'), object('{ns}', { spec: { finalizers: ['x.y/z'] } })),
    del(namespaces('{ns}?dryRun=All')),
  ),
  enforced(
    'objects outside of namespaces',
    {
      policy: telling,
      rules: [
        {
          apiGroups: ['rbac.authorization.k8s.io', 'admissionregistration.k8s.io'],
          apiVersions: ['*'],
          resources: ['*'],
          operations: ['*'],
          resourceNames: ['{other}'],
        },
      ],
    },
    post(clusterroles('?dryRun=All'), object('{other}')),
    post(clusterroles('?dryRun=All'), object('{other}2')),
    patch(
      clusterroles('{other}?fieldManager=m&dryRun=All'),
      { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: '{other}' } },
      apply,
    ),
    post(
      '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations?dryRun=All',
      object('{other}'),
    ),
    post('/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations?dryRun=All', object('{other}')),
    post(
      '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings?dryRun=All',
      object('{other}', { spec: { policyName: 'x', validationActions: ['Deny'] } }),
    ),
  ),
  enforced(
    'the same object in another version',
    {
      policy: telling,
      rules: [
        rule(['horizontalpodautoscalers'], ['*'], { apiGroups: ['autoscaling'] }),
        rule(['events'], ['*'], { apiGroups: ['events.k8s.io'] }),
      ],
    },
    post(scalers('v1')(), scaler('h')),
    post(scalers('v2')(), scaler('h')),
    post(coreEvents(), coreEvent('e')),
    post(events(), event('e')),
  ),
  enforced(
    'exactly the versions that a rule names',
    {
      policy: telling,
      rules: [rule(['horizontalpodautoscalers'], ['*'], { apiGroups: ['autoscaling'] })],
      constraints: { matchPolicy: 'Exact' },
    },
    post(scalers('v1')('?dryRun=All'), scaler('h')),
    post(scalers('v2')('?dryRun=All'), scaler('h')),
  ),
  enforced(
    'fields of the version that a rule names',
    {
      policy: {
        validations: [
          { expression: "object.kind == 'ConfigMap' || object.spec.targetCPUUtilizationPercentage < 50" },
        ],
      },
      rules: [rule(['horizontalpodautoscalers'], ['*'], { apiGroups: ['autoscaling'] })],
    },
    [40, 60].map((averageUtilization) =>
      post(
        scalers('v2')('?dryRun=All'),
        scaler('h', {
          metrics: [
            {
              type: 'Resource',
              resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
            },
          ],
        }),
      ),
    ),
    post(scalers('v2')('?dryRun=All'), scaler('h')),
  ),
  enforced(
    'rules, names and exceptions',
    {
      policy: { validations: [{ expression: 'false', message: 'met' }] },
      rules: [
        rule(['configmaps'], ['CREATE'], { resourceNames: ['a', 'b'] }),
        rule(['pods/*'], ['CREATE']),
        rule(['secrets'], ['CREATE'], { scope: 'Cluster' }),
      ],
      constraints: { excludeResourceRules: [rule(['configmaps'], ['*'], { resourceNames: ['b'] })] },
      before: [post(serviceaccounts(), object('default'))],
    },
    ['a', 'b', 'c'].map((name) => post(configmaps('?dryRun=All'), configMap(name))),
    post(
      configmaps('?dryRun=All'),
      { metadata: { generateName: 'generated-' }, data: {} },
      { pick: ({ code }) => code ?? null },
    ),
    post(pods('?dryRun=All'), pod('p')),
    post('/api/v1/namespaces/{ns}/secrets?dryRun=All', object('s')),
  ),
  enforced(
    'labels of the object, old or new',
    {
      policy: { validations: [{ expression: 'false', message: 'met' }] },
      constraints: {
        objectSelector: { matchExpressions: [{ key: 'l', operator: 'In', values: ['1', '2'] }] },
      },
      before: [
        post(configmaps(), configMap('plain')),
        post(configmaps(), configMap('labelled', {}, { labels: { l: '1' } })),
      ],
      refusal: /configmaps/,
    },
    post(configmaps('?dryRun=All'), configMap('a', {}, { labels: { l: '2' } }), {
      until: ({ message = '' }) => String(message).includes('met'),
    }),
    post(configmaps('?dryRun=All'), configMap('a', {}, { labels: { l: '3' } })),
    patch(configmaps('plain?dryRun=All'), { metadata: { labels: { l: '1' } } }, merge),
    patch(configmaps('plain?dryRun=All'), { metadata: { labels: { m: '1' } } }, merge),
    patch(configmaps('labelled?dryRun=All'), { metadata: { labels: { l: null } } }, merge),
    del(configmaps('labelled?dryRun=All')),
    del(configmaps('plain?dryRun=All')),
  ),
  enforced(
    'a binding narrows down what a policy is about',
    {
      policy: { validations: [{ expression: 'false', message: 'met' }] },
      rules: [rule(['configmaps', 'secrets', 'endpoints'])],
      binding: {
        matchResources: {
          namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } },
          resourceRules: [rule(['configmaps', 'endpoints'], ['CREATE'])],
          excludeResourceRules: [rule(['endpoints'], ['*'], { resourceNames: ['free'] })],
        },
      },
    },
    post('/api/v1/namespaces/{ns}/secrets?dryRun=All', object('s')),
    post('/api/v1/namespaces/{ns}/endpoints?dryRun=All', object('s')),
    post('/api/v1/namespaces/{ns}/endpoints?dryRun=All', object('free')),
    post(configmaps('?dryRun=All'), configMap('a')),
  ),
  enforced(
    'conditions before anything is checked',
    {
      policy: {
        matchConditions: [
          { name: 'one', expression: "object.metadata.name != 'a'" },
          { name: 'two', expression: "!(object.metadata.name in ['a', 'b', 'c']) || object.nope == 1" },
          { name: 'three', expression: "object.metadata.name != 'c' || object.other == 1" },
        ],
        validations: [{ expression: 'false', message: 'met' }],
      },
    },
    ['a', 'b', 'c', 'd'].map((name) => post(configmaps('?dryRun=All'), configMap(name))),
  ),
  enforced(
    'conditions that fail where that is ignored',
    {
      policy: {
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'one', expression: "object.metadata.name != 'a' || object.nope == 1" }],
        validations: [{ expression: 'false', message: 'met' }],
      },
    },
    ['a', 'b'].map((name) => post(configmaps('?dryRun=All'), configMap(name))),
  ),
  enforced(
    'an update that a policy refuses changes nothing',
    {
      policy: {
        validations: [
          {
            expression: 'oldObject == null || object.data.k == oldObject.data.k',
            message: 'k stays',
            reason: 'Forbidden',
          },
        ],
      },
      before: [post(configmaps(), configMap('x'), { as: 'x' })],
    },
    put(configmaps('x'), configMap('x', { k: 'w' })),
    get(configmaps('x')),
    put(configmaps('x'), allowed('x', { data: { k: 'v', l: 'w' } })),
    patch(configmaps('x'), { data: { k: 'w' } }, merge),
    get(configmaps('x')),
  ),
]);
