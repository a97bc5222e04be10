// Connect subresources of pods, nodes and services: exec, attach, portforward and proxy.
import type { ApiObject } from '../../kind/api-object.ts';
import type { KindDefinition, Subresource } from '../../kind/definition.ts';
import type { Struct } from '../../schema/struct.ts';
import { connectOptions } from './connect-options.ts';

const optionsKind = (kind: string): KindDefinition => ({
  group: '',
  version: 'v1',
  kind,
  // Options kinds have no metadata, and nothing reads it.
  schema: connectOptions[kind] as Struct<ApiObject>,
});

/** Proxies every HTTP method to the backend. */
const proxySubresource = (kind: string): Subresource => ({
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  connect: { kind, options: optionsKind(kind) },
});
/** Upgrades the connection to a bidirectional stream (SPDY or WebSocket). */
const streamSubresource = (kind: string): Subresource => ({
  verbs: ['create', 'get'],
  connect: { kind, options: optionsKind(kind) },
});

/** Pod subresources that kube-apiserver forwards to the kubelet. */
export const podConnections = {
  attach: streamSubresource('PodAttachOptions'),
  exec: streamSubresource('PodExecOptions'),
  log: { verbs: ['get'], connect: { kind: 'Pod' } },
  portforward: streamSubresource('PodPortForwardOptions'),
  proxy: proxySubresource('PodProxyOptions'),
} as const satisfies Record<string, Subresource>;

export const nodeConnections = { proxy: proxySubresource('NodeProxyOptions') };
export const serviceConnections = { proxy: proxySubresource('ServiceProxyOptions') };
