import { field, type Infer } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { SubjectAccessReviewSpec, SubjectAccessReviewStatus } from './access-review.ts';

export const SubjectAccessReview = kind(
  'authorization/v1.SubjectAccessReview',
  {
    spec: field(2, SubjectAccessReviewSpec, { required: true }),
    status: field(3, SubjectAccessReviewStatus),
  },
  { doc: '' },
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
    strategy: plainStrategy(context, SubjectAccessReview),
  });
