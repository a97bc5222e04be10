import { bytes, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const ServiceReference = struct('admissionregistration/v1.ServiceReference', {
  namespace: field(1, string, { required: true }),
  name: field(2, string, { required: true }),
  path: field(3, optional(string)),
  port: field(4, optional(int32)),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const WebhookClientConfig = struct('admissionregistration/v1.WebhookClientConfig', {
  url: field(3, optional(string)),
  service: field(1, optional(ServiceReference)),
  caBundle: field(2, bytes),
});
export type WebhookClientConfig = Infer<typeof WebhookClientConfig>;

export const sideEffectClass = named(
  'admissionregistration/v1.SideEffectClass',
  oneOf('Unknown', 'None', 'Some', 'NoneOnDryRun'),
);

export const reinvocationPolicyType = named(
  'admissionregistration/v1.ReinvocationPolicyType',
  oneOf('Never', 'IfNeeded'),
);
