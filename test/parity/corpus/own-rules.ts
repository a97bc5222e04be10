/** What the release makes of objects that our own specification has other rules for (docs/decisions/0007). */
import { ask, changed, get, type Json, type JsonObject, post, put, subject } from '../case.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const inNamespace = (group: string, plural: string) => paths(`${group}/namespaces/{ns}/${plural}`);
const apiservices = paths('/apis/apiregistration.k8s.io/v1/apiservices');
const namespaces = paths('/api/v1/namespaces');
const levels = paths('/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations');
const schemas = paths('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas');
const definitions = paths('/apis/apiextensions.k8s.io/v1/customresourcedefinitions');
const migrations = paths('/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations');
const policies = paths('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies');
const bindings = paths('/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings');
const revisions = inNamespace('/apis/apps/v1', 'controllerrevisions');
const events = inNamespace('/apis/events.k8s.io/v1', 'events');
const endpoints = inNamespace('/api/v1', 'endpoints');
const templates = inNamespace('/api/v1', 'podtemplates');
const ranges = inNamespace('/api/v1', 'limitranges');

type Paths = ReturnType<typeof paths>;

const conditions: Readonly<Record<string, Json>> = {
  'an unknown status': { type: 'Checked', status: 'Maybe' },
  'no status': { type: 'Checked' },
  'no type': { status: 'True' },
  'a reason of two words': { type: 'Checked', status: 'True', reason: 'not camel' },
};

/** Objects of a kind that nothing else writes into, each with another condition in its status. */
const withConditions = (what: string, at: Paths, made: JsonObject, name: string) =>
  Object.entries(conditions).map(([which, condition]) =>
    ask(
      `the status of ${what} with a condition with ${which}`,
      post(at(), made),
      get(at(name), { as: 'made' }),
      put(`${at(name)}/status`, changed('made', { status: { conditions: [condition] } })),
    ),
  );

const template = (volume: JsonObject) =>
  object('t', {
    template: {
      metadata: { labels: { a: 'b' } },
      spec: { containers: [{ name: 'c', image: 'i' }], volumes: [{ name: 'v', ...volume }] },
    },
  });
const iscsi = { targetPortal: '192.0.2.1', iqn: 'iqn.2001-04.com.example:x' };

const schema = (spec: JsonObject) =>
  object('{name}', { spec: { priorityLevelConfiguration: { name: '{name}' }, ...spec } });
const forResource = (name: string) =>
  schema({
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'u' } }],
        resourceRules: [{ verbs: ['get'], apiGroups: [''], resources: [name], clusterScope: true }],
      },
    ],
  });

const event = (changes: JsonObject) =>
  object('e', {
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    action: 'A',
    reason: 'R',
    type: 'Normal',
    regarding: { kind: 'Pod', name: 'p', namespace: '{ns}' },
    ...changes,
  });

const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const binding = (scope: string) =>
  object('{name}', {
    spec: {
      policyName: 'p',
      validationActions: ['Deny'],
      matchResources: { excludeResourceRules: [{ ...rule, scope }] },
    },
  });

const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
const definition = (versions: JsonObject[]) =>
  object('{name}s.example.com', {
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { kind: 'A{name}', plural: '{name}s' },
      versions,
    },
  });

export const ownRules = subject('own-rules', [
  ...withConditions(
    'an APIService',
    apiservices,
    object('v1.{name}.example.com', {
      spec: { group: '{name}.example.com', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 },
    }),
    'v1.{name}.example.com',
  ),
  ...withConditions('a Namespace', namespaces, object('{name}', {}), '{name}'),
  ...withConditions(
    'a PriorityLevelConfiguration',
    levels,
    object('{name}', { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } }),
    '{name}',
  ),
  ...withConditions(
    'a StorageVersionMigration',
    migrations,
    object('{name}', { spec: { resource: { version: 'v1', resource: 'nothing' } } }),
    '{name}',
  ),
  ask(
    'the status of a policy with a condition without a message',
    post(
      policies(),
      object('{name}', {
        spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] },
      }),
    ),
    get(policies('{name}'), {
      as: 'made',
      until: ({ status }) => 'observedGeneration' in (status as JsonObject),
    }),
    put(
      `${policies('{name}')}/status`,
      changed('made', {
        status: {
          conditions: [
            { type: 'T', status: 'True', reason: 'R', lastTransitionTime: '2026-01-01T00:00:00Z' },
          ],
        },
      }),
    ),
  ),
  ...tries(templates, {
    'a projected volume with an empty source': template({ projected: { sources: [{}] } }),
    'a projected volume with a source of two': template({
      projected: { sources: [{ secret: { name: 's' }, configMap: { name: 'c' } }] },
    }),
    'an iSCSI volume without lun and fsType': template({ iscsi }),
  }),
  ...tries(schemas, {
    'a precedence of 0': schema({ matchingPrecedence: 0 }),
    'a precedence of 1': schema({ matchingPrecedence: 1 }),
    'a precedence of 10000': schema({ matchingPrecedence: 10000 }),
    'a precedence of 10001': schema({ matchingPrecedence: 10001 }),
    'a resource in upper case': forResource('Pods'),
    'a resource with a subresource in upper case': forResource('pods/Status'),
    'a resource without a name': forResource(''),
  }),
  ...tries(revisions, {
    'no revision': object('r', { data: {} }),
    'a revision without data': object('r', { revision: 1 }),
  }),
  ...tries(events, {
    'a reason of 64 characters of two bytes': event({ reason: 'ä'.repeat(64) }),
    'a reason of 65 characters of two bytes': event({ reason: 'ä'.repeat(65) }),
  }),
  ...tries(endpoints, {
    'an address that is ready and not, written in two ways': object('e', {
      subsets: [{ addresses: [{ ip: '2001:db8::1' }], notReadyAddresses: [{ ip: '2001:DB8:0::1' }] }],
    }),
  }),
  ...tries(ranges, { 'no spec': object('l', {}), 'no limits': object('l', { spec: {} }) }),
  ...tries(paths('/apis/resource.k8s.io/v1beta1/deviceclasses'), {
    'a class without spec': object('{name}', {}),
  }),
  ...tries(paths('/apis/scheduling.k8s.io/v1/priorityclasses'), { 'no value': object('{name}', {}) }),
  ...tries(paths('/apis/storage.k8s.io/v1/csidrivers'), {
    'a token request without audience': object('{name}', { spec: { tokenRequests: [{}] } }),
  }),
  ...tries(paths('/apis/storage.k8s.io/v1/csinodes'), {
    'a node without spec': object('{name}', {}),
    'a node without drivers': object('{name}', { spec: {} }),
  }),
  ...tries(bindings, { 'a rule with an empty scope': binding('') }),
  ...tries(definitions, {
    'a version without served': definition([version, { name: 'v2', storage: false, schema: version.schema }]),
    'a version without storage': definition([version, { name: 'v2', served: false, schema: version.schema }]),
  }),
]);
