import { list, mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { LabelSelectorRequirement } from '../meta/label-selector.ts';
import { FieldSelectorRequirement } from '../meta/selector-requirements.ts';

export const FieldSelectorAttributes = struct('authorization/v1.FieldSelectorAttributes', {
  rawSelector: field(1, string),
  requirements: field(2, list(FieldSelectorRequirement, { type: 'atomic' })),
});
export type FieldSelectorAttributes = Infer<typeof FieldSelectorAttributes>;

export const LabelSelectorAttributes = struct('authorization/v1.LabelSelectorAttributes', {
  rawSelector: field(1, string),
  requirements: field(2, list(LabelSelectorRequirement, { type: 'atomic' })),
});
export type LabelSelectorAttributes = Infer<typeof LabelSelectorAttributes>;

export const ResourceAttributes = struct('authorization/v1.ResourceAttributes', {
  namespace: field(1, string),
  verb: field(2, string),
  group: field(3, string),
  version: field(4, string),
  resource: field(5, string),
  subresource: field(6, string),
  name: field(7, string),
  fieldSelector: field(8, optional(FieldSelectorAttributes)),
  labelSelector: field(9, optional(LabelSelectorAttributes)),
});
export type ResourceAttributes = Infer<typeof ResourceAttributes>;

export const NonResourceAttributes = struct('authorization/v1.NonResourceAttributes', {
  path: field(1, string),
  verb: field(2, string),
});
export type NonResourceAttributes = Infer<typeof NonResourceAttributes>;

/** In Protobuf a message of its own, whose first field is the list. */
export const extraValue = list(string, { name: 'authorization/v1.ExtraValue' });

export const SubjectAccessReviewSpec = struct('authorization/v1.SubjectAccessReviewSpec', {
  resourceAttributes: field(1, optional(ResourceAttributes)),
  nonResourceAttributes: field(2, optional(NonResourceAttributes)),
  user: field(3, string),
  groups: field(4, list(string, { type: 'atomic' })),
  extra: field(5, mapOf(extraValue)),
  uid: field(6, string),
});
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SubjectAccessReviewStatus = struct('authorization/v1.SubjectAccessReviewStatus', {
  allowed: field(1, bool, { required: true }),
  denied: field(4, bool),
  reason: field(2, string),
  evaluationError: field(3, string),
});
export type SubjectAccessReviewStatus = Infer<typeof SubjectAccessReviewStatus>;
