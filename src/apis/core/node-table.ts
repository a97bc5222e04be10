// Node: printer columns.

import type { Dialect } from '../../dialect/dialect.ts';
import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn, wide } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Node } from './node.ts';

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
  cells(node, ages) {
    const { nodeInfo, addresses = [] } = node.status;
    const address = (wanted: string) => addresses.find(({ type }) => type === wanted)?.address ?? none;
    return [
      node.metadata.name ?? '',
      nodeStatus(node),
      roles(node, dialect),
      age(node, ages),
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
