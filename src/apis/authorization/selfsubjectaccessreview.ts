// SelfSubjectAccessReview: schema and evaluation.

import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from './access-review.ts';
import {
  type AccessReview,
  assertReviewValid,
  dropDisabledSelectors,
  evaluateAccessReview,
  validateReviewMetadata,
  withReviewStatus,
} from './evaluate-review.ts';
import { validateAttributes } from './review-attributes.ts';

const SelfSubjectAccessReviewSpec = struct(
  'authorization/v1.SelfSubjectAccessReviewSpec',
  {
    resourceAttributes: field(1, optional(ResourceAttributes), {
      doc: 'The attributes of a resource request.',
    }),
    nonResourceAttributes: field(2, optional(NonResourceAttributes), {
      doc: 'The attributes of a non-resource request.',
    }),
  },
  { doc: 'The request to authorize for the caller.' },
);

export const SelfSubjectAccessReview = kind(
  'authorization/v1.SelfSubjectAccessReview',
  {
    spec: field(2, SelfSubjectAccessReviewSpec, {
      required: true,
      doc: 'The request to authorize for the caller.',
    }),
    status: field(3, SubjectAccessReviewStatus, { doc: 'The authorization decision.' }),
  },
  { doc: 'Checks whether the caller may perform an action.' },
);
export type SelfSubjectAccessReview = Infer<typeof SelfSubjectAccessReview>;

export const selfsubjectaccessreviews = (context: KindContext) =>
  resource<SelfSubjectAccessReview>({
    group: 'authorization',
    version: 'v1',
    kind: 'SelfSubjectAccessReview',
    plural: 'selfsubjectaccessreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SelfSubjectAccessReview,
    strategy: { validateName: nameIsPathSegment },
    async perform(request, object) {
      const review = object as AccessReview;
      delete review.metadata.namespace;
      dropDisabledSelectors(context, review.spec);
      assertReviewValid(request, [
        ...validateAttributes(review.spec),
        ...validateReviewMetadata(object.metadata),
      ]);
      return withReviewStatus(review, await evaluateAccessReview(request, review.spec, request.user));
    },
  });
