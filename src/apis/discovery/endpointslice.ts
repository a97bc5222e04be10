// EndpointSlice: schema.

import { kind } from '../../kind/meta/kind.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, int32, named, publishedEnum, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { ObjectReference } from '../core/object-reference.ts';
import { protocol } from '../core/protocol.ts';

const EndpointConditions = struct(
  'discovery/v1.EndpointConditions',
  {
    ready: field(1, optional(bool), { doc: 'Whether the endpoint can receive traffic. Absent: true.' }),
    serving: field(2, optional(bool), {
      doc: 'Whether the endpoint passes its readiness checks, even if it is terminating.',
    }),
    terminating: field(3, optional(bool), { doc: 'Whether the endpoint is terminating.' }),
  },
  { doc: 'The conditions of an endpoint.' },
);

const ForZone = struct(
  'discovery/v1.ForZone',
  { name: field(1, string, { required: true, doc: 'The name of the zone.' }) },
  { doc: 'A zone whose traffic should use the endpoint.' },
);

const ForNode = struct(
  'discovery/v1.ForNode',
  { name: field(1, string, { required: true, doc: 'The name of the node.' }) },
  { doc: 'A node whose traffic should use the endpoint.' },
);

export const EndpointHints = struct(
  'discovery/v1.EndpointHints',
  {
    forZones: field(1, list(ForZone, { type: 'atomic' }), {
      doc: 'The zones whose traffic should use the endpoint, at most 8.',
    }),
    forNodes: field(2, list(ForNode, { type: 'atomic' }), {
      doc: 'The nodes whose traffic should use the endpoint, at most 8.',
    }),
  },
  { doc: 'Hints for topology-aware routing.' },
);
export type EndpointHints = Infer<typeof EndpointHints>;

export const Endpoint = struct(
  'discovery/v1.Endpoint',
  {
    addresses: field(1, list(string, { type: 'set' }), {
      required: true,
      doc: 'The addresses of the endpoint, of the addressType of the slice, at most 100. They are interchangeable; consumers may use only the first.',
    }),
    conditions: field(2, EndpointConditions, { doc: 'The conditions of the endpoint.' }),
    hostname: field(3, optional(string), { doc: 'The hostname of the endpoint.' }),
    targetRef: field(4, optional(ObjectReference), { doc: 'The object behind the endpoint, usually a pod.' }),
    deprecatedTopology: field(5, mapOf(string), {
      doc: 'The topology of v1beta1. It is read but not stored: use nodeName and zone.',
    }),
    nodeName: field(6, optional(string), { doc: 'The node that hosts the endpoint.' }),
    zone: field(7, optional(string), { doc: 'The zone of the endpoint.' }),
    hints: field(8, optional(EndpointHints), { doc: 'Hints for topology-aware routing.' }),
  },
  { doc: 'An endpoint of a service.' },
);
export type Endpoint = Infer<typeof Endpoint>;

export const EndpointPort = struct(
  'discovery/v1.EndpointPort',
  {
    name: field(1, optional(string), {
      doc: 'The name of the port in the service, unique in the slice.',
    }),
    protocol: field(2, optional(protocol), { doc: 'The transport protocol. Defaults to TCP.' }),
    port: field(3, optional(int32), {
      doc: 'The port number. If absent, the interpretation is up to the consumer.',
    }),
    appProtocol: field(4, optional(string), {
      doc: 'The application protocol: an IANA service name, or a domain-prefixed name.',
    }),
  },
  {
    atomic: true,
    doc: 'A port of every endpoint in the slice.',
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
    addressType: field(4, named('discovery/v1.AddressType', publishedEnum('IPv4', 'IPv6', 'FQDN')), {
      required: true,
      doc: 'The type of the addresses: IPv4, IPv6 or FQDN (deprecated). Immutable.',
    }),
    endpoints: field(2, list(Endpoint, { type: 'atomic' }), {
      required: true,
      doc: 'The endpoints, at most 1000.',
    }),
    ports: field(3, list(EndpointPort, { type: 'atomic' }), {
      omitEmpty: false,
      doc: 'The ports of every endpoint. If empty, the slice has no defined ports.',
    }),
  },
  {
    doc: 'A subset of the endpoints of a service. A label names the service; all of its slices together are its endpoints.',
  },
);
export type EndpointSlice = Infer<typeof EndpointSlice>;
