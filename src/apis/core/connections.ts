import type { ApiObject } from '../../kind/api-object.ts';
import type { KindDefinition, Subresource } from '../../kind/definition.ts';
import type { Struct } from '../../schema/struct.ts';
import { connectOptions } from './connect-options.ts';

const optionsOf = (kind: string): KindDefinition => ({
  group: '',
  version: 'v1',
  kind,
  // They have no metadata, and nobody asks them for any.
  schema: connectOptions[kind] as Struct<ApiObject>,
});

/** Handed on to what is behind it, whatever the method. */
const proxy = (kind: string): Subresource => ({
  verbs: ['create', 'delete', 'get', 'patch', 'update'],
  connect: { kind, options: optionsOf(kind) },
});
/** Streams that take over the connection. */
const streams = (kind: string): Subresource => ({
  verbs: ['create', 'get'],
  connect: { kind, options: optionsOf(kind) },
});

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
