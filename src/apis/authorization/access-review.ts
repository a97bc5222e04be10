import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-syntax.ts';
import { LabelSelectorRequirement } from '../../kind/meta/label-selector.ts';
import { FieldSelectorRequirement } from '../../kind/meta/selector-requirements.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import { list, mapOf } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { restrictionsOf, validateSelectors } from './selector-attributes.ts';

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

/** In Protobuf a message of its own, whose first field is the list. */
export const extraValue = list(string, { name: 'authorization/v1.ExtraValue' });

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

export interface Attributes {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}

/** A request is for a resource or for a path, and its selectors are given in one way. */
export function validateAttributes(attributes: Attributes): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: other } = attributes;
  const errors: FieldError[] = [];
  if (resource && other) {
    const why = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalid('spec.nonResourceAttributes', shownPath(other), why));
  }
  if (!resource && !other) {
    const why = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalid('spec.resourceAttributes', 'null', why));
  }
  return resource ? [...errors, ...validateSelectors(resource)] : errors;
}

export function shownPath({ path = '', verb = '' }: NonResourceAttributes) {
  return goStruct('authorization.NonResourceAttributes', [
    ['Path', path],
    ['Verb', verb],
  ]);
}

export function validateSubject({ user = '', groups = [] }: SubjectAccessReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

/** The request that a review asks about, as one that has come in. */
export function requestOf({
  resourceAttributes: resource,
  nonResourceAttributes: other,
}: Attributes): RequestInfo {
  const { namespace = '', verb = '', group = '', version = '', name = '' } = resource ?? {};
  return {
    path: other?.path ?? '',
    queryAt: -1,
    verb: resource ? verb : (other?.verb ?? ''),
    isResource: resource !== undefined,
    isRoutable: true,
    apiPrefix: group === '' ? 'api' : 'apis',
    group,
    version,
    namespace,
    isInNamespace: namespace !== '',
    resource: resource?.resource ?? '',
    subresource: resource?.subresource ?? '',
    name,
    isNameInPath: name !== '',
    ...((resource?.fieldSelector || resource?.labelSelector) && { restrictions: restrictionsOf(resource) }),
  };
}
