import { string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const TypedLocalObjectReference = struct(
  'core/v1.TypedLocalObjectReference',
  {
    apiGroup: field(1, optional(string), { alwaysWritten: true }),
    kind: field(2, string, { required: true }),
    name: field(3, string, { required: true }),
  },
  { atomic: true },
);
export type TypedLocalObjectReference = Infer<typeof TypedLocalObjectReference>;

export const TypedObjectReference = struct('core/v1.TypedObjectReference', {
  apiGroup: field(1, optional(string), { alwaysWritten: true }),
  kind: field(2, string, { required: true }),
  name: field(3, string, { required: true }),
  namespace: field(4, optional(string)),
});
export type TypedObjectReference = Infer<typeof TypedObjectReference>;

export const SecretReference = struct(
  'core/v1.SecretReference',
  {
    name: field(1, string),
    namespace: field(2, string),
  },
  { atomic: true },
);
export type SecretReference = Infer<typeof SecretReference>;

export const LocalObjectReference = struct(
  'core/v1.LocalObjectReference',
  {
    name: field(1, string),
  },
  { atomic: true },
);
export type LocalObjectReference = Infer<typeof LocalObjectReference>;
