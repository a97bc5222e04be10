import { list } from '../../schema/collections.ts';
import { bool, int32, named, oneOf, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { time } from '../../schema/time.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy, statusOf } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { conditionStatus } from './condition-status.ts';

export const PriorityLevelConfigurationReference = struct(
  'flowcontrol/v1.PriorityLevelConfigurationReference',
  {
    name: field(1, string, { required: true }),
  },
);
export type PriorityLevelConfigurationReference = Infer<typeof PriorityLevelConfigurationReference>;

export const FlowDistinguisherMethod = struct('flowcontrol/v1.FlowDistinguisherMethod', {
  type: field(1, named('flowcontrol/v1.FlowDistinguisherMethodType', oneOf('ByUser', 'ByNamespace')), {
    required: true,
  }),
});
export type FlowDistinguisherMethod = Infer<typeof FlowDistinguisherMethod>;

export const UserSubject = struct('flowcontrol/v1.UserSubject', {
  name: field(1, string, { required: true }),
});
export type UserSubject = Infer<typeof UserSubject>;

export const GroupSubject = struct('flowcontrol/v1.GroupSubject', {
  name: field(1, string, { required: true }),
});
export type GroupSubject = Infer<typeof GroupSubject>;

export const ServiceAccountSubject = struct('flowcontrol/v1.ServiceAccountSubject', {
  namespace: field(1, string, { required: true }),
  name: field(2, string, { required: true }),
});
export type ServiceAccountSubject = Infer<typeof ServiceAccountSubject>;

export const Subject = struct('flowcontrol/v1.Subject', {
  kind: field(1, named('flowcontrol/v1.SubjectKind', oneOf('User', 'Group', 'ServiceAccount')), {
    required: true,
  }),
  user: field(2, optional(UserSubject)),
  group: field(3, optional(GroupSubject)),
  serviceAccount: field(4, optional(ServiceAccountSubject)),
});
export type Subject = Infer<typeof Subject>;

export const ResourcePolicyRule = struct('flowcontrol/v1.ResourcePolicyRule', {
  verbs: field(1, list(string, { type: 'set' }), { required: true }),
  apiGroups: field(2, list(string, { type: 'set' }), { required: true }),
  resources: field(3, list(string, { type: 'set' }), { required: true }),
  clusterScope: field(4, bool),
  namespaces: field(5, list(string, { type: 'set' }), { alwaysWritten: true }),
});
export type ResourcePolicyRule = Infer<typeof ResourcePolicyRule>;

export const NonResourcePolicyRule = struct('flowcontrol/v1.NonResourcePolicyRule', {
  verbs: field(1, list(string, { type: 'set' }), { required: true }),
  nonResourceURLs: field(6, list(string, { type: 'set' }), { required: true }),
});
export type NonResourcePolicyRule = Infer<typeof NonResourcePolicyRule>;

export const PolicyRulesWithSubjects = struct('flowcontrol/v1.PolicyRulesWithSubjects', {
  subjects: field(1, list(Subject, { type: 'atomic' }), { required: true }),
  resourceRules: field(2, list(ResourcePolicyRule, { type: 'atomic' })),
  nonResourceRules: field(3, list(NonResourcePolicyRule, { type: 'atomic' })),
});
export type PolicyRulesWithSubjects = Infer<typeof PolicyRulesWithSubjects>;

export const FlowSchemaSpec = struct('flowcontrol/v1.FlowSchemaSpec', {
  priorityLevelConfiguration: field(1, PriorityLevelConfigurationReference, { required: true }),
  matchingPrecedence: field(2, int32, { alwaysWritten: true }),
  distinguisherMethod: field(3, optional(FlowDistinguisherMethod)),
  rules: field(4, list(PolicyRulesWithSubjects, { type: 'atomic' })),
});
export type FlowSchemaSpec = Infer<typeof FlowSchemaSpec>;

export const FlowSchemaCondition = struct('flowcontrol/v1.FlowSchemaCondition', {
  type: field(1, named('flowcontrol/v1.FlowSchemaConditionType', string)),
  status: field(2, conditionStatus),
  lastTransitionTime: field(3, time),
  reason: field(4, string),
  message: field(5, string),
});
export type FlowSchemaCondition = Infer<typeof FlowSchemaCondition>;

export const FlowSchemaStatus = struct('flowcontrol/v1.FlowSchemaStatus', {
  conditions: field(
    1,
    list(FlowSchemaCondition, { type: 'map', keys: ['type'], patch: 'merge', patchKey: 'type' }),
  ),
});
export type FlowSchemaStatus = Infer<typeof FlowSchemaStatus>;

export const FlowSchema = kind(
  'flowcontrol/v1.FlowSchema',
  {
    spec: field(2, FlowSchemaSpec),
    status: field(3, FlowSchemaStatus),
  },
  { doc: '' },
);
export type FlowSchema = Infer<typeof FlowSchema>;

export const flowschemas = (context: KindContext) =>
  resource<FlowSchema>({
    group: 'flowcontrol.apiserver',
    version: 'v1',
    kind: 'FlowSchema',
    plural: 'flowschemas',
    namespaced: false,
    schema: FlowSchema,
    strategy: plainStrategy(context, FlowSchema),
    subresources: { status: statusOf(context, FlowSchema) },
  });
