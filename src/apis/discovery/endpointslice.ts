// Schema of EndpointSlice.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, documentedEnum, int32, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ObjectReference } from '../core/object-reference.ts';
import { protocol } from '../core/protocol.ts';

const EndpointConditions = struct(
  'discovery/v1.EndpointConditions',
  {
    ready: field(1, optional(bool), { doc: 'It takes traffic. Where nothing is said, it does.' }),
    serving: field(2, optional(bool), { doc: 'It would take traffic, were it not going away.' }),
    terminating: field(3, optional(bool), { doc: 'It is going away.' }),
  },
  { doc: 'How an endpoint is doing.' },
);

const ForZone = struct(
  'discovery/v1.ForZone',
  { name: field(1, string, { required: true, doc: 'The name of the zone.' }) },
  { doc: 'A zone that should use an endpoint.' },
);

const ForNode = struct(
  'discovery/v1.ForNode',
  { name: field(1, string, { required: true, doc: 'The name of the node.' }) },
  { doc: 'A node that should use an endpoint.' },
);

export const EndpointHints = struct(
  'discovery/v1.EndpointHints',
  {
    forZones: field(1, list(ForZone, { type: 'atomic' }), {
      doc: 'The zones that should use it, at most 8.',
    }),
    forNodes: field(2, list(ForNode, { type: 'atomic' }), {
      doc: 'The nodes that should use it, at most 8.',
    }),
  },
  { doc: 'Who should use an endpoint, so that traffic stays near.' },
);
export type EndpointHints = Infer<typeof EndpointHints>;

export const Endpoint = struct(
  'discovery/v1.Endpoint',
  {
    addresses: field(1, list(string, { type: 'set' }), {
      required: true,
      doc: 'Its addresses, of the type of the slice, at most 100. All lead to the same; clients may use the first alone.',
    }),
    conditions: field(2, EndpointConditions, { doc: 'How it is doing.' }),
    hostname: field(3, optional(string), { doc: 'Its name below the name of the service.' }),
    targetRef: field(4, optional(ObjectReference), { doc: 'The object that answers there.' }),
    deprecatedTopology: field(5, mapOf(string), {
      doc: 'Where it is, as older versions said it. It is read but not kept: nodeName and zone say it now.',
    }),
    nodeName: field(6, optional(string), { doc: 'The node it is on.' }),
    zone: field(7, optional(string), { doc: 'The zone it is in.' }),
    hints: field(8, optional(EndpointHints), { doc: 'Who should use it.' }),
  },
  { doc: 'One place that answers for a service.' },
);
export type Endpoint = Infer<typeof Endpoint>;

export const EndpointPort = struct(
  'discovery/v1.EndpointPort',
  {
    name: field(1, optional(string), {
      doc: 'The name of the port in the service. Names differ within a slice.',
    }),
    protocol: field(2, optional(protocol), { doc: 'The transport protocol; TCP by default.' }),
    port: field(3, optional(int32), { doc: 'The number; without one, what is meant is up to the reader.' }),
    appProtocol: field(4, optional(string), {
      doc: 'A hint at the application protocol: a registered service name, or a name with a domain of its owner.',
    }),
  },
  {
    atomic: true,
    doc: 'One port that every endpoint of a slice has.',
    defaults(port) {
      port.name ??= '';
      port.protocol ??= 'TCP';
    },
  },
);
export type EndpointPort = Infer<typeof EndpointPort>;

export const EndpointSlice = kind(
  'discovery/v1.EndpointSlice',
  {
    addressType: field(4, named('discovery/v1.AddressType', documentedEnum('IPv4', 'IPv6', 'FQDN')), {
      required: true,
      doc: 'What the addresses are: IPv4, IPv6 or, deprecated, FQDN. It stays.',
    }),
    endpoints: field(2, list(Endpoint, { type: 'atomic' }), {
      required: true,
      doc: 'The places that answer, at most 1000.',
    }),
    ports: field(3, list(EndpointPort, { type: 'atomic' }), {
      alwaysWritten: true,
      doc: 'The ports that each of them has. None means that no port is known.',
    }),
  },
  {
    doc: 'Some of the places that answer for a service. A label says which service; together its slices are all of them.',
  },
);
export type EndpointSlice = Infer<typeof EndpointSlice>;
