import type { Dialect } from '../../dialect/dialect.ts';
import { age, containerCells, firstFew, labelText, none, since, unset } from '../../kind/table/cells.ts';
import {
  ageColumn,
  column,
  containerColumns,
  integer,
  nameColumn,
  selectorColumn,
  wide,
} from '../../kind/table/columns.ts';
import type { Column, TableLayout } from '../../kind/table.ts';
import type { ComponentStatus } from './componentstatus.ts';
import type { ConfigMap } from './configmap.ts';
import type { Endpoints } from './endpoints.ts';
import type { Event } from './event.ts';
import type { Namespace } from './namespace.ts';
import type { Node } from './node.ts';
import type { PersistentVolume } from './persistentvolume.ts';
import type { PersistentVolumeClaim } from './persistentvolumeclaim.ts';
import type { PodTemplate } from './podtemplate.ts';
import type { ReplicationController } from './replicationcontroller.ts';
import type { ResourceList } from './resource-list.ts';
import type { ResourceQuota } from './resourcequota.ts';
import type { Secret } from './secret.ts';
import type { Service } from './service.ts';
import type { ServiceAccount } from './serviceaccount.ts';

const count = (map: object | undefined) => Object.keys(map ?? {}).length;

export const componentStatusTable: TableLayout<ComponentStatus> = {
  columns: [
    nameColumn,
    column('Status', 'Whether it is well.'),
    column('Message', 'What it says of itself.'),
    column('Error', 'What is wrong with it.'),
  ],
  cells({ metadata, conditions = [] }) {
    const healthy = conditions.find(({ type }) => type === 'Healthy');
    const words: Record<string, string> = { True: 'Healthy', False: 'Unhealthy' };
    return [
      metadata.name ?? '',
      words[healthy?.status ?? ''] ?? 'Unknown',
      healthy?.message ?? '',
      healthy?.error ?? '',
    ];
  },
};

export const configMapTable: TableLayout<ConfigMap> = {
  columns: [nameColumn, column('Data', 'How many entries it has.'), ageColumn],
  cells: (map, now) => [map.metadata.name ?? '', count(map.data) + count(map.binaryData), age(map, now)],
};

export const secretTable: TableLayout<Secret> = {
  columns: [
    nameColumn,
    column('Type', 'What it is for.'),
    column('Data', 'How many entries it has.'),
    ageColumn,
  ],
  cells: (secret, now) => [
    secret.metadata.name ?? '',
    secret.type ?? '',
    count(secret.data),
    age(secret, now),
  ],
};

export const endpointsTable: TableLayout<Endpoints> = {
  columns: [nameColumn, column('Endpoints', 'The first few addresses and ports.'), ageColumn],
  cells: (endpoints, now) => [endpoints.metadata.name ?? '', endpointText(endpoints), age(endpoints, now)],
};

function endpointText({ subsets = [] }: Endpoints): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip }) => withPort(ip, port))),
  );
  return all.length === 0 ? none : firstFew(all, 3, ',');
}

const withPort = (ip: string, port: number) => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

export const eventTable: TableLayout<Event> = {
  columns: [
    column('Last Seen', 'How long ago it last happened.'),
    column('Type', 'Normal or Warning.'),
    column('Reason', 'Why, in one word.'),
    column('Object', 'What it happened to.'),
    wide('Subobject', 'Which part of that.'),
    wide('Source', 'Who reported it.'),
    column('Message', 'What happened.'),
    wide('First Seen', 'How long ago it first happened.'),
    wide('Count', 'How often it has happened.'),
    wide('Name', 'The name of the object.', { format: 'name' }),
  ],
  cells(event, now) {
    const { eventTime, firstTimestamp, lastTimestamp, series, involvedObject, source } = event;
    const first = firstTimestamp ? since(firstTimestamp, now) : since(eventTime, now);
    const last = series
      ? since(series.lastObservedTime, now)
      : lastTimestamp
        ? since(lastTimestamp, now)
        : first;
    const happened = series ? (series.count ?? 0) : (event.count ?? 0) || 1;
    const component = source.component || event.reportingComponent || '';
    const host = source.host || event.reportingInstance || '';
    const { kind = '', name = '' } = involvedObject;
    return [
      last,
      event.type ?? '',
      event.reason ?? '',
      name ? `${kind.toLowerCase()}/${name}` : kind.toLowerCase(),
      involvedObject.fieldPath ?? '',
      host ? `${component}, ${host}` : component,
      (event.message ?? '').trim(),
      first,
      happened,
      event.metadata.name ?? '',
    ];
  },
};

export const namespaceTable: TableLayout<Namespace> = {
  columns: [nameColumn, column('Status', 'Whether it is active or being deleted.'), ageColumn],
  cells: (namespace, now) => [
    namespace.metadata.name ?? '',
    namespace.status.phase ?? '',
    age(namespace, now),
  ],
};

export const nodeTable = (dialect: Dialect): TableLayout<Node> => ({
  columns: [
    nameColumn,
    column('Status', 'Whether it is ready, and whether pods are put there.'),
    column('Roles', 'What it is for.'),
    ageColumn,
    column('Version', 'The version of its agent.'),
    wide('Internal-IP', 'Its address within the cluster.'),
    wide('External-IP', 'Its address outside.'),
    wide('OS-Image', 'Its operating system.'),
    wide('Kernel-Version', 'The version of its kernel.'),
    wide('Container-Runtime', 'What runs its containers.'),
  ],
  cells(node, now) {
    const { nodeInfo, addresses = [] } = node.status;
    const address = (wanted: string) => addresses.find(({ type }) => type === wanted)?.address ?? none;
    return [
      node.metadata.name ?? '',
      nodeStatus(node),
      roles(node, dialect),
      age(node, now),
      nodeInfo.kubeletVersion ?? '',
      address('InternalIP'),
      address('ExternalIP'),
      nodeInfo.osImage || '<unknown>',
      nodeInfo.kernelVersion || '<unknown>',
      nodeInfo.containerRuntimeVersion || '<unknown>',
    ];
  },
});

function nodeStatus({ spec, status }: Node): string {
  const ready = (status.conditions ?? []).find(({ type }) => type === 'Ready');
  const words = [ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady'];
  if (spec.unschedulable) words.push('SchedulingDisabled');
  return words.join(',');
}

function roles({ metadata }: Node, { labels: known }: Dialect): string {
  const found = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(known.nodeRolePrefix)) return [key.slice(known.nodeRolePrefix.length)];
    return key === known.nodeRole && value ? [value] : [];
  });
  return [...new Set(found)].filter(Boolean).sort().join(',') || none;
}

const modes: Readonly<Record<string, string>> = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
};

const accessModes = (given: readonly string[] | undefined) =>
  Object.entries(modes)
    .filter(([mode]) => given?.includes(mode))
    .map(([, short]) => short)
    .join(',');

const volumeModeColumn = wide('VolumeMode', 'Whether it holds files or is a bare device.');
const storageColumns: readonly Column[] = [
  column('StorageClass', 'Its storage class.'),
  column('VolumeAttributesClass', 'Its class of attributes.'),
];

export const persistentVolumeTable: TableLayout<PersistentVolume> = {
  columns: [
    nameColumn,
    column('Capacity', 'How large it is.'),
    column('Access Modes', 'How it can be mounted.'),
    column('Reclaim Policy', 'What becomes of it when its claim is gone.'),
    column('Status', 'Whether it is free, claimed, or neither.'),
    column('Claim', 'The claim it is bound to.'),
    ...storageColumns,
    column('Reason', 'Why it is in that state.'),
    ageColumn,
    volumeModeColumn,
  ],
  cells(volume, now) {
    const { spec, status, metadata } = volume;
    const { claimRef } = spec;
    return [
      metadata.name ?? '',
      spec.capacity?.storage ?? '',
      accessModes(spec.accessModes),
      spec.persistentVolumeReclaimPolicy ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
      claimRef ? `${claimRef.namespace ?? ''}/${claimRef.name ?? ''}` : '',
      spec.storageClassName ?? '',
      spec.volumeAttributesClassName ?? unset,
      status.reason ?? '',
      age(volume, now),
      spec.volumeMode ?? unset,
    ];
  },
};

export const persistentVolumeClaimTable: TableLayout<PersistentVolumeClaim> = {
  columns: [
    nameColumn,
    column('Status', 'Whether it has got a volume.'),
    column('Volume', 'The volume it has got.'),
    column('Capacity', 'How large that is.'),
    column('Access Modes', 'How it can be mounted.'),
    ...storageColumns,
    ageColumn,
    volumeModeColumn,
  ],
  cells(claim, now) {
    const { spec, status, metadata } = claim;
    const isBound = !!spec.volumeName;
    return [
      metadata.name ?? '',
      metadata.deletionTimestamp ? 'Terminating' : (status.phase ?? ''),
      spec.volumeName ?? '',
      isBound ? (status.capacity?.storage ?? '0') : '',
      isBound ? accessModes(status.accessModes) : '',
      spec.storageClassName ?? '',
      spec.volumeAttributesClassName ?? unset,
      age(claim, now),
      spec.volumeMode ?? unset,
    ];
  },
};

export const podTemplateTable: TableLayout<PodTemplate> = {
  columns: [
    nameColumn,
    column('Containers', 'The names of the containers.'),
    column('Images', 'The images of the containers.'),
    column('Pod Labels', 'The labels that pods get.'),
  ],
  cells: ({ metadata, template }) => [
    metadata.name ?? '',
    ...containerCells(template.spec),
    labelText(template.metadata.labels),
  ],
};

export const replicationControllerTable: TableLayout<ReplicationController> = {
  columns: [
    nameColumn,
    column('Desired', 'How many pods there should be.', integer),
    column('Current', 'How many there are.', integer),
    column('Ready', 'How many are ready.', integer),
    ageColumn,
    ...containerColumns,
    selectorColumn,
  ],
  cells(controller, now) {
    const { spec, status, metadata } = controller;
    return [
      metadata.name ?? '',
      spec.replicas ?? 0,
      status.replicas ?? 0,
      status.readyReplicas ?? 0,
      age(controller, now),
      ...containerCells(spec.template?.spec),
      labelText(spec.selector),
    ];
  },
};

export const resourceQuotaTable: TableLayout<ResourceQuota> = {
  columns: [
    nameColumn,
    column('Request', 'What is used, of how much, of all but limits.'),
    column('Limit', 'What is used, of how much, of limits.'),
    ageColumn,
  ],
  cells(quota, now) {
    const { hard = {}, used = {} } = quota.status;
    const shown = (wanted: boolean) =>
      Object.keys(hard)
        .sort()
        .filter((name) => name.startsWith('limits') === wanted)
        .map((name) => `${name}: ${amount(used, name)}/${hard[name]}`)
        .join(', ');
    return [quota.metadata.name ?? '', shown(false), shown(true), age(quota, now)];
  },
};

const amount = (amounts: ResourceList, name: string) => amounts[name] ?? '0';

export const serviceAccountTable: TableLayout<ServiceAccount> = {
  columns: [nameColumn, column('Secrets', 'How many secrets it has.'), ageColumn],
  cells: (account, now) => [account.metadata.name ?? '', (account.secrets ?? []).length, age(account, now)],
};

export const serviceTable: TableLayout<Service> = {
  columns: [
    nameColumn,
    column('Type', 'How it is reached.'),
    column('Cluster-IP', 'Its address within the cluster.'),
    column('External-IP', 'Its address outside.'),
    column('Port(s)', 'Its ports.'),
    ageColumn,
    wide('Selector', 'The labels of the pods behind it.'),
  ],
  cells(service, now) {
    const { spec, metadata } = service;
    const ports = (spec.ports ?? []).map(({ port, nodePort, protocol = '' }) =>
      nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
    );
    return [
      metadata.name ?? '',
      spec.type ?? '',
      spec.clusterIPs?.[0] || spec.clusterIP || none,
      externalAddress(service),
      ports.join(',') || none,
      age(service, now),
      labelText(spec.selector),
    ];
  },
};

function externalAddress({ spec, status }: Service): string {
  const own = spec.externalIPs ?? [];
  if (spec.type === 'ExternalName') return spec.externalName ?? '';
  if (spec.type !== 'LoadBalancer') return own.join(',') || none;
  const given = (status.loadBalancer.ingress ?? []).map(({ ip, hostname }) => ip || hostname || '');
  const balanced = [...new Set(given.filter(Boolean))].sort();
  return [...balanced, ...own].join(',') || '<pending>';
}
