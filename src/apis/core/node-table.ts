// Node: printer columns.
// Dialect: the names of labels in Kubernetes' domain, or in Orch's own.

import type { Dialect } from '../../dialect/dialect.ts';
import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn, wide } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import type { Node } from './node.ts';

export const nodeTable = (dialect: Dialect): TableLayout<Node> => ({
  columns: [
    nameColumn,
    column('Status', 'Whether the node is ready and schedulable.'),
    column('Roles', 'The roles of the node.'),
    ageColumn,
    column('Version', 'The version of the kubelet.'),
    wide('Internal-IP', 'The internal IP address.'),
    wide('External-IP', 'The external IP address.'),
    wide('OS-Image', 'The operating system image.'),
    wide('Kernel-Version', 'The kernel version.'),
    wide('Container-Runtime', 'The container runtime and its version.'),
  ],
  cells(node, ages) {
    const { nodeInfo, addresses = [] } = node.status;
    const address = (addressType: string) =>
      addresses.find(({ type }) => type === addressType)?.address ?? none;
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
  let readiness = 'Unknown';
  if (ready) readiness = ready.status === 'True' ? 'Ready' : 'NotReady';
  return spec.unschedulable ? `${readiness},SchedulingDisabled` : readiness;
}

/** A label names a role in its key (`<prefix>control-plane`) or, the older form, in its value. */
function roles({ metadata }: Node, { labels: labelNames }: Dialect): string {
  const roleNames = Object.entries(metadata.labels ?? {}).flatMap(([key, value]) => {
    if (key.startsWith(labelNames.nodeRolePrefix)) return [key.slice(labelNames.nodeRolePrefix.length)];
    return key === labelNames.nodeRole && value ? [value] : [];
  });
  return [...new Set(roleNames)].filter(Boolean).sort().join(',') || none;
}
