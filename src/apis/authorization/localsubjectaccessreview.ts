// LocalSubjectAccessReview: schema and evaluation.

import { type FieldError, invalid } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review.ts';
import {
  type AccessReview,
  assertReviewValid,
  dropDisabledSelectors,
  ensureReviewNamespace,
  evaluateAccessReview,
  reviewedUser,
  validateReviewMetadata,
  withReviewStatus,
} from './evaluate-review.ts';
import { formatNonResourceAttributes, validateAttributes, validateSubject } from './review-attributes.ts';

export const LocalSubjectAccessReview = kind(
  'authorization/v1.LocalSubjectAccessReview',
  {
    spec: field(2, SubjectAccessReviewSpec, {
      required: true,
      doc: 'The user and the request to authorize.',
    }),
    status: field(3, SubjectAccessReviewStatus, { doc: 'The authorization decision.' }),
  },
  { doc: 'Checks whether a user may perform an action in the namespace of the review.' },
);
export type LocalSubjectAccessReview = Infer<typeof LocalSubjectAccessReview>;

export const localsubjectaccessreviews = (context: KindContext) =>
  resource<LocalSubjectAccessReview>({
    group: 'authorization',
    version: 'v1',
    kind: 'LocalSubjectAccessReview',
    plural: 'localsubjectaccessreviews',
    verbs: ['create'],
    schema: LocalSubjectAccessReview,
    strategy: { validateName: nameIsPathSegment },
    async perform(request, object) {
      ensureReviewNamespace(request, object);
      const review = object as AccessReview;
      const { spec } = review;
      dropDisabledSelectors(context, spec);
      assertReviewValid(request, [
        ...validateAttributes(spec),
        ...validateSubject(spec),
        ...validateReviewMetadata(object.metadata, { isLocal: true }),
        ...validateNamespacedOnly(spec, object.metadata.namespace ?? ''),
      ]);
      return withReviewStatus(review, await evaluateAccessReview(request, spec, reviewedUser(spec)));
    },
  });

/** Only resource requests in the namespace of the review are allowed. */
function validateNamespacedOnly(
  { resourceAttributes: resource, nonResourceAttributes: nonResource }: SubjectAccessReviewSpec,
  namespace: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (resource && (resource.namespace ?? '') !== namespace) {
    const path = 'spec.resourceAttributes.namespace';
    errors.push(invalid(path, resource.namespace ?? '', 'must match metadata.namespace'));
  }
  if (nonResource) {
    const detail = 'disallowed on this kind of request';
    errors.push(invalid('spec.nonResourceAttributes', formatNonResourceAttributes(nonResource), detail));
  }
  return errors;
}
