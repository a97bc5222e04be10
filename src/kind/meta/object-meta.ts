// Schema of metav1.ObjectMeta.

import { fieldsV1, list, mapOf } from '../../schema/collections.ts';
import { bool, int64, named, openEnum, revision, string, time } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const uid = named('types.UID', string);

const OwnerReference = struct(
  'meta/v1.OwnerReference',
  {
    apiVersion: field(5, string, { required: true, doc: 'The API group and version of the owner.' }),
    kind: field(1, string, { required: true, doc: 'The kind of the owner.' }),
    name: field(3, string, { required: true, doc: 'The name of the owner.' }),
    uid: field(4, uid, {
      required: true,
      doc: 'The UID of the owner. A new object of the same name does not own this object.',
    }),
    controller: field(6, optional(bool), {
      doc: 'Whether the owner is the managing controller. At most one owner is.',
    }),
    blockOwnerDeletion: field(7, optional(bool), {
      doc: 'Whether a foreground deletion of the owner waits until this object is deleted.',
    }),
  },
  {
    atomic: true,
    doc: 'A reference to an owner of the object, which is in the same namespace or cluster-scoped.',
  },
);

export const ManagedFieldsEntry = struct(
  'meta/v1.ManagedFieldsEntry',
  {
    manager: field(1, string, { doc: 'The name of the field manager.' }),
    operation: field(2, named('meta/v1.ManagedFieldsOperationType', openEnum('Apply', 'Update')), {
      doc: 'Apply for server-side apply, Update for other writes.',
    }),
    apiVersion: field(3, string, { doc: 'The API version in which the fields are named.' }),
    time: field(4, optional(time), { doc: 'When the set of fields last changed.' }),
    fieldsType: field(6, string, {
      doc: 'The format of the field set. Only FieldsV1 is supported.',
    }),
    fieldsV1: field(7, optional(fieldsV1), { doc: 'The field set in FieldsV1 format.' }),
    subresource: field(8, string, {
      doc: 'The subresource through which the fields were set. Empty for the main resource.',
    }),
  },
  { doc: 'The fields that one field manager owns through one operation.' },
);
export type ManagedFieldsEntry = Infer<typeof ManagedFieldsEntry>;

export const ObjectMeta = struct(
  'meta/v1.ObjectMeta',
  {
    name: field(1, string, {
      doc: 'The name, unique among the objects of the kind in the namespace. Immutable.',
    }),
    generateName: field(2, string, {
      doc: 'A prefix from which the server generates the name if name is absent.',
    }),
    namespace: field(3, string, {
      doc: 'The namespace of the object. Empty for cluster-scoped kinds.',
    }),
    selfLink: field(4, string, { doc: 'No longer used; always empty.' }),
    uid: field(5, uid, {
      doc: 'Identifies the object, distinct from later objects of the same name. Set by the server.',
    }),
    resourceVersion: field(6, revision, {
      doc: 'The opaque version of the object for optimistic concurrency; it changes with every write.',
    }),
    generation: field(7, int64, {
      doc: 'A sequence number of the desired state, for kinds that maintain it.',
    }),
    creationTimestamp: field(8, time, { doc: 'When the server created the object.' }),
    deletionTimestamp: field(9, optional(time), {
      doc: 'When the object is going to be deleted. Set by the server on a graceful deletion, or if finalizers are pending.',
    }),
    deletionGracePeriodSeconds: field(10, optional(int64), {
      doc: 'Seconds for a graceful termination, if deletionTimestamp is set. It can only be decreased.',
    }),
    labels: field(11, mapOf(string), { doc: 'Keys and values by which objects are organized and selected.' }),
    annotations: field(12, mapOf(string), {
      doc: 'Arbitrary keys and values for tools. They cannot be used in selectors.',
    }),
    ownerReferences: field(
      13,
      list(OwnerReference, { type: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid' }),
      { doc: 'The owners of the object. The garbage collector deletes the object once none of them exists.' },
    ),
    finalizers: field(14, list(string, { type: 'set', patch: 'merge' }), {
      doc: 'Identifiers of components that must act before the object is deleted. Each component removes its own entry.',
    }),
    managedFields: field(17, list(ManagedFieldsEntry, { type: 'atomic' }), {
      doc: 'The fields that each field manager owns. Maintained by the server.',
    }),
  },
  { doc: 'The metadata of persisted objects.' },
);
export type ObjectMeta = Infer<typeof ObjectMeta>;
