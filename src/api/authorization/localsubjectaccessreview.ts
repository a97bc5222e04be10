import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review.ts';

export const LocalSubjectAccessReview = kind(
  'authorization/v1.LocalSubjectAccessReview',
  {
    spec: field(2, SubjectAccessReviewSpec, { required: true }),
    status: field(3, SubjectAccessReviewStatus),
  },
  { doc: '' },
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
    strategy: plainStrategy(context, LocalSubjectAccessReview),
  });
