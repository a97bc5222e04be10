// ObjectFieldSelector, ResourceFieldSelector, ConfigMapKeySelector and SecretKeySelector: schemas.
import { quantity } from '../../schema/quantity-type.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { LocalObjectReference } from './local-object-reference.ts';

export const ObjectFieldSelector = struct(
  'core/v1.ObjectFieldSelector',
  {
    apiVersion: field(1, string, { doc: 'The API version in which fieldPath is written. Defaults to `v1`.' }),
    fieldPath: field(2, string, { required: true, doc: 'The path of the field, such as `metadata.name`.' }),
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
    containerName: field(1, string, {
      doc: 'The name of the container. Optional for environment variables.',
    }),
    resource: field(2, string, { required: true, doc: 'The resource to select, such as `limits.cpu`.' }),
    divisor: field(3, quantity, { doc: 'The unit of the output. Defaults to 1.' }),
  },
  { atomic: true, doc: 'A resource request or limit of a container.' },
);
export type ResourceFieldSelector = Infer<typeof ResourceFieldSelector>;

export const ConfigMapKeySelector = struct(
  'core/v1.ConfigMapKeySelector',
  {
    ...inline(1, LocalObjectReference),
    key: field(2, string, { required: true, doc: 'The key to select.' }),
    optional: field(3, optional(bool), { doc: 'Whether the ConfigMap or the key may be missing.' }),
  },
  { atomic: true, doc: 'A key of a ConfigMap.' },
);
export type ConfigMapKeySelector = Infer<typeof ConfigMapKeySelector>;

export const SecretKeySelector = struct(
  'core/v1.SecretKeySelector',
  {
    ...inline(1, LocalObjectReference),
    key: field(2, string, { required: true, doc: 'The key to select.' }),
    optional: field(3, optional(bool), { doc: 'Whether the Secret or the key may be missing.' }),
  },
  { atomic: true, doc: 'A key of a Secret.' },
);
export type SecretKeySelector = Infer<typeof SecretKeySelector>;
