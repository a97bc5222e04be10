// Schemas that the SubjectAccessReview kinds share.

import { LabelSelectorRequirement } from '../../kind/meta/label-selector.ts';
import { FieldSelectorRequirement } from '../../kind/meta/selector-requirements.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';

export const FieldSelectorAttributes = struct(
  'authorization/v1.FieldSelectorAttributes',
  {
    rawSelector: field(1, string, { doc: 'The selector as a query has it.' }),
    requirements: field(2, list(FieldSelectorRequirement, { type: 'atomic' }), {
      doc: 'The selector taken apart. Either this or the other.',
    }),
  },
  { doc: 'The fields that a list is restricted to.' },
);
export type FieldSelectorAttributes = Infer<typeof FieldSelectorAttributes>;

export const LabelSelectorAttributes = struct(
  'authorization/v1.LabelSelectorAttributes',
  {
    rawSelector: field(1, string, { doc: 'The selector as a query has it.' }),
    requirements: field(2, list(LabelSelectorRequirement, { type: 'atomic' }), {
      doc: 'The selector taken apart. Either this or the other.',
    }),
  },
  { doc: 'The labels that a list is restricted to.' },
);
export type LabelSelectorAttributes = Infer<typeof LabelSelectorAttributes>;

export const ResourceAttributes = struct(
  'authorization/v1.ResourceAttributes',
  {
    namespace: field(1, string, { doc: 'The namespace. Empty stands for all of them, or for none.' }),
    verb: field(2, string, { doc: 'What is to be done; * is anything.' }),
    group: field(3, string, { doc: 'The group of the resource; * is any.' }),
    version: field(4, string, { doc: 'The version; * is any.' }),
    resource: field(5, string, { doc: 'The resource; * is any.' }),
    subresource: field(6, string, { doc: 'The subresource, if it is about one.' }),
    name: field(7, string, { doc: 'The name of the object, if it is about one.' }),
    fieldSelector: field(8, optional(FieldSelectorAttributes), {
      doc: 'The fields a list is restricted to.',
    }),
    labelSelector: field(9, optional(LabelSelectorAttributes), {
      doc: 'The labels a list is restricted to.',
    }),
  },
  { doc: 'A request for a resource.' },
);
export type ResourceAttributes = Infer<typeof ResourceAttributes>;

export const NonResourceAttributes = struct(
  'authorization/v1.NonResourceAttributes',
  {
    path: field(1, string, { doc: 'The path.' }),
    verb: field(2, string, { doc: 'The method, in lower case.' }),
  },
  { doc: 'A request for a path that is no resource.' },
);
export type NonResourceAttributes = Infer<typeof NonResourceAttributes>;

/** Protobuf wraps the list in a message, ExtraValue, whose first field it is. */
const extraValue = list(string, { name: 'authorization/v1.ExtraValue' });

export const SubjectAccessReviewSpec = struct(
  'authorization/v1.SubjectAccessReviewSpec',
  {
    resourceAttributes: field(1, optional(ResourceAttributes), {
      doc: 'The request, if it is for a resource.',
    }),
    nonResourceAttributes: field(2, optional(NonResourceAttributes), {
      doc: 'The request, if it is for a path that is no resource.',
    }),
    user: field(3, string, { doc: 'The name of who makes the request. Or the groups alone.' }),
    groups: field(4, list(string, { type: 'atomic' }), { doc: 'The groups of who makes it.' }),
    extra: field(5, mapOf(extraValue), { doc: 'What else is known of who makes it.' }),
    uid: field(6, string, { doc: 'The uid of who makes it.' }),
  },
  { doc: 'The question.' },
);
export type SubjectAccessReviewSpec = Infer<typeof SubjectAccessReviewSpec>;

export const SubjectAccessReviewStatus = struct(
  'authorization/v1.SubjectAccessReviewStatus',
  {
    allowed: field(1, bool, { required: true, doc: 'Whether it is allowed.' }),
    denied: field(4, bool, { doc: 'Whether it is forbidden, whatever else may allow it.' }),
    reason: field(2, string, { doc: 'Why.' }),
    evaluationError: field(3, string, {
      doc: 'What went wrong on the way. There may be an answer all the same.',
    }),
  },
  { doc: 'The answer.' },
);
export type SubjectAccessReviewStatus = Infer<typeof SubjectAccessReviewStatus>;
