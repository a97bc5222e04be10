import type { AnyObject, Api, Kind } from '../api.ts';

export interface Case {
  /** Also the name of the namespace. */
  readonly name: string;
  run(stage: CaseStage): Promise<void>;
  /** The case would disturb others, so it runs after them. */
  readonly isAlone?: boolean;
  /** Objects outside the namespace of the case that are compared too. */
  readonly also?: readonly (readonly [kind: Kind, namespace: string, name: string])[];
}

export interface CaseStage {
  readonly api: Api;
  readonly namespace: string;
  /** Creates a ConfigMap. */
  make(name: string, owners?: readonly object[], more?: object): Promise<AnyObject>;
  remove(name: string, propagationPolicy: Policy): Promise<unknown>;
  /** Removes the finalizer of the test. */
  release(name: string): Promise<unknown>;
  /** Resolves once nothing in the namespace has changed for a while. */
  calm(): Promise<void>;
}

type Policy = 'Background' | 'Foreground' | 'Orphan';

export const configMaps = 'api/v1 configmaps';
export const things = 'apis/compared.example.com/v1 things';
const namespaces = 'api/v1 namespaces';
const pods = 'api/v1 pods';
const claims = 'api/v1 persistentvolumeclaims';
const volumes = 'api/v1 persistentvolumes';
const nodes = 'api/v1 nodes';
export const budgets = 'apis/policy/v1 poddisruptionbudgets';
const apiServices = 'apis/apiregistration.k8s.io/v1 apiservices';
export const cronJobs = 'apis/batch/v1 cronjobs';
const definitions = 'apis/apiextensions.k8s.io/v1 customresourcedefinitions';

const held = { finalizers: ['example.com/hold'] };
const blocking = { blockOwnerDeletion: true };
const never = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'never',
  uid: '00000000-0000-4000-8000-000000000000',
};

const owner = ({ apiVersion, kind, metadata: { name, uid } }: AnyObject, more: object = blocking) => ({
  ...{ apiVersion, kind, name, uid },
  ...more,
});

async function family({ make }: CaseStage): Promise<void> {
  const parent = await make('parent');
  const child = await make('child', [owner(parent)]);
  await make('grandchild', [owner(child)]);
}

const pod = (name: string, ownerReferences: object[] = [], more: object = {}) => ({
  metadata: { name, ...(ownerReferences.length > 0 && { ownerReferences }) },
  spec: {
    nodeName: 'nowhere',
    automountServiceAccountToken: false,
    containers: [{ name: 'c', image: 'i' }],
    ...more,
  },
});

const claimSpec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volumeSpec = {
  capacity: { storage: '1Gi' },
  accessModes: ['ReadWriteOnce'],
  hostPath: { path: '/tmp' },
};

export const customKind = (group: string) => ({
  metadata: { name: `things.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        ...{ name: 'v1', served: true, storage: true },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/** The actions on both sides. The expected result is not stated: the results are compared. */
export const cases: readonly Case[] = [
  ...(['Background', 'Foreground', 'Orphan'] as const).map((policy) => ({
    name: `family-${policy.toLowerCase()}`,
    async run(stage: CaseStage) {
      await family(stage);
      await stage.remove('parent', policy);
    },
  })),
  ...(['Background', 'Foreground', 'Orphan'] as const).map((policy) => ({
    name: `held-dependents-${policy.toLowerCase()}`,
    async run({ make, remove }: CaseStage) {
      const parent = await make('parent');
      await make('blocking', [owner(parent)], held);
      await make('free', [owner(parent, {})], held);
      await make('loose', [owner(parent, {})]);
      await remove('parent', policy);
    },
  })),
  {
    name: 'held-dependents-released',
    async run({ make, remove, release, calm }) {
      const parent = await make('parent');
      await make('blocking', [owner(parent)], held);
      await make('free', [owner(parent, {})], held);
      await remove('parent', 'Foreground');
      await calm();
      await release('blocking');
    },
  },
  {
    name: 'no-longer-blocking',
    async run({ api, namespace, make, remove, calm }) {
      const parent = await make('parent');
      await make('child', [owner(parent)], held);
      await remove('parent', 'Foreground');
      await calm();
      const ownerReferences = [owner(parent, { blockOwnerDeletion: false })];
      await api.patch(configMaps, namespace, 'child', { metadata: { ownerReferences } });
    },
  },
  {
    name: 'another-wish',
    async run({ make, remove, calm }) {
      const parent = await make('parent', [], held);
      await make('child', [owner(parent)], held);
      await remove('parent', 'Foreground');
      await calm();
      await remove('parent', 'Orphan');
    },
  },
  {
    name: 'shared-foreground',
    async run({ make, remove }) {
      const [one, other] = [await make('one'), await make('other')];
      await make('shared', [owner(one), owner(other)]);
      await remove('one', 'Foreground');
    },
  },
  {
    name: 'shared-background',
    async run({ make, remove }) {
      const [one, other] = [await make('one'), await make('other')];
      await make('shared', [owner(one), owner(other)]);
      await remove('one', 'Background');
    },
  },
  {
    name: 'shared-both-leaving',
    async run({ make, remove }) {
      const [one, other] = [await make('one'), await make('other')];
      await make('shared', [owner(one), owner(other)]);
      await remove('one', 'Foreground');
      await remove('other', 'Foreground');
    },
  },
  ...(['Background', 'Foreground', 'Orphan'] as const).map((policy) => ({
    name: `circle-${policy.toLowerCase()}`,
    async run({ api, namespace, make, remove }: CaseStage) {
      const one = await make('one');
      const other = await make('other', [owner(one)]);
      await api.patch(configMaps, namespace, 'one', { metadata: { ownerReferences: [owner(other)] } });
      await remove('one', policy);
    },
  })),
  {
    name: 'owns-itself',
    async run({ api, namespace, make, remove }) {
      const self = await make('self');
      await api.patch(configMaps, namespace, 'self', { metadata: { ownerReferences: [owner(self)] } });
      await remove('self', 'Foreground');
    },
  },
  {
    name: 'absent-owners',
    async run({ make }) {
      const parent = await make('parent');
      await make('of-nobody', [never]);
      await make('of-nobody-held', [never], held);
      await make('of-another', [{ ...owner(parent), uid: never.uid }]);
      await make('of-one-and-nobody', [owner(parent), never]);
    },
  },
  {
    name: 'unknown-kind',
    async run({ make }) {
      await make('of-the-unknown', [{ ...never, apiVersion: 'nobody.example.com/v1', kind: 'Nothing' }]);
      await make('of-both', [never, { ...never, apiVersion: 'v1', kind: 'Nothing', uid: 'u' }]);
    },
  },
  {
    name: 'other-namespace',
    async run({ api, make }) {
      const elsewhere = await api.create(configMaps, 'default', { metadata: { name: 'elsewhere' } });
      elsewhere.apiVersion = 'v1';
      elsewhere.kind = 'ConfigMap';
      // The watches of the controllers must deliver it first.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await make('dependent', [owner(elsewhere)]);
    },
    also: [[configMaps, 'default', 'elsewhere']],
  },
  {
    name: 'no-namespace',
    async run({ api, namespace, make, remove }) {
      const inNamespace = await make('owner');
      const node = await api.create(nodes, '', { metadata: { name: 'compared-node' } });
      Object.assign(node, { apiVersion: 'v1', kind: 'Node' });
      await make('of-the-node', [owner(node)]);
      for (const [name, its] of [
        ['compared-stays', inNamespace],
        ['compared-goes', node],
      ] as const) {
        const metadata = { name, ownerReferences: [owner(its)] };
        await api.create(volumes, '', { metadata, spec: volumeSpec });
      }
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await remove('owner', 'Background');
      await api.remove(nodes, '', 'compared-node');
      await api.get(configMaps, namespace, 'of-the-node');
    },
    also: [
      [volumes, '', 'compared-stays'],
      [volumes, '', 'compared-goes'],
    ],
  },
  {
    name: 'pods-foreground',
    async run({ api, namespace, make, remove }) {
      const parent = await make('parent');
      await api.create(pods, namespace, pod('ending', [owner(parent)]));
      await api.create(pods, namespace, pod('ending-too', [owner(parent, {})]));
      await remove('parent', 'Foreground');
    },
  },
  {
    name: 'custom-kind',
    async run({ api, namespace, make }) {
      const parent = await api.create(things, namespace, thing('parent'));
      await api.create(things, namespace, thing('child', [owner(parent)]));
      await make('dependent', [owner(parent)]);
      await api.remove(things, namespace, 'parent', { propagationPolicy: 'Foreground' });
    },
  },
  {
    name: 'custom-kind-deleted',
    async run({ api, namespace, make }) {
      const group = 'deleted.example.com';
      const itsThings: Kind = `apis/${group}/v1 things`;
      await api.create(definitions, '', customKind(group));
      await served(api, itsThings);
      const parent = await api.create(itsThings, namespace, {
        ...thing('parent'),
        apiVersion: `${group}/v1`,
      });
      // kube-controller-manager needs half a minute to discover a new kind.
      await new Promise((resolve) => setTimeout(resolve, 40_000));
      await make('dependent', [owner(parent)]);
      await new Promise((resolve) => setTimeout(resolve, 2000));
      await api.remove(definitions, '', `things.${group}`);
    },
  },
  {
    name: 'namespace-held',
    async run({ api, namespace, make }) {
      await make('held', [], { finalizers: ['example.com/b', 'example.com/a'] });
      await make('held-too', [], held);
      await make('free');
      await api.remove(namespaces, '', namespace);
      await new Promise((resolve) => setTimeout(resolve, 8000));
    },
  },
  {
    name: 'namespace-released',
    async run({ api, namespace, make, release }) {
      await make('held', [], held);
      await api.create(claims, namespace, { metadata: { name: 'claim' }, spec: claimSpec });
      await api.remove(namespaces, '', namespace);
      await new Promise((resolve) => setTimeout(resolve, 8000));
      await release('held');
      await gone(api, namespace);
    },
  },
  {
    name: 'namespace-of-families',
    async run(stage) {
      const { api, namespace, make, remove } = stage;
      await family(stage);
      const parent = await make('leaving');
      await make('holding', [owner(parent)], held);
      await remove('leaving', 'Foreground');
      await stage.calm();
      await api.remove(namespaces, '', namespace);
      await new Promise((resolve) => setTimeout(resolve, 8000));
    },
  },
  {
    name: 'namespace-of-pods',
    async run({ api, namespace, make }) {
      await make('used');
      await api.create(pods, namespace, pod('ending'));
      await api.remove(namespaces, '', namespace);
      await new Promise((resolve) => setTimeout(resolve, 8000));
    },
  },
  {
    name: 'namespace-served-elsewhere',
    isAlone: true,
    async run({ api, namespace, make }) {
      const [group, version] = ['absent.example.com', 'v1'];
      await api.create(apiServices, '', {
        metadata: { name: `${version}.${group}` },
        spec: {
          ...{ group, version, groupPriorityMinimum: 1000, versionPriority: 10 },
          service: { namespace: 'default', name: 'absent' },
          insecureSkipTLSVerify: true,
        },
      });
      await new Promise((resolve) => setTimeout(resolve, 5000));
      await make('here');
      await api.remove(namespaces, '', namespace);
      await new Promise((resolve) => setTimeout(resolve, 12_000));
    },
  },
  {
    name: 'claims',
    async run({ api, namespace }) {
      for (const name of ['used', 'wanted', 'free']) {
        await api.create(claims, namespace, { metadata: { name }, spec: claimSpec });
      }
      const of = (claimName: string) => ({ volumes: [{ name: 'v', persistentVolumeClaim: { claimName } }] });
      await api.create(pods, namespace, pod('user', [], of('used')));
      await api.create(pods, namespace, pod('waiting', [], { ...of('wanted'), nodeName: undefined }));
      await new Promise((resolve) => setTimeout(resolve, 1000));
      for (const name of ['used', 'wanted', 'free']) await api.remove(claims, namespace, name);
      await api.create(volumes, '', { metadata: { name: 'compared-bound' }, spec: volumeSpec });
      await api.create(volumes, '', { metadata: { name: 'compared-free' }, spec: volumeSpec });
      await api.patch(volumes, '', 'compared-bound', { status: { phase: 'Bound' } }, 'status');
      for (const name of ['compared-bound', 'compared-free']) await api.remove(volumes, '', name);
    },
    also: [
      [volumes, '', 'compared-bound'],
      [volumes, '', 'compared-free'],
    ],
  },
  {
    name: 'cron-jobs',
    async run({ api, namespace, calm }) {
      const year = new Date().getUTCFullYear();
      const hourAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString().slice(0, 19);
      const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
      const due = (name: string, lastScheduleTime: string) =>
        api.patch(cronJobs, namespace, name, { status: { lastScheduleTime } }, 'status');
      const longAgo = `${year - 2}-06-01T00:00:00Z`;
      const yearly = { schedule: '0 0 1 1 *' };
      const all: readonly (readonly [name: string, spec: object, last: string])[] = [
        ['due', { ...yearly, timeZone: 'Etc/UTC' }, longAgo],
        ['elsewhere', { ...yearly, timeZone: 'Asia/Kathmandu' }, longAgo],
        ['suspended', { ...yearly, suspend: true }, longAgo],
        ['too-late', { ...yearly, startingDeadlineSeconds: 100 }, longAgo],
        ['forbidding', { ...yearly, concurrencyPolicy: 'Forbid' }, longAgo],
        ['replacing', { ...yearly, concurrencyPolicy: 'Replace' }, longAgo],
        ['often-missed', { schedule: '0 0 * * *' }, `${hourAgo(200 * 24)}Z`],
      ];
      for (const [name, spec, last] of all) {
        await api.create(cronJobs, namespace, {
          metadata: { name },
          spec: { ...spec, jobTemplate: { metadata: { labels: { of: name } }, spec: { template } } },
        });
        await due(name, last);
      }
      await calm();
      for (const name of ['forbidding', 'replacing']) await due(name, longAgo);
      await calm();
      await api.remove('apis/batch/v1 jobs', namespace, `due-${Date.UTC(year) / 60_000}`, {
        propagationPolicy: 'Background',
      });
    },
  },
  {
    name: 'budgets',
    async run({ api, namespace }) {
      const selectorOf = (app: string) => ({ matchLabels: { app } });
      const template = (app: string) => ({
        metadata: { labels: { app } },
        spec: { containers: [{ name: 'c', image: 'i' }] },
      });
      const readyPod = async (name: string, app: string, owners: object[] = []) => {
        const made = pod(name, owners);
        await api.create(pods, namespace, { ...made, metadata: { ...made.metadata, labels: { app } } });
        const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
        await api.patch(pods, namespace, name, { status }, 'status');
      };
      const web = { replicas: 4, selector: selectorOf('web'), template: template('web') };
      const managed = { controller: true };
      const apps = 'apis/apps/v1';
      const deployment = await api.create(`${apps} deployments`, namespace, {
        ...{ metadata: { name: 'web' }, spec: web },
      });
      Object.assign(deployment, { apiVersion: 'apps/v1', kind: 'Deployment' });
      const set = await api.create(`${apps} replicasets`, namespace, {
        metadata: { name: 'web', ownerReferences: [owner(deployment, managed)] },
        spec: { ...web, replicas: 1 },
      });
      Object.assign(set, { apiVersion: 'apps/v1', kind: 'ReplicaSet' });
      const job = await api.create('apis/batch/v1 jobs', namespace, {
        metadata: { name: 'job' },
        spec: { template: { spec: { ...template('job').spec, restartPolicy: 'Never' } } },
      });
      Object.assign(job, { apiVersion: 'batch/v1', kind: 'Job' });
      for (const name of ['web-1', 'web-2', 'web-3']) await readyPod(name, 'web', [owner(set, managed)]);
      await readyPod('bare', 'bare');
      await readyPod('of-the-job', 'job', [owner(job, managed)]);
      for (const [name, spec] of [
        ['percent', { minAvailable: '50%', selector: selectorOf('web') }],
        ['missing', { maxUnavailable: '30%', selector: selectorOf('web') }],
        ['number', { minAvailable: 1, selector: selectorOf('bare') }],
        ['unmanaged', { maxUnavailable: 1, selector: selectorOf('bare') }],
        ['job', { maxUnavailable: 1, selector: selectorOf('job') }],
        ['nobody', { maxUnavailable: 1, selector: selectorOf('nobody') }],
        ['everybody', { minAvailable: 2, selector: {} }],
        ['none', { minAvailable: 2 }],
      ] as const) {
        await api.create(budgets, namespace, { metadata: { name }, spec });
      }
    },
  },
];

const thing = (name: string, ownerReferences: object[] = []) => ({
  apiVersion: 'compared.example.com/v1',
  kind: 'Thing',
  metadata: { name, ...(ownerReferences.length > 0 && { ownerReferences }) },
});

export async function served(api: Api, kind: Kind): Promise<void> {
  for (;;) {
    try {
      await api.list(kind);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

async function gone(api: Api, namespace: string): Promise<void> {
  for (let tries = 0; tries < 120 && (await api.get(namespaces, '', namespace)); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}
