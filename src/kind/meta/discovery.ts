// Schemas of the unaggregated discovery documents: APIVersions, APIGroupList, APIGroup and APIResourceList.

import { list } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, struct } from '../../schema/struct.ts';
import { typeMeta } from './type-meta.ts';

const ServerAddressByClientCIDR = struct(
  'meta/v1.ServerAddressByClientCIDR',
  {
    clientCIDR: field(1, string, { required: true, doc: 'The range of addresses that a client may have.' }),
    serverAddress: field(2, string, { required: true, doc: 'Where such a client reaches the server.' }),
  },
  { doc: 'The address of the server, as clients in one network see it.' },
);
const serverAddresses = list(ServerAddressByClientCIDR, { type: 'atomic' });

const GroupVersionForDiscovery = struct(
  'meta/v1.GroupVersionForDiscovery',
  {
    groupVersion: field(1, string, { required: true, doc: 'Group and version, as apiVersion has them.' }),
    version: field(2, string, { required: true, doc: 'The version alone.' }),
  },
  { doc: 'One version of a group.' },
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
      doc: 'Where clients reach the server, by where they are.',
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
      doc: 'Its versions, the preferred one first.',
    }),
    preferredVersion: field(3, GroupVersionForDiscovery, { doc: 'The version to use where any will do.' }),
    serverAddressByClientCIDRs: field(4, serverAddresses, {
      doc: 'Where clients reach the server, by where they are.',
    }),
  },
  { doc: 'A group of the API and its versions.' },
);

export const APIGroupList = struct(
  'meta/v1.APIGroupList',
  {
    ...typeMeta,
    groups: field(1, list(APIGroup, { type: 'atomic' }), { required: true, doc: 'The groups.' }),
  },
  { doc: 'The groups of the API that are served, without the core group.' },
);

const APIResource = struct(
  'meta/v1.APIResource',
  {
    name: field(1, string, { required: true, doc: 'The plural name that paths have.' }),
    singularName: field(6, string, { required: true, doc: 'What one of them is called on a command line.' }),
    namespaced: field(2, bool, { required: true, doc: 'Whether its objects live in namespaces.' }),
    group: field(8, string, { doc: 'The group of the kind, where it is not that of the list.' }),
    version: field(9, string, { doc: 'The version of the kind, where it is not that of the list.' }),
    kind: field(3, string, { required: true, doc: 'The kind of its objects.' }),
    verbs: field(4, list(string), { required: true, doc: 'What can be done with it.' }),
    shortNames: field(5, list(string, { type: 'atomic' }), { doc: 'Shorter names for a command line.' }),
    categories: field(7, list(string, { type: 'atomic' }), {
      doc: 'Groups of resources it belongs to, such as all.',
    }),
    storageVersionHash: field(10, string, {
      doc: 'Changes with the version that its objects are stored in.',
    }),
  },
  { doc: 'A resource or subresource that is served.' },
);

export const APIResourceList = struct(
  'meta/v1.APIResourceList',
  {
    ...typeMeta,
    groupVersion: field(1, string, { required: true, doc: 'The group and version of all of them.' }),
    resources: field(2, list(APIResource, { type: 'atomic' }), { required: true, doc: 'The resources.' }),
  },
  { doc: 'The resources of one version of a group.' },
);
