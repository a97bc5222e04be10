// Schemas of the unaggregated discovery documents: APIVersions, APIGroupList, APIGroup and APIResourceList.

import { list } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, struct } from '../../schema/struct.ts';
import { typeMeta } from './type-meta.ts';

const ServerAddressByClientCIDR = struct(
  'meta/v1.ServerAddressByClientCIDR',
  {
    clientCIDR: field(1, string, { required: true, doc: 'The IP range of the clients, in CIDR notation.' }),
    serverAddress: field(2, string, { required: true, doc: 'The server address for these clients.' }),
  },
  { doc: 'The server address for clients in an IP range.' },
);
const serverAddresses = list(ServerAddressByClientCIDR, { type: 'atomic' });

const GroupVersionForDiscovery = struct(
  'meta/v1.GroupVersionForDiscovery',
  {
    groupVersion: field(1, string, { required: true, doc: 'The API group and version, as in apiVersion.' }),
    version: field(2, string, { required: true, doc: 'The API version without the group.' }),
  },
  { doc: 'A version of an API group.' },
);

export const APIVersions = struct(
  'meta/v1.APIVersions',
  {
    ...typeMeta,
    versions: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The versions of the core group.',
    }),
    serverAddressByClientCIDRs: field(2, serverAddresses, {
      required: true,
      doc: 'The server addresses by client IP range.',
    }),
  },
  { doc: 'The versions of the core group that are served.' },
);

export const APIGroup = struct(
  'meta/v1.APIGroup',
  {
    ...typeMeta,
    name: field(1, string, { required: true, doc: 'The name of the group.' }),
    versions: field(2, list(GroupVersionForDiscovery, { type: 'atomic' }), {
      required: true,
      doc: 'The versions of the group, the preferred one first.',
    }),
    preferredVersion: field(3, GroupVersionForDiscovery, { doc: 'The version that clients should prefer.' }),
    serverAddressByClientCIDRs: field(4, serverAddresses, {
      doc: 'The server addresses by client IP range.',
    }),
  },
  { doc: 'An API group and its versions.' },
);

export const APIGroupList = struct(
  'meta/v1.APIGroupList',
  {
    ...typeMeta,
    groups: field(1, list(APIGroup, { type: 'atomic' }), { required: true, doc: 'The API groups.' }),
  },
  { doc: 'The API groups that are served, without the core group.' },
);

const APIResource = struct(
  'meta/v1.APIResource',
  {
    name: field(1, string, { required: true, doc: 'The plural name in URL paths.' }),
    singularName: field(6, string, { required: true, doc: 'The singular name for the command line.' }),
    namespaced: field(2, bool, { required: true, doc: 'Whether the resource is namespaced.' }),
    group: field(8, string, { doc: 'The API group of the kind, if it differs from that of the list.' }),
    version: field(9, string, { doc: 'The API version of the kind, if it differs from that of the list.' }),
    kind: field(3, string, { required: true, doc: 'The kind of the objects.' }),
    verbs: field(4, list(string), { required: true, doc: 'The supported verbs.' }),
    shortNames: field(5, list(string, { type: 'atomic' }), { doc: 'Short names for the command line.' }),
    categories: field(7, list(string, { type: 'atomic' }), {
      doc: 'The categories of the resource, such as all.',
    }),
    storageVersionHash: field(10, string, {
      doc: 'A hash of the storage version of the resource.',
    }),
  },
  { doc: 'A resource or subresource that is served.' },
);

export const APIResourceList = struct(
  'meta/v1.APIResourceList',
  {
    ...typeMeta,
    groupVersion: field(1, string, { required: true, doc: 'The API group and version of the resources.' }),
    resources: field(2, list(APIResource, { type: 'atomic' }), { required: true, doc: 'The resources.' }),
  },
  { doc: 'The resources of a version of an API group.' },
);
