// Access reviews: evaluates the reviewed request with the authorizer.

import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { ApiObject, ObjectMetadata } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { ActionRequest } from '../../kind/definition.ts';
import type { User } from '../../request/user.ts';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review.ts';
import { type ReviewAttributes, toRequestInfo } from './review-attributes.ts';
import { selectorEvaluationError } from './selector-attributes.ts';

/** A SubjectAccessReview of any kind. It is evaluated on create and never stored. */
export interface AccessReview extends ApiObject {
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

/** Asks the authorizer whether `user` may make the request that the review describes. */
export async function evaluateAccessReview(
  { authorizer }: ActionRequest,
  spec: SubjectAccessReviewSpec,
  user: User,
): Promise<SubjectAccessReviewStatus> {
  const request = toRequestInfo(spec);
  const { allowed, reason } = await authorizer.authorize(user, request);
  const evaluationError = request.restrictions && selectorEvaluationError(request.restrictions);
  return { allowed, ...(reason && { reason }), ...(evaluationError && { evaluationError }) };
}

/** Drops the selectors if the gate AuthorizeWithSelectors is off. */
export function dropDisabledSelectors(
  { features }: KindContext,
  { resourceAttributes }: ReviewAttributes,
): void {
  if (!resourceAttributes || features.enabled('AuthorizeWithSelectors')) return;
  delete resourceAttributes.fieldSelector;
  delete resourceAttributes.labelSelector;
}

export function reviewedUser({
  user = '',
  uid = '',
  groups = [],
  extra = {},
}: SubjectAccessReviewSpec): User {
  return { name: user, uid, groups, extra };
}

/** Returns the review with its status. It is never stored, so its creationTimestamp is null. */
export function withReviewStatus<T extends ApiObject>(object: T, status: T['status']): T {
  return { ...object, metadata: { ...object.metadata, creationTimestamp: null }, status };
}

/** Throws 422 if there are errors. As in kube-apiserver, the message has an empty kind. */
export function assertReviewValid({ dialect }: ActionRequest, errors: readonly FieldError[]): void {
  const subject = { group: dialect.groupName('authorization'), kind: '' };
  if (errors.length > 0) throw invalidObject(subject, '', [...errors]);
}

/**
 * Requires empty metadata, because reviews are never stored. The namespace of a LocalSubjectAccessReview is that of the
 * path; the namespace of other reviews is ignored.
 */
export function validateReviewMetadata(metadata: ObjectMetadata, { isLocal = false } = {}): FieldError[] {
  const { name = '', generateName = '', resourceVersion = '', generation = 0 } = metadata;
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  const isEmpty =
    [name, generateName, resourceVersion].every((text) => text === '') &&
    generation === 0 &&
    [labels, annotations, ownerReferences, finalizers].every((value = {}) => Object.keys(value).length === 0);
  if (isEmpty) return [];
  const badValue = goStruct('v1.ObjectMeta', [
    ['Name', name],
    ['GenerateName', generateName],
  ]);
  return [invalid('metadata', badValue, isLocal ? 'must be empty except for namespace' : 'must be empty')];
}

/** Sets the review's namespace to that of the request's path, and throws 400 if the review has another. */
export function ensureReviewNamespace({ target }: ActionRequest, { metadata }: ApiObject): void {
  if (metadata.namespace && metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = target.namespace;
}
