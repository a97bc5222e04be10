import { list, mapOf } from '../../schema/collections.ts';
import { bool, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { ObjectReference } from '../core/object-reference.ts';
import { protocol } from '../core/protocol.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const EndpointConditions = struct('discovery/v1.EndpointConditions', {
  ready: field(1, optional(bool)),
  serving: field(2, optional(bool)),
  terminating: field(3, optional(bool)),
});
export type EndpointConditions = Infer<typeof EndpointConditions>;

export const ForZone = struct('discovery/v1.ForZone', {
  name: field(1, string, { required: true }),
});
export type ForZone = Infer<typeof ForZone>;

export const ForNode = struct('discovery/v1.ForNode', {
  name: field(1, string, { required: true }),
});
export type ForNode = Infer<typeof ForNode>;

export const EndpointHints = struct('discovery/v1.EndpointHints', {
  forZones: field(1, list(ForZone, { type: 'atomic' })),
  forNodes: field(2, list(ForNode, { type: 'atomic' })),
});
export type EndpointHints = Infer<typeof EndpointHints>;

export const Endpoint = struct('discovery/v1.Endpoint', {
  addresses: field(1, list(string, { type: 'set' }), { required: true }),
  conditions: field(2, EndpointConditions),
  hostname: field(3, optional(string)),
  targetRef: field(4, optional(ObjectReference)),
  deprecatedTopology: field(5, mapOf(string)),
  nodeName: field(6, optional(string)),
  zone: field(7, optional(string)),
  hints: field(8, optional(EndpointHints)),
});
export type Endpoint = Infer<typeof Endpoint>;

export const EndpointPort = struct(
  'discovery/v1.EndpointPort',
  {
    name: field(1, optional(string)),
    protocol: field(2, optional(protocol)),
    port: field(3, optional(int32)),
    appProtocol: field(4, optional(string)),
  },
  { atomic: true },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSlice = kind(
  'discovery/v1.EndpointSlice',
  {
    addressType: field(4, named('discovery/v1.AddressType', string), { required: true }),
    endpoints: field(2, list(Endpoint, { type: 'atomic' }), { required: true }),
    ports: field(3, list(EndpointPort, { type: 'atomic' }), { alwaysWritten: true }),
  },
  { doc: '' },
);
export type EndpointSlice = Infer<typeof EndpointSlice>;

export const endpointslices = (context: KindContext) =>
  resource<EndpointSlice>({
    group: 'discovery',
    version: 'v1',
    kind: 'EndpointSlice',
    plural: 'endpointslices',
    schema: EndpointSlice,
    strategy: plainStrategy(context, EndpointSlice),
  });
