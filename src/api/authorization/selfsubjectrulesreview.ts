import { list } from '../../schema/collections.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';

export const SelfSubjectRulesReviewSpec = struct('authorization/v1.SelfSubjectRulesReviewSpec', {
  namespace: field(1, string),
});
export type SelfSubjectRulesReviewSpec = Infer<typeof SelfSubjectRulesReviewSpec>;

export const ResourceRule = struct('authorization/v1.ResourceRule', {
  verbs: field(1, list(string, { type: 'atomic' }), { required: true }),
  apiGroups: field(2, list(string, { type: 'atomic' })),
  resources: field(3, list(string, { type: 'atomic' })),
  resourceNames: field(4, list(string, { type: 'atomic' })),
});
export type ResourceRule = Infer<typeof ResourceRule>;

export const NonResourceRule = struct('authorization/v1.NonResourceRule', {
  verbs: field(1, list(string, { type: 'atomic' }), { required: true }),
  nonResourceURLs: field(2, list(string, { type: 'atomic' })),
});
export type NonResourceRule = Infer<typeof NonResourceRule>;

export const SubjectRulesReviewStatus = struct('authorization/v1.SubjectRulesReviewStatus', {
  resourceRules: field(1, list(ResourceRule, { type: 'atomic' }), { required: true }),
  nonResourceRules: field(2, list(NonResourceRule, { type: 'atomic' }), { required: true }),
  incomplete: field(3, bool, { required: true }),
  evaluationError: field(4, string),
});
export type SubjectRulesReviewStatus = Infer<typeof SubjectRulesReviewStatus>;

export const SelfSubjectRulesReview = kind(
  'authorization/v1.SelfSubjectRulesReview',
  {
    spec: field(2, SelfSubjectRulesReviewSpec, { required: true }),
    status: field(3, SubjectRulesReviewStatus),
  },
  { doc: '' },
);
export type SelfSubjectRulesReview = Infer<typeof SelfSubjectRulesReview>;

export const selfsubjectrulesreviews = (context: KindContext) =>
  resource<SelfSubjectRulesReview>({
    group: 'authorization',
    version: 'v1',
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SelfSubjectRulesReview,
    strategy: plainStrategy(context, SelfSubjectRulesReview),
  });
