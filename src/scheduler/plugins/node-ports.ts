// NodePorts: rejects nodes on which a host port of the pod is in use.
import type { FilterPlugin, Rejection } from './plugin.ts';

const rejection: Rejection = {
  plugin: 'NodePorts',
  reasons: ["node(s) didn't have free ports for the requested pod ports"],
  isUnresolvable: false,
};

export const nodePorts: FilterPlugin = {
  name: 'NodePorts',
  prepare({ hostPorts }) {
    if (hostPorts.length === 0) return undefined;
    return {
      check: ({ ports }) => (hostPorts.some((port) => ports.conflictsWith(port)) ? rejection : undefined),
    };
  },
};
