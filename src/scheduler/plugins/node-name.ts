// NodeName: a pod whose spec names a node fits only on it.
import type { FilterPlugin, Rejection } from './plugin.ts';

const rejection: Rejection = {
  plugin: 'NodeName',
  reasons: ["node(s) didn't match the requested node name"],
  isUnresolvable: true,
};

export const nodeName: FilterPlugin = {
  name: 'NodeName',
  prepare: ({ spec }) =>
    spec.nodeName ? { check: ({ name }) => (name === spec.nodeName ? undefined : rejection) } : undefined,
};
