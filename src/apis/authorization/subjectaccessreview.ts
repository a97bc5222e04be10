// SubjectAccessReview: schema and evaluation.

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
  evaluateAccessReview,
  reviewedUser,
  validateReviewMetadata,
  withReviewStatus,
} from './evaluate-review.ts';
import { validateAttributes, validateSubject } from './review-attributes.ts';

export const SubjectAccessReview = kind(
  'authorization/v1.SubjectAccessReview',
  {
    spec: field(2, SubjectAccessReviewSpec, {
      required: true,
      doc: 'The user and the request to authorize.',
    }),
    status: field(3, SubjectAccessReviewStatus, { doc: 'The authorization decision.' }),
  },
  { doc: 'Checks whether a user may perform an action.' },
);
export type SubjectAccessReview = Infer<typeof SubjectAccessReview>;

export const subjectaccessreviews = (context: KindContext) =>
  resource<SubjectAccessReview>({
    group: 'authorization',
    version: 'v1',
    kind: 'SubjectAccessReview',
    plural: 'subjectaccessreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SubjectAccessReview,
    strategy: { validateName: nameIsPathSegment },
    async perform(request, object) {
      const review = object as AccessReview;
      delete review.metadata.namespace;
      const { spec } = review;
      dropDisabledSelectors(context, spec);
      assertReviewValid(request, [
        ...validateAttributes(spec),
        ...validateSubject(spec),
        ...validateReviewMetadata(object.metadata),
      ]);
      return withReviewStatus(review, await evaluateAccessReview(request, spec, reviewedUser(spec)));
    },
  });
