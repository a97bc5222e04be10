import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-struct.ts';
import type { ApiObject, ObjectMeta } from '../../kind/api-object.ts';
import type { KindContext } from '../../kind/context.ts';
import type { ActionRequest } from '../../kind/definition.ts';
import type { User } from '../../request/user.ts';
import type { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review.ts';
import { type ReviewAttributes, requestOf } from './review-attributes.ts';
import { ignoredSelectors } from './selector-attributes.ts';

/** A review: a question that is answered at once and not kept. */
export interface Review extends ApiObject {
  spec: SubjectAccessReviewSpec;
  status: SubjectAccessReviewStatus;
}

/** Whether somebody may make the request that a review describes. */
export async function decide(
  { authorizer }: ActionRequest,
  spec: SubjectAccessReviewSpec,
  user: User,
): Promise<SubjectAccessReviewStatus> {
  const request = requestOf(spec);
  const { allowed, reason } = await authorizer.authorize(user, request);
  const evaluationError = request.restrictions && ignoredSelectors(request.restrictions);
  return { allowed, ...(reason && { reason }), ...(evaluationError && { evaluationError }) };
}

/** Takes out of a review what this server does not know of. */
export function dropDisabled({ features }: KindContext, { resourceAttributes }: ReviewAttributes): void {
  if (!resourceAttributes || features.enabled('AuthorizeWithSelectors')) return;
  delete resourceAttributes.fieldSelector;
  delete resourceAttributes.labelSelector;
}

export function subjectOf({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): User {
  return { name: user, uid, groups, extra };
}

/** What was asked, with its answer. */
export function answered<T extends ApiObject>(object: T, status: T['status']): T {
  return { ...object, metadata: { ...object.metadata, creationTimestamp: null }, status };
}

/** Refuses a review with mistakes in it. Messages do not say of which kind it is. */
export function refuseIfInvalid({ dialect }: ActionRequest, errors: readonly FieldError[]): void {
  const subject = { group: dialect.groupName('authorization'), kind: '' };
  if (errors.length > 0) throw invalidObject(subject, '', [...errors]);
}

/** A review is not kept, so that it has no name and nothing else to keep; one that is made in a namespace may say so. */
export function metadataIsEmpty(metadata: ObjectMeta, { isLocal = false } = {}): FieldError[] {
  const { name = '', generateName = '', namespace = '', resourceVersion = '', generation = 0 } = metadata;
  const { labels, annotations, ownerReferences, finalizers } = metadata;
  const isEmpty =
    [name, generateName, resourceVersion, isLocal ? '' : namespace].every((text) => text === '') &&
    generation === 0 &&
    [labels, annotations, ownerReferences, finalizers].every((part = {}) => Object.keys(part).length === 0);
  if (isEmpty) return [];
  const shown = goStruct('v1.ObjectMeta', [
    ['Name', name],
    ['GenerateName', generateName],
  ]);
  return [invalid('metadata', shown, isLocal ? 'must be empty except for namespace' : 'must be empty')];
}

/** A review about one namespace is made in that namespace. */
export function refuseOtherNamespace({ target }: ActionRequest, { metadata }: ApiObject): void {
  if (metadata.namespace && metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = target.namespace;
}
