// ObjectFieldSelector, ResourceFieldSelector, ConfigMapKeySelector and SecretKeySelector: schemas.
import { quantity } from '../../schema/quantity-type.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { LocalObjectReference } from './local-object-reference.ts';

export const ObjectFieldSelector = struct(
  'core/v1.ObjectFieldSelector',
  {
    apiVersion: field(1, string, { doc: 'The version that the path is meant in, `v1` by default.' }),
    fieldPath: field(2, string, { required: true, doc: "The field's path, such as `metadata.name`." }),
  },
  {
    atomic: true,
    doc: 'A field of an object.',
    defaults(selector) {
      selector.apiVersion ||= 'v1';
    },
  },
);
export type ObjectFieldSelector = Infer<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = struct(
  'core/v1.ResourceFieldSelector',
  {
    containerName: field(1, string, { doc: 'The container; in its own environment it need not be named.' }),
    resource: field(2, string, { required: true, doc: 'What to take, such as `limits.cpu`.' }),
    divisor: field(3, quantity, { doc: 'The unit that it is given in, 1 by default.' }),
  },
  { atomic: true, doc: 'What a container asks for or is limited to.' },
);
export type ResourceFieldSelector = Infer<typeof ResourceFieldSelector>;

export const ConfigMapKeySelector = struct(
  'core/v1.ConfigMapKeySelector',
  {
    ...inline(1, LocalObjectReference),
    key: field(2, string, { required: true, doc: 'The key of the entry.' }),
    optional: field(3, optional(bool), { doc: 'The ConfigMap or its entry may be missing.' }),
  },
  { atomic: true, doc: 'An entry of a ConfigMap.' },
);
export type ConfigMapKeySelector = Infer<typeof ConfigMapKeySelector>;

export const SecretKeySelector = struct(
  'core/v1.SecretKeySelector',
  {
    ...inline(1, LocalObjectReference),
    key: field(2, string, { required: true, doc: 'The key of the entry.' }),
    optional: field(3, optional(bool), { doc: 'The Secret or its entry may be missing.' }),
  },
  { atomic: true, doc: 'An entry of a Secret.' },
);
export type SecretKeySelector = Infer<typeof SecretKeySelector>;
