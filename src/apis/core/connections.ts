// Connect subresources of pods, nodes and services: exec, attach, portforward and proxy.
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindDefinition, Subresource } from '../../kind/definition.ts';
import type { Struct } from '../../schema/struct.ts';
import { connectOptions } from './connect-options.ts';

const optionsOf = (kind: string): KindDefinition => ({
  group: '',
  version: 'v1',
  kind,
  // Options kinds have no metadata, and nothing reads it.
  schema: connectOptions[kind] as Struct<ApiObject>,
});

/** Proxies every HTTP method to the backend. */
const proxy = (kind: string): Subresource => ({
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  connect: { kind, options: optionsOf(kind) },
});
/** Upgrades the connection to a bidirectional stream (SPDY or WebSocket). */
const streams = (kind: string): Subresource => ({
  verbs: ['create', 'get'],
  connect: { kind, options: optionsOf(kind) },
});

/** Pod subresources that kube-apiserver forwards to the kubelet. */
export const podConnections = {
  attach: streams('PodAttachOptions'),
  exec: streams('PodExecOptions'),
  log: { verbs: ['get'], connect: { kind: 'Pod' } },
  portforward: streams('PodPortForwardOptions'),
  proxy: proxy('PodProxyOptions'),
} as const satisfies Record<string, Subresource>;

export const nodeConnections = { proxy: proxy('NodeProxyOptions') };
export const serviceConnections = { proxy: proxy('ServiceProxyOptions') };
