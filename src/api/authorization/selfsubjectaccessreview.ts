import { field, type Infer, optional, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { NonResourceAttributes, ResourceAttributes, SubjectAccessReviewStatus } from './access-review.ts';

export const SelfSubjectAccessReviewSpec = struct('authorization/v1.SelfSubjectAccessReviewSpec', {
  resourceAttributes: field(1, optional(ResourceAttributes)),
  nonResourceAttributes: field(2, optional(NonResourceAttributes)),
});
export type SelfSubjectAccessReviewSpec = Infer<typeof SelfSubjectAccessReviewSpec>;

export const SelfSubjectAccessReview = kind(
  'authorization/v1.SelfSubjectAccessReview',
  {
    spec: field(2, SelfSubjectAccessReviewSpec, { required: true }),
    status: field(3, SubjectAccessReviewStatus),
  },
  { doc: '' },
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
    strategy: plainStrategy(context, SelfSubjectAccessReview),
  });
