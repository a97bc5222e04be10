// Access reviews: the attributes of the reviewed request, validated and as a RequestInfo.

import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { RequestInfo } from '../../request/request-info.ts';
import type { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewSpec } from './access-review.ts';
import { parseSelectors, validateSelectors } from './selector-attributes.ts';

export interface ReviewAttributes {
  resourceAttributes?: ResourceAttributes;
  nonResourceAttributes?: NonResourceAttributes;
}

export function validateAttributes(attributes: ReviewAttributes): FieldError[] {
  const { resourceAttributes: resource, nonResourceAttributes: nonResource } = attributes;
  const errors: FieldError[] = [];
  if (resource && nonResource) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    errors.push(invalid('spec.nonResourceAttributes', formatNonResourceAttributes(nonResource), detail));
  }
  if (!resource && !nonResource) {
    const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
    errors.push(invalid('spec.resourceAttributes', 'null', detail));
  }
  return resource ? [...errors, ...validateSelectors(resource)] : errors;
}

export function formatNonResourceAttributes({ path = '', verb = '' }: NonResourceAttributes) {
  return goStruct('authorization.NonResourceAttributes', [
    ['Path', path],
    ['Verb', verb],
  ]);
}

export function validateSubject({ user = '', groups = [] }: SubjectAccessReviewSpec): FieldError[] {
  if (user !== '' || groups.length > 0) return [];
  return [invalid('spec.user', '', 'at least one of user or group must be specified')];
}

/** The reviewed request, as the authorizer sees requests. */
export function toRequestInfo({
  resourceAttributes: resource,
  nonResourceAttributes: nonResource,
}: ReviewAttributes): RequestInfo {
  const { namespace = '', verb = '', group = '', version = '', name = '' } = resource ?? {};
  return {
    path: nonResource?.path ?? '',
    queryOffset: -1, // no query
    verb: resource ? verb : (nonResource?.verb ?? ''),
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
    ...((resource?.fieldSelector || resource?.labelSelector) && { restrictions: parseSelectors(resource) }),
  };
}
