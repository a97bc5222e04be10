// Schema of the aggregated discovery document, apidiscovery.k8s.io/v2 APIGroupDiscoveryList.

import { list } from '../../schema/collections.ts';
import { named, oneOf, string } from '../../schema/scalars.ts';
import { field, optional, struct } from '../../schema/struct.ts';
import { kind } from './kind.ts';
import { ListMeta } from './list-meta.ts';
import { typeMeta } from './type-meta.ts';

const GroupVersionKind = struct(
  'meta/v1.GroupVersionKind',
  {
    group: field(1, string, { required: true, doc: 'The group, empty for core.' }),
    version: field(2, string, { required: true, doc: 'The version.' }),
    kind: field(3, string, { required: true, doc: 'The kind.' }),
  },
  { doc: 'A kind in one version.' },
);

const verbs = (number: number) =>
  field(number, list(string, { type: 'set' }), { required: true, doc: 'What can be done with it.' });

const APISubresourceDiscovery = struct(
  'apidiscovery/v2.APISubresourceDiscovery',
  {
    subresource: field(1, string, { required: true, doc: 'What the path has behind the name.' }),
    responseKind: field(2, optional(GroupVersionKind), { doc: 'The kind it answers with.' }),
    acceptedTypes: field(3, list(GroupVersionKind, { type: 'map', keys: ['group', 'version', 'kind'] }), {
      doc: 'Other kinds that it takes.',
    }),
    verbs: verbs(4),
  },
  { doc: 'A path below the objects of a resource.' },
);

const APIResourceDiscovery = struct(
  'apidiscovery/v2.APIResourceDiscovery',
  {
    resource: field(1, string, { required: true, doc: 'The plural name that paths have.' }),
    responseKind: field(2, optional(GroupVersionKind), { doc: 'The kind of its objects.' }),
    scope: field(3, named('apidiscovery/v2.ResourceScope', oneOf('Cluster', 'Namespaced')), {
      required: true,
      doc: 'Whether its objects live in namespaces.',
    }),
    singularResource: field(4, string, { required: true, doc: 'What one of them is called.' }),
    verbs: verbs(5),
    shortNames: field(6, list(string, { type: 'set' }), { doc: 'Shorter names for a command line.' }),
    categories: field(7, list(string, { type: 'set' }), { doc: 'Groups of resources it belongs to.' }),
    subresources: field(8, list(APISubresourceDiscovery, { type: 'map', keys: ['subresource'] }), {
      doc: 'The paths below its objects.',
    }),
  },
  { doc: 'A resource that is served.' },
);

const APIVersionDiscovery = struct(
  'apidiscovery/v2.APIVersionDiscovery',
  {
    version: field(1, string, { required: true, doc: 'The version.' }),
    resources: field(2, list(APIResourceDiscovery, { type: 'map', keys: ['resource'] }), {
      doc: 'What is served in it.',
    }),
    freshness: field(3, named('apidiscovery/v2.DiscoveryFreshness', oneOf('Current', 'Stale')), {
      doc: 'Whether this is sure, or was so when it could last be asked for.',
    }),
  },
  { doc: 'One version of a group.' },
);

const APIGroupDiscovery = kind(
  'apidiscovery/v2.APIGroupDiscovery',
  {
    versions: field(2, list(APIVersionDiscovery, { type: 'map', keys: ['version'] }), {
      doc: 'Its versions, the preferred one first.',
    }),
  },
  { doc: 'A group and everything in it.' },
);

export const APIGroupDiscoveryList = struct(
  'apidiscovery/v2.APIGroupDiscoveryList',
  {
    ...typeMeta,
    metadata: field(1, ListMeta, { doc: 'Metadata of the answer.' }),
    items: field(2, list(APIGroupDiscovery), { required: true, doc: 'The groups.' }),
  },
  { doc: 'Everything that is served.' },
);
