// LocalObjectReference, TypedLocalObjectReference, TypedObjectReference and SecretReference: schemas.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const TypedLocalObjectReference = struct(
  'core/v1.TypedLocalObjectReference',
  {
    apiGroup: field(1, optional(string), {
      alwaysWritten: true,
      doc: 'The group of the kind; the core group when left out.',
    }),
    kind: field(2, string, { required: true, doc: 'The kind of the object.' }),
    name: field(3, string, { required: true, doc: 'The name of the object.' }),
  },
  { atomic: true, doc: 'An object of any kind in the same namespace.' },
);
export type TypedLocalObjectReference = Infer<typeof TypedLocalObjectReference>;

export const TypedObjectReference = struct(
  'core/v1.TypedObjectReference',
  {
    apiGroup: field(1, optional(string), {
      alwaysWritten: true,
      doc: 'The group of the kind; the core group when left out.',
    }),
    kind: field(2, string, { required: true, doc: 'The kind of the object.' }),
    name: field(3, string, { required: true, doc: 'The name of the object.' }),
    namespace: field(4, optional(string), {
      doc: 'The namespace of the object, where a ReferenceGrant there allows it. Needs the feature CrossNamespaceVolumeDataSource.',
    }),
  },
  { doc: 'An object of any kind, also in another namespace.' },
);
export type TypedObjectReference = Infer<typeof TypedObjectReference>;

export const SecretReference = struct(
  'core/v1.SecretReference',
  {
    name: field(1, string, { doc: 'The name of the Secret.' }),
    namespace: field(2, string, { doc: 'The namespace of the Secret.' }),
  },
  { atomic: true, doc: 'A Secret in any namespace.' },
);
export type SecretReference = Infer<typeof SecretReference>;

export const LocalObjectReference = struct(
  'core/v1.LocalObjectReference',
  { name: field(1, string, { default: '', announced: true, doc: 'The name of the object.' }) },
  { atomic: true, doc: 'An object of a known kind in the same namespace.' },
);
export type LocalObjectReference = Infer<typeof LocalObjectReference>;
