import { quantity } from '../../schema/quantity-type.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, inline, optional, struct } from '../../schema/struct.ts';
import { LocalObjectReference } from './local-object-reference.ts';

export const ObjectFieldSelector = struct(
  'core/v1.ObjectFieldSelector',
  {
    apiVersion: field(1, string),
    fieldPath: field(2, string, { required: true }),
  },
  { atomic: true },
);
export type ObjectFieldSelector = Infer<typeof ObjectFieldSelector>;

export const ResourceFieldSelector = struct(
  'core/v1.ResourceFieldSelector',
  {
    containerName: field(1, string),
    resource: field(2, string, { required: true }),
    divisor: field(3, quantity),
  },
  { atomic: true },
);
export type ResourceFieldSelector = Infer<typeof ResourceFieldSelector>;

export const ConfigMapKeySelector = struct(
  'core/v1.ConfigMapKeySelector',
  {
    ...inline(1, LocalObjectReference),
    key: field(2, string, { required: true }),
    optional: field(3, optional(bool)),
  },
  { atomic: true },
);
export type ConfigMapKeySelector = Infer<typeof ConfigMapKeySelector>;

export const SecretKeySelector = struct(
  'core/v1.SecretKeySelector',
  {
    ...inline(1, LocalObjectReference),
    key: field(2, string, { required: true }),
    optional: field(3, optional(bool)),
  },
  { atomic: true },
);
export type SecretKeySelector = Infer<typeof SecretKeySelector>;
