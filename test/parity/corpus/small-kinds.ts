/** Kinds with few rules, one subject each. */
import { type JsonObject, subject } from '../case.ts';
import { lifecycle } from './lifecycle.ts';
import { object, paths } from './objects.ts';
import { tries } from './refusals.ts';

const priorityclasses = paths('/apis/scheduling.k8s.io/v1/priorityclasses');
const runtimeclasses = paths('/apis/node.k8s.io/v1/runtimeclasses');
const candidates = (version: string) =>
  paths(`/apis/coordination.k8s.io/${version}/namespaces/{ns}/leasecandidates`);
const apiservices = paths('/apis/apiregistration.k8s.io/v1/apiservices');
const migrations = paths('/apis/storagemigration.k8s.io/v1alpha1/storageversionmigrations');
const storageversions = paths('/apis/internal.apiserver.k8s.io/v1alpha1/storageversions');

const candidate = (changes: JsonObject = {}) =>
  object('c', {
    spec: {
      leaseName: 'l',
      strategy: 'OldestEmulationVersion',
      binaryVersion: '1.33.0',
      emulationVersion: '1.32.0',
      ...changes,
    },
  });

const service = { name: 's', namespace: 'default' };
const apiService = (changes: JsonObject, name = 'v1.{name}.example.com') =>
  object(name, {
    spec: {
      group: '{name}.example.com',
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      ...changes,
    },
  });

const migration = (resource: JsonObject, more: JsonObject = {}) =>
  object('m', { spec: { resource, ...more } });
const pods = { version: 'v1', resource: 'pods' };
const condition = {
  type: 'Running',
  status: 'True',
  reason: 'Because',
  lastUpdateTime: '2024-01-02T03:04:05Z',
};

const serverVersion = { apiServerID: 'a', encodingVersion: 'v1', decodableVersions: ['v1'] };

export const smallKinds = [
  subject('priorityclasses', [
    ...lifecycle(priorityclasses, object('{name}', { value: 5 }), {
      full: object('{other}', { value: -7, description: 'd', preemptionPolicy: 'Never' }),
      change: { description: 'other' },
    }),
    ...lifecycle(priorityclasses, object('{name}', { value: 5 }), {
      name: 'what stays',
      change: { value: 6, preemptionPolicy: 'Never' },
    }).slice(1, 2),
    ...tries(priorityclasses, {
      values: [{}, { value: 1_000_000_000 }, { value: 1_000_000_001 }, { value: 'x' }].map((fields) =>
        object('p', fields),
      ),
      preemption: [object('p', { value: 1, preemptionPolicy: 'Always' })],
      names: [object('system-x', { value: 1 }), object('A_', { value: 1 })],
    }),
  ]),
  subject('runtimeclasses', [
    ...lifecycle(runtimeclasses, object('{name}', { handler: 'h' }), {
      full: object('{other}', {
        handler: 'h',
        overhead: { podFixed: { cpu: '100m', memory: '10Mi' } },
        scheduling: {
          nodeSelector: { a: 'b' },
          tolerations: [{ key: 'k', operator: 'Exists', effect: 'NoSchedule' }],
        },
      }),
      change: { overhead: { podFixed: { cpu: '1' } } },
    }),
    ...lifecycle(runtimeclasses, object('{name}', { handler: 'h' }), {
      name: 'what stays',
      change: { handler: 'x' },
    }).slice(1, 2),
    ...tries(runtimeclasses, {
      handlers: ['', 'H_', 'h.x', 'h'].map((handler) => object('r', { handler })),
      overhead: [
        object('r', { handler: 'h', overhead: {} }),
        object('r', { handler: 'h', overhead: { podFixed: { cpu: '-1' } } }),
        object('r', { handler: 'h', overhead: { podFixed: { foo: '1' } } }),
      ],
      scheduling: [
        object('r', { handler: 'h', scheduling: { nodeSelector: { 'a b': 'c' } } }),
        object('r', { handler: 'h', scheduling: { tolerations: [{ key: 'a', operator: 'X' }] } }),
      ],
    }),
  ]),
  ...['v1beta1', 'v1alpha2'].map((version) =>
    subject(`leasecandidates-${version}`, [
      ...lifecycle(candidates(version), candidate(), {
        full: object('full', {
          spec: {
            leaseName: 'l',
            strategy: 'example.com/mine',
            binaryVersion: '1.33.0',
            pingTime: '2024-01-02T03:04:05.678901Z',
            renewTime: '2024-01-02T03:04:05.678901Z',
          },
        }),
        change: { spec: { binaryVersion: '1.34.0' } },
      }),
      ...lifecycle(candidates(version), candidate(), {
        name: 'what stays',
        change: { spec: { leaseName: 'other' } },
      }).slice(1, 2),
      ...tries(candidates(version), {
        'what is required': [object('c'), object('c', { spec: {} })],
        lease: [candidate({ leaseName: '' }), candidate({ leaseName: 'A_' })],
        strategy: ['', 'X', 'example.com/x', 'exa mple.com/x'].map((strategy) => candidate({ strategy })),
        versions: [
          ...['x', '', '1.33', 'v1.33.0', '1.33.0-rc.1'].map((binaryVersion) => candidate({ binaryVersion })),
          ...['x', '', '1.34.0'].map((emulationVersion) => candidate({ emulationVersion })),
        ],
      }),
    ]),
  ),
  subject('apiservices', [
    ...lifecycle(apiservices, apiService({}), {
      change: { spec: { versionPriority: 20 } },
    }),
    ...tries(apiservices, {
      names: [apiService({}, 'x'), apiService({ version: 'V_' }), apiService({ group: 'A_' }, 'v1.A_')],
      'the core group': [apiService({ group: '', version: 'v2' }, 'v2.')],
      priorities: [
        ...[0, -1, 20_000, 20_001].map((groupPriorityMinimum) => apiService({ groupPriorityMinimum })),
        ...[0, -1, 1000, 1001].map((versionPriority) => apiService({ versionPriority })),
      ],
      'what is required': [object('v1.x', {}), object('v1.x', { spec: {} })],
      service: [
        apiService({ service, insecureSkipTLSVerify: true }),
        apiService({ service: {} }),
        ...[0, 65_536, 8443].map((port) => apiService({ service: { ...service, port } })),
      ],
      trust: [
        apiService({ insecureSkipTLSVerify: true }),
        apiService({ caBundle: 'eA==' }),
        apiService({ service, caBundle: 'eA==' }),
        apiService({ service, caBundle: 'eA==', insecureSkipTLSVerify: true }),
      ],
    }),
  ]),
  subject('storageversionmigrations', [
    ...lifecycle(migrations, object('{name}', { spec: { resource: pods } }), {
      full: object('{other}', {
        spec: {
          resource: { group: 'apps', version: 'v1', resource: 'deployments' },
          continueToken: 't',
        },
      }),
      change: { spec: { continueToken: 't' } },
      status: { conditions: [condition], resourceVersion: '5' },
    }),
    ...lifecycle(migrations, object('{name}', { spec: { resource: pods } }), {
      name: 'what stays',
      change: { spec: { resource: { version: 'v1', resource: 'services' } } },
    }).slice(1, 2),
    ...[
      { resourceVersion: 'x' },
      { conditions: [{}] },
      { conditions: [condition, condition] },
      { conditions: [{ ...condition, status: 'X' }] },
    ].flatMap((status, i) =>
      lifecycle(migrations, object('{name}', { spec: { resource: pods } }), {
        name: `a bad status ${i}`,
        change: {},
        status,
      }).slice(2, 3),
    ),
    ...tries(migrations, {
      resource: [object('m'), migration({}), migration({ resource: 'pods' }), migration({ version: 'v1' })],
    }),
  ]),
  subject('storageversions', [
    ...lifecycle(storageversions, object('{name}.pods', { spec: {}, status: {} }), {
      change: { spec: {} },
      status: { storageVersions: [serverVersion], commonEncodingVersion: 'v1' },
    }),
    ...[
      { storageVersions: [serverVersion] },
      { storageVersions: [{}] },
      {
        storageVersions: [{ ...serverVersion, encodingVersion: 'a/b/c', servedVersions: ['v3'] }],
        commonEncodingVersion: 'v1',
      },
      { commonEncodingVersion: 'v1' },
      { conditions: [{}] },
      { conditions: [{ type: 'T', status: 'True', reason: '', message: '' }] },
    ].flatMap((status, i) =>
      lifecycle(storageversions, object('{name}.pods', { spec: {}, status: {} }), {
        name: `a bad status ${i}`,
        change: {},
        status,
      }).slice(2, 3),
    ),
    ...tries(storageversions, { names: ['x', 'A_.x', 'a.B', 'a.b.c'].map((name) => object(name)) }),
  ]),
];
