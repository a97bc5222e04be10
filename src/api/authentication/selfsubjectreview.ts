import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { UserInfo } from './user-info.ts';

export const SelfSubjectReviewStatus = struct('authentication/v1.SelfSubjectReviewStatus', {
  userInfo: field(1, UserInfo),
});
export type SelfSubjectReviewStatus = Infer<typeof SelfSubjectReviewStatus>;

export const SelfSubjectReview = kind(
  'authentication/v1.SelfSubjectReview',
  {
    status: field(2, SelfSubjectReviewStatus),
  },
  { doc: '' },
);
export type SelfSubjectReview = Infer<typeof SelfSubjectReview>;

export const selfsubjectreviews = (context: KindContext) =>
  resource<SelfSubjectReview>({
    group: 'authentication',
    version: 'v1',
    kind: 'SelfSubjectReview',
    plural: 'selfsubjectreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SelfSubjectReview,
    strategy: plainStrategy(context, SelfSubjectReview),
  });
