// SelfSubjectRulesReview: lists the rules that apply to the caller in a namespace.

import { badRequest } from '../../errors/catalogue.ts';
import type { KindContext } from '../../kind/context.ts';
import { kind } from '../../kind/meta/kind.ts';
import { resource } from '../../kind/resource.ts';
import { list } from '../../schema/collections.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import { bool, string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import { withReviewStatus } from './evaluate-review.ts';

const SelfSubjectRulesReviewSpec = struct(
  'authorization/v1.SelfSubjectRulesReviewSpec',
  { namespace: field(1, string, { doc: 'The namespace it is about.' }) },
  { doc: 'The question.' },
);

const names = list(string, { type: 'atomic' });

const ResourceRule = struct(
  'authorization/v1.ResourceRule',
  {
    verbs: field(1, names, { required: true, doc: 'What may be done; * is anything.' }),
    apiGroups: field(2, names, { doc: 'The groups of the resources; * is all.' }),
    resources: field(3, names, { doc: 'The resources; * is all.' }),
    resourceNames: field(4, names, { doc: 'Only objects of these names. Without any, all objects.' }),
  },
  { doc: 'Something that may be done to resources.' },
);

const NonResourceRule = struct(
  'authorization/v1.NonResourceRule',
  {
    verbs: field(1, names, { required: true, doc: 'The methods; * is any.' }),
    nonResourceURLs: field(2, names, { doc: 'The paths. A * may stand as the whole of the last segment.' }),
  },
  { doc: 'Something that may be done to paths that are no resource.' },
);

const SubjectRulesReviewStatus = struct(
  'authorization/v1.SubjectRulesReviewStatus',
  {
    resourceRules: field(1, list(ResourceRule, { type: 'atomic' }), {
      required: true,
      doc: 'What one may do to resources, in no particular order.',
    }),
    nonResourceRules: field(2, list(NonResourceRule, { type: 'atomic' }), {
      required: true,
      doc: 'What one may do to other paths, in no particular order.',
    }),
    incomplete: field(3, bool, { required: true, doc: 'There may be more that cannot be listed.' }),
    evaluationError: field(4, string, { doc: 'What went wrong on the way.' }),
  },
  { doc: 'The answer.' },
);

export const SelfSubjectRulesReview = kind(
  'authorization/v1.SelfSubjectRulesReview',
  {
    spec: field(2, SelfSubjectRulesReviewSpec, { required: true, doc: 'The question.' }),
    status: field(3, SubjectRulesReviewStatus, { doc: 'The answer.' }),
  },
  {
    doc: 'Asks for all that one may do in a namespace, for a client to show. It does not replace asking for leave.',
  },
);
export type SelfSubjectRulesReview = Infer<typeof SelfSubjectRulesReview>;

export const selfsubjectrulesreviews = (_context: KindContext) =>
  resource<SelfSubjectRulesReview>({
    group: 'authorization',
    version: 'v1',
    kind: 'SelfSubjectRulesReview',
    plural: 'selfsubjectrulesreviews',
    namespaced: false,
    verbs: ['create'],
    schema: SelfSubjectRulesReview,
    strategy: { validateName: nameIsPathSegment },
    async perform({ authorizer, user }, object) {
      const { spec } = object as SelfSubjectRulesReview;
      if (!spec.namespace) throw badRequest('no namespace on request');
      const {
        resourceRules,
        nonResourceRules,
        incomplete = false,
        evaluationError,
      } = await authorizer.rulesFor(user, spec.namespace);
      return withReviewStatus(
        { ...object, metadata: {}, spec: {} },
        { resourceRules, nonResourceRules, incomplete, ...(evaluationError && { evaluationError }) },
      );
    },
  });
