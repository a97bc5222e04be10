// Schema of metav1.ObjectMeta.

import { list, mapOf } from '../../schema/collections.ts';
import { fieldsV1 } from '../../schema/raw.ts';
import { bool, int64, named, oneOf, revision, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';

export const uid = named('types.UID', string);

const OwnerReference = struct(
  'meta/v1.OwnerReference',
  {
    apiVersion: field(5, string, { required: true, doc: 'Group and version of the owner.' }),
    kind: field(1, string, { required: true, doc: 'Kind of the owner.' }),
    name: field(3, string, { required: true, doc: 'Name of the owner.' }),
    uid: field(4, uid, {
      required: true,
      doc: 'UID of the owner: a new object of the same name owns nothing.',
    }),
    controller: field(6, optional(bool), {
      doc: 'Whether this owner manages the object. At most one owner does.',
    }),
    blockOwnerDeletion: field(7, optional(bool), {
      doc: 'Whether an owner that is deleted in the foreground waits for this object to go first.',
    }),
  },
  {
    atomic: true,
    doc: 'Names an object in the same namespace, or a cluster-scoped one, that this one belongs to.',
  },
);

export const ManagedFieldsEntry = struct(
  'meta/v1.ManagedFieldsEntry',
  {
    manager: field(1, string, { doc: 'Who manages the fields.' }),
    operation: field(2, named('meta/v1.ManagedFieldsOperationType', oneOf('Apply', 'Update')), {
      doc: 'How the manager set them: by server-side apply, or by any other write.',
    }),
    apiVersion: field(3, string, { doc: 'The version of the kind in which the fields are named.' }),
    time: field(4, optional(time), { doc: 'When the set of fields last changed.' }),
    fieldsType: field(6, string, {
      doc: 'How the fields are written down; FieldsV1 is the only way so far.',
    }),
    fieldsV1: field(7, optional(fieldsV1), { doc: 'The fields, as a tree of their names.' }),
    subresource: field(8, string, {
      doc: 'The subresource through which they were set; empty for the object itself.',
    }),
  },
  { doc: 'The fields of an object that one manager has set in one way.' },
);
export type ManagedFieldsEntry = Infer<typeof ManagedFieldsEntry>;

export const ObjectMeta = struct(
  'meta/v1.ObjectMeta',
  {
    name: field(1, string, {
      doc: 'Unique among the objects of this kind in the namespace. It never changes.',
    }),
    generateName: field(2, string, {
      doc: 'With no name given, the server makes one of this prefix and a few random characters.',
    }),
    namespace: field(3, string, {
      doc: 'The namespace the object lives in; empty for cluster-scoped kinds.',
    }),
    selfLink: field(4, string, { doc: 'No longer used, and always empty.' }),
    uid: field(5, uid, {
      doc: 'Tells this object from every other, also from later ones of the same name. Set by the server.',
    }),
    resourceVersion: field(6, revision, {
      doc: 'Changes with every write. Send it back to make sure that nobody else wrote in between.',
    }),
    generation: field(7, int64, {
      doc: 'Counts the changes of what is asked for, where the kind keeps count.',
    }),
    creationTimestamp: field(8, time, { doc: 'When the server created the object.' }),
    deletionTimestamp: field(9, optional(time), {
      doc: 'When the object is due to go. It is set by a delete that has to wait for finalizers or a grace period.',
    }),
    deletionGracePeriodSeconds: field(10, optional(int64), {
      doc: 'How long the object may take to end, once it is being deleted. It can only be shortened.',
    }),
    labels: field(11, mapOf(string), { doc: 'Keys and values by which objects are selected and grouped.' }),
    annotations: field(12, mapOf(string), {
      doc: 'Keys and values that tools keep on the object; nothing selects by them.',
    }),
    ownerReferences: field(
      13,
      list(OwnerReference, { type: 'map', keys: ['uid'], patch: 'merge', patchKey: 'uid' }),
      { doc: 'What the object belongs to. It is removed when all of these are gone.' },
    ),
    finalizers: field(14, list(string, { type: 'set', patch: 'merge' }), {
      doc: 'Who must do something before the object may go. Each removes its own entry when done.',
    }),
    managedFields: field(17, list(ManagedFieldsEntry, { type: 'atomic' }), {
      doc: 'Which manager set which fields. Kept by the server.',
    }),
  },
  { doc: 'What every stored object has.' },
);
export type ObjectMeta = Infer<typeof ObjectMeta>;
