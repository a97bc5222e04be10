import { badRequest, invalidObject } from '../../errors/catalogue.ts';
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { goStruct } from '../../errors/go-syntax.ts';
import type { User } from '../../http/exchange.ts';
import type { ActionRequest, ApiObject, ObjectMeta } from '../../resource/definition.ts';
import { requestOf, type SubjectAccessReviewSpec, type SubjectAccessReviewStatus } from './access-review.ts';

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
  const { allowed, reason } = await authorizer.authorize(user, requestOf(spec));
  return { allowed, ...(reason && { reason }) };
}

export function subjectOf({ user = '', uid = '', groups = [], extra = {} }: SubjectAccessReviewSpec): User {
  return { name: user, uid, groups, extra };
}

/** What was asked, with its answer. */
export function answered<T extends ApiObject>(object: T, status: T['status']): T {
  return { ...object, metadata: { ...object.metadata, creationTimestamp: null }, status };
}

/** Refuses a review with mistakes in it. Messages do not say of which kind it is. */
export function refuseIfInvalid({ api }: ActionRequest, errors: readonly FieldError[]): void {
  const subject = { group: api.dialect.groupName('authorization'), kind: '' };
  if (errors.length > 0) throw invalidObject(subject, '', [...errors]);
}

/** A review is not kept, so that it has no name. */
export function metadataIsEmpty(metadata: ObjectMeta): FieldError[] {
  const { name = '', generateName = '', labels, annotations } = metadata;
  if (name === '' && generateName === '' && !labels && !annotations) return [];
  const shown = goStruct('v1.ObjectMeta', [
    ['Name', name],
    ['GenerateName', generateName],
  ]);
  return [invalid('metadata', shown, 'must be empty')];
}

/** A review about one namespace is made in that namespace. */
export function refuseOtherNamespace({ target }: ActionRequest, { metadata }: ApiObject): void {
  if (metadata.namespace && metadata.namespace !== target.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  }
  metadata.namespace = target.namespace;
}
