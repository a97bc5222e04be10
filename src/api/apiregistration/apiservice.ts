import { list } from '../../schema/collections.ts';
import { bool, bytes, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const ServiceReference = struct('apiregistration/v1.ServiceReference', {
  namespace: field(1, string),
  name: field(2, string),
  port: field(3, optional(int32)),
});
export type ServiceReference = Infer<typeof ServiceReference>;

export const APIServiceSpec = struct('apiregistration/v1.APIServiceSpec', {
  service: field(1, optional(ServiceReference)),
  group: field(2, string),
  version: field(3, string),
  insecureSkipTLSVerify: field(4, bool),
  caBundle: field(5, bytes),
  groupPriorityMinimum: field(7, int32, { required: true }),
  versionPriority: field(8, int32, { required: true }),
});
export type APIServiceSpec = Infer<typeof APIServiceSpec>;

export const APIServiceCondition = struct('apiregistration/v1.APIServiceCondition', {
  type: field(1, named('apiregistration/v1.APIServiceConditionType', oneOf('Available')), { required: true }),
  status: field(2, named('apiregistration/v1.ConditionStatus', oneOf('True', 'False', 'Unknown')), {
    required: true,
  }),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type APIServiceCondition = Infer<typeof APIServiceCondition>;

export const APIServiceStatus = struct('apiregistration/v1.APIServiceStatus', {
  conditions: field(
    1,
    list(APIServiceCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
});
export type APIServiceStatus = Infer<typeof APIServiceStatus>;

export const APIService = kind(
  'apiregistration/v1.APIService',
  {
    spec: field(2, APIServiceSpec),
    status: field(3, APIServiceStatus),
  },
  { doc: '' },
);
export type APIService = Infer<typeof APIService>;

export const apiservices = (context: KindContext) =>
  resource<APIService>({
    group: 'apiregistration',
    version: 'v1',
    kind: 'APIService',
    plural: 'apiservices',
    categories: ['api-extensions'],
    namespaced: false,
    schema: APIService,
    strategy: plainStrategy(context, APIService),
    subresources: { status: statusOf(context, APIService) },
  });
