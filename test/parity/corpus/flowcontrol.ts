import { type JsonObject, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const flowschemas = paths('/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas');
const levels = paths('/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations');

const priorityLevelConfiguration = { name: 'nowhere' };
const user = { kind: 'User', user: { name: 'u' } };
const path = { verbs: ['get'], nonResourceURLs: ['/healthz'] };
const resources = { verbs: ['get'], apiGroups: [''], resources: ['pods'], namespaces: ['*'] };

const schema = (spec: JsonObject) => object('f', { spec: { priorityLevelConfiguration, ...spec } });
const ruled = (...rules: JsonObject[]) => schema({ rules });
const forPaths = (rule: JsonObject) => ruled({ subjects: [user], nonResourceRules: [{ ...path, ...rule }] });
const forResources = (rule: JsonObject) =>
  ruled({ subjects: [user], resourceRules: [{ ...resources, ...rule }] });
const from = (...subjects: JsonObject[]) => ruled({ subjects, nonResourceRules: [path] });

const level = (spec: JsonObject) => object('p', { spec });
const limited = (fields: JsonObject) =>
  level({ type: 'Limited', limited: { limitResponse: { type: 'Reject' }, ...fields } });
const queued = (queuing: JsonObject) => limited({ limitResponse: { type: 'Queue', queuing } });

const conditions = [{ type: 'Dangling', status: 'True', reason: 'NotFound', message: 'no such level' }];

export const flowControl = [
  subject('flowschemas', [
    ...lifecycle(flowschemas, object('{name}', { spec: { priorityLevelConfiguration } }), {
      full: object('{other}', {
        spec: {
          priorityLevelConfiguration,
          matchingPrecedence: 9999,
          distinguisherMethod: { type: 'ByNamespace' },
          rules: [
            {
              subjects: [user, { kind: 'ServiceAccount', serviceAccount: { name: '*', namespace: 'n' } }],
              resourceRules: [resources],
              nonResourceRules: [path],
            },
          ],
        },
      }),
      change: { spec: { matchingPrecedence: 9000 } },
    }),
    ...tries(flowschemas, {
      precedence: [0, -1, 1, 10_000, 10_001].map((matchingPrecedence) => schema({ matchingPrecedence })),
      'the level': [object('f'), schema({ priorityLevelConfiguration: { name: 'A B' } })],
      distinguisher: [{}, { type: 'X' }, { type: 'ByUser' }].map((distinguisherMethod) =>
        schema({ distinguisherMethod }),
      ),
      'rules that match nothing': [
        ruled({}),
        ruled({ subjects: [user] }),
        ruled({ subjects: [], nonResourceRules: [path] }),
      ],
      paths: [
        ...[
          '/hea*',
          '/hea',
          '/hea/*',
          '/healthz/*',
          '*',
          'healthz',
          '/x//y',
          '/a/*/b',
          '/',
          '',
          '/*',
          '/a b',
        ].map((url) => forPaths({ nonResourceURLs: [url] })),
        forPaths({ nonResourceURLs: ['*', '/x'] }),
        forPaths({ nonResourceURLs: [] }),
      ],
      verbs: [['*'], ['*', 'get'], [], ['GET'], ['foo'], ['get', 'get']].flatMap((verbs) => [
        forPaths({ verbs }),
        forResources({ verbs }),
      ]),
      'groups and resources': [
        ...[['*'], ['*', 'apps'], [], ['A B']].map((apiGroups) => forResources({ apiGroups })),
        ...[['*'], ['*', 'pods'], [], ['nodes/status']].map((names) => forResources({ resources: names })),
      ],
      namespaces: [
        forResources({ namespaces: [] }),
        forResources({ namespaces: [], clusterScope: true }),
        forResources({ namespaces: ['*', 'a'] }),
        forResources({ namespaces: ['A_'] }),
      ],
      subjects: [
        from({}),
        from({ kind: 'X' }),
        from({ kind: 'User' }),
        from({ kind: 'User', user: { name: '' } }),
        from({ ...user, group: { name: 'g' }, serviceAccount: { name: 's', namespace: 'n' } }),
        from({ kind: 'Group' }),
        from({ kind: 'Group', group: { name: '*' }, user: { name: 'u' } }),
        from({ kind: 'ServiceAccount' }),
        from({ kind: 'ServiceAccount', serviceAccount: {} }),
        from({
          kind: 'ServiceAccount',
          serviceAccount: { name: 'S_', namespace: 'N_' },
          ...{ user: { name: 'u' } },
        }),
      ],
      'fixed ones': [object('exempt', { spec: { priorityLevelConfiguration } })],
    }),
  ]),
  subject('prioritylevelconfigurations', [
    ...lifecycle(levels, object('{name}', limitedSpec()), {
      full: object('{other}', {
        spec: {
          type: 'Limited',
          limited: {
            nominalConcurrencyShares: 7,
            lendablePercent: 10,
            borrowingLimitPercent: 200,
            limitResponse: { type: 'Queue', queuing: { queues: 16, handSize: 4, queueLengthLimit: 5 } },
          },
        },
      }),
      change: { spec: { limited: { nominalConcurrencyShares: 0, limitResponse: { type: 'Reject' } } } },
      status: { conditions },
    }),
    ...tries(levels, {
      type: [level({}), level({ type: 'X' }), level({ type: 'Exempt' }), level({ type: 'Limited' })],
      'either or': [
        level({ type: 'Exempt', limited: {} }),
        level({ type: 'Limited', exempt: {}, limited: { limitResponse: { type: 'Reject' } } }),
        level({ type: 'Exempt', exempt: { nominalConcurrencyShares: -1, lendablePercent: 101 } }),
      ],
      shares: [0, -1, null, 30].map((nominalConcurrencyShares) => limited({ nominalConcurrencyShares })),
      lending: [
        limited({ lendablePercent: 101, borrowingLimitPercent: -1 }),
        limited({ lendablePercent: 50, borrowingLimitPercent: 500 }),
      ],
      response: [
        level({ type: 'Limited', limited: {} }),
        limited({ limitResponse: { type: 'X' } }),
        limited({ limitResponse: { type: 'Queue' } }),
        limited({ limitResponse: { type: 'Reject', queuing: {} } }),
      ],
      queues: [
        queued({}),
        queued({ queues: 0, handSize: -1, queueLengthLimit: -1 }),
        queued({ queues: 5, handSize: 6 }),
        queued({ queues: 10_000_001, handSize: 6 }),
        queued({ queues: 1_000_000, handSize: 20 }),
        queued({ queues: -1 }),
      ],
    }),
  ]),
];

function limitedSpec(): JsonObject {
  return { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } };
}
