// Schemas that the SubjectAccessReview kinds share. Field numbers are those of protobuf.

import { LabelSelectorRequirement } from '../../kind/meta/label-selector.ts';
import { FieldSelectorRequirement } from '../../kind/meta/selector-requirements.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const FieldSelectorAttributes = struct(
  'authorization/v1.FieldSelectorAttributes',
  {
    rawSelector: field(1, string, { doc: 'The selector as in a query parameter.' }),
    requirements: field(2, list(FieldSelectorRequirement, { type: 'atomic' }), {
      doc: 'The parsed requirements. Mutually exclusive with rawSelector.',
    }),
  },
  { doc: 'The field selector of a list, watch or deletecollection request.' },
);
export type FieldSelectorAttributes = Infer<typeof FieldSelectorAttributes>;

export const LabelSelectorAttributes = struct(
  'authorization/v1.LabelSelectorAttributes',
  {
    rawSelector: field(1, string, { doc: 'The selector as in a query parameter.' }),
    requirements: field(2, list(LabelSelectorRequirement, { type: 'atomic' }), {
      doc: 'The parsed requirements. Mutually exclusive with rawSelector.',
    }),
  },
  { doc: 'The label selector of a list, watch or deletecollection request.' },
);
export type LabelSelectorAttributes = Infer<typeof LabelSelectorAttributes>;

export const ResourceAttributes = struct(
  'authorization/v1.ResourceAttributes',
  {
    namespace: field(1, string, {
      doc: 'The namespace of the request. Empty: all namespaces, or none for cluster-scoped resources.',
    }),
    verb: field(2, string, { doc: 'The verb; * means all.' }),
    group: field(3, string, { doc: 'The API group of the resource; * means all.' }),
    version: field(4, string, { doc: 'The API version of the resource; * means all.' }),
    resource: field(5, string, { doc: 'The resource; * means all.' }),
    subresource: field(6, string, { doc: 'The subresource, if any.' }),
    name: field(7, string, { doc: 'The name of the object. Empty: all objects.' }),
    fieldSelector: field(8, optional(FieldSelectorAttributes), {
      doc: 'The field selector of the request.',
    }),
    labelSelector: field(9, optional(LabelSelectorAttributes), {
      doc: 'The label selector of the request.',
    }),
  },
  { doc: 'The authorization attributes of a resource request.' },
);
export type ResourceAttributes = Infer<typeof ResourceAttributes>;

export const NonResourceAttributes = struct(
  'authorization/v1.NonResourceAttributes',
  {
    path: field(1, string, { doc: 'The URL path.' }),
    verb: field(2, string, { doc: 'The HTTP method in lower case.' }),
  },
  { doc: 'The authorization attributes of a non-resource request.' },
);
export type NonResourceAttributes = Infer<typeof NonResourceAttributes>;

/** Protobuf wraps the list in a message, ExtraValue, whose first field it is. */
const extraValue = list(string, { name: 'authorization/v1.ExtraValue' });

export const SubjectAccessReviewSpec = struct(
  'authorization/v1.SubjectAccessReviewSpec',
  {
    resourceAttributes: field(1, optional(ResourceAttributes), {
      doc: 'The attributes of a resource request.',
    }),
    nonResourceAttributes: field(2, optional(NonResourceAttributes), {
      doc: 'The attributes of a non-resource request.',
    }),
    user: field(3, string, { doc: 'The name of the user. Either user or groups must be set.' }),
    groups: field(4, list(string, { type: 'atomic' }), { doc: 'The groups of the user.' }),
    extra: field(5, mapOf(extraValue), { doc: 'Additional attributes of the user.' }),
    uid: field(6, string, { doc: 'The UID of the user.' }),
  },
  { doc: 'The user and the request to authorize.' },
);
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SubjectAccessReviewStatus = struct(
  'authorization/v1.SubjectAccessReviewStatus',
  {
    allowed: field(1, bool, { required: true, doc: 'Whether the request is allowed.' }),
    denied: field(4, bool, {
      doc: 'Whether the request is explicitly denied, regardless of other authorizers.',
    }),
    reason: field(2, string, { doc: 'The reason for the decision.' }),
    evaluationError: field(3, string, {
      doc: 'An error during the evaluation. The decision may be valid despite the error.',
    }),
  },
  { doc: 'The authorization decision.' },
);
export type SubjectAccessReviewStatus = Infer<typeof SubjectAccessReviewStatus>;
