// Schema of the aggregated discovery document, apidiscovery.k8s.io/v2 APIGroupDiscoveryList.

import { list } from '../../schema/collections.ts';
import { named, openEnum, string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { kind } from './kind.ts';
import { ListMeta } from './list-meta.ts';
import { typeMeta } from './type-meta.ts';

const GroupVersionKind = struct(
  'meta/v1.GroupVersionKind',
  {
    group: field(1, string, { required: true, doc: 'The API group. Empty for the core group.' }),
    version: field(2, string, { required: true, doc: 'The API version.' }),
    kind: field(3, string, { required: true, doc: 'The kind.' }),
  },
  { doc: 'A kind in one version.' },
);

const verbs = (number: number) =>
  field(number, list(string, { type: 'set' }), { required: true, doc: 'The supported verbs.' });

const APISubresourceDiscovery = struct(
  'apidiscovery/v2.APISubresourceDiscovery',
  {
    subresource: field(1, string, { required: true, doc: 'The name of the subresource in the path.' }),
    responseKind: field(2, optional(GroupVersionKind), { doc: 'The kind of the response.' }),
    acceptedTypes: field(3, list(GroupVersionKind, { type: 'map', keys: ['group', 'version', 'kind'] }), {
      doc: 'Further kinds that the subresource accepts.',
    }),
    verbs: verbs(4),
  },
  { doc: 'A subresource that is served.' },
);

const APIResourceDiscovery = struct(
  'apidiscovery/v2.APIResourceDiscovery',
  {
    resource: field(1, string, { required: true, doc: 'The plural name in URL paths.' }),
    responseKind: field(2, optional(GroupVersionKind), { doc: 'The kind of the objects.' }),
    scope: field(3, named('apidiscovery/v2.ResourceScope', openEnum('Cluster', 'Namespaced')), {
      required: true,
      doc: 'Namespaced or Cluster.',
    }),
    singularResource: field(4, string, { required: true, doc: 'The singular name.' }),
    verbs: verbs(5),
    shortNames: field(6, list(string, { type: 'set' }), { doc: 'Short names for the command line.' }),
    categories: field(7, list(string, { type: 'set' }), {
      doc: 'The categories of the resource, such as all.',
    }),
    subresources: field(8, list(APISubresourceDiscovery, { type: 'map', keys: ['subresource'] }), {
      doc: 'The subresources of the resource.',
    }),
  },
  { doc: 'A resource that is served.' },
);

const APIVersionDiscovery = struct(
  'apidiscovery/v2.APIVersionDiscovery',
  {
    version: field(1, string, { required: true, doc: 'The API version.' }),
    resources: field(2, list(APIResourceDiscovery, { type: 'map', keys: ['resource'] }), {
      doc: 'The resources of the version.',
    }),
    freshness: field(3, named('apidiscovery/v2.DiscoveryFreshness', openEnum('Current', 'Stale')), {
      doc: 'Current, or Stale if the server of the version could not be reached for the latest document.',
    }),
  },
  { doc: 'A version of an API group.' },
);

const APIGroupDiscovery = kind(
  'apidiscovery/v2.APIGroupDiscovery',
  {
    versions: field(2, list(APIVersionDiscovery, { type: 'map', keys: ['version'] }), {
      doc: 'The versions of the group, the preferred one first.',
    }),
  },
  { doc: 'An API group and its resources.' },
);

export const APIGroupDiscoveryList = struct(
  'apidiscovery/v2.APIGroupDiscoveryList',
  {
    ...typeMeta,
    metadata: field(1, ListMeta, { doc: 'The list metadata.' }),
    items: field(2, list(APIGroupDiscovery), { required: true, doc: 'The API groups.' }),
  },
  { doc: 'Aggregated discovery: all API groups, versions and resources that are served.' },
);
