// LocalObjectReference, TypedLocalObjectReference, TypedObjectReference and SecretReference: schemas.
import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const TypedLocalObjectReference = struct(
  'core/v1.TypedLocalObjectReference',
  {
    apiGroup: field(1, optional(string), {
      omitEmpty: false,
      doc: 'The API group of the kind. Defaults to the core group.',
    }),
    kind: field(2, string, { required: true, doc: 'The kind of the object.' }),
    name: field(3, string, { required: true, doc: 'The name of the object.' }),
  },
  { atomic: true, doc: 'A reference to an object of any kind in the same namespace.' },
);
export type TypedLocalObjectReference = Infer<typeof TypedLocalObjectReference>;

export const TypedObjectReference = struct(
  'core/v1.TypedObjectReference',
  {
    apiGroup: field(1, optional(string), {
      omitEmpty: false,
      doc: 'The API group of the kind. Defaults to the core group.',
    }),
    kind: field(2, string, { required: true, doc: 'The kind of the object.' }),
    name: field(3, string, { required: true, doc: 'The name of the object.' }),
    namespace: field(4, optional(string), {
      doc: 'The namespace of the object, if a ReferenceGrant there allows it. Requires the feature gate CrossNamespaceVolumeDataSource.',
    }),
  },
  { doc: 'A reference to an object of any kind, possibly in another namespace.' },
);
export type TypedObjectReference = Infer<typeof TypedObjectReference>;

export const SecretReference = struct(
  'core/v1.SecretReference',
  {
    name: field(1, string, { doc: 'The name of the Secret.' }),
    namespace: field(2, string, { doc: 'The namespace of the Secret.' }),
  },
  { atomic: true, doc: 'A reference to a Secret in any namespace.' },
);
export type SecretReference = Infer<typeof SecretReference>;

export const LocalObjectReference = struct(
  'core/v1.LocalObjectReference',
  { name: field(1, string, { default: '', isDefaultPublished: true, doc: 'The name of the object.' }) },
  { atomic: true, doc: 'A reference to an object of a given kind in the same namespace.' },
);
export type LocalObjectReference = Infer<typeof LocalObjectReference>;
