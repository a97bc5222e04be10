// NodeUnschedulable: rejects cordoned nodes, unless the pod tolerates their taint.
import { tolerates } from '../../apis/core/taint-toleration.ts';
import type { FilterPlugin, Rejection } from './plugin.ts';

const rejection: Rejection = {
  plugin: 'NodeUnschedulable',
  reasons: ['node(s) were unschedulable'],
  isUnresolvable: true,
};

export const nodeUnschedulable: FilterPlugin = {
  name: 'NodeUnschedulable',
  prepare({ tolerations }, { unschedulableTaint }) {
    const taint = { key: unschedulableTaint, effect: 'NoSchedule' } as const;
    if (tolerations.some((toleration) => tolerates(toleration, taint))) return undefined;
    return { check: ({ isUnschedulable }) => (isUnschedulable ? rejection : undefined) };
  },
};
