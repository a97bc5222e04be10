import type { Subresource } from '../../resource/definition.ts';

/** Handed on to what is behind it, whatever the method. */
const proxy = (kind: string): Subresource => ({
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  connect: { kind },
});
/** Streams that take over the connection. */
const streams = (kind: string): Subresource => ({ verbs: ['create', 'get'], connect: { kind } });

/** The subresources of a pod that lead to the node it runs on. */
export const podConnections = {
  attach: streams('PodAttachOptions'),
  exec: streams('PodExecOptions'),
  log: { verbs: ['get'], connect: { kind: 'Pod' } },
  portforward: streams('PodPortForwardOptions'),
  proxy: proxy('PodProxyOptions'),
} as const satisfies Record<string, Subresource>;

export const nodeConnections = { proxy: proxy('NodeProxyOptions') };
export const serviceConnections = { proxy: proxy('ServiceProxyOptions') };
