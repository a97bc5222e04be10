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
  { namespace: field(1, string, { doc: 'The namespace to evaluate rules for.' }) },
  { doc: 'The namespace to evaluate rules for.' },
);

const stringList = list(string, { type: 'atomic' });

const ResourceRule = struct(
  'authorization/v1.ResourceRule',
  {
    verbs: field(1, stringList, { required: true, doc: 'The allowed verbs; * means all.' }),
    apiGroups: field(2, stringList, { doc: 'The API groups of the resources; * means all.' }),
    resources: field(3, stringList, { doc: 'The resources; * means all.' }),
    resourceNames: field(4, stringList, { doc: 'The names of the objects. If empty, all objects.' }),
  },
  { doc: 'Allowed actions on resources.' },
);

const NonResourceRule = struct(
  'authorization/v1.NonResourceRule',
  {
    verbs: field(1, stringList, { required: true, doc: 'The allowed HTTP methods; * means all.' }),
    nonResourceURLs: field(2, stringList, {
      doc: 'The URL paths. A * is allowed as the complete last segment.',
    }),
  },
  { doc: 'Allowed actions on non-resource paths.' },
);

const SubjectRulesReviewStatus = struct(
  'authorization/v1.SubjectRulesReviewStatus',
  {
    resourceRules: field(1, list(ResourceRule, { type: 'atomic' }), {
      required: true,
      doc: 'The allowed actions on resources, in arbitrary order.',
    }),
    nonResourceRules: field(2, list(NonResourceRule, { type: 'atomic' }), {
      required: true,
      doc: 'The allowed actions on non-resource paths, in arbitrary order.',
    }),
    incomplete: field(3, bool, {
      required: true,
      doc: 'Whether the list may be incomplete, for example because an authorizer cannot enumerate its rules.',
    }),
    evaluationError: field(4, string, { doc: 'An error during the evaluation.' }),
  },
  { doc: 'The actions that the caller may perform.' },
);

export const SelfSubjectRulesReview = kind(
  'authorization/v1.SelfSubjectRulesReview',
  {
    spec: field(2, SelfSubjectRulesReviewSpec, {
      required: true,
      doc: 'The namespace to evaluate rules for.',
    }),
    status: field(3, SubjectRulesReviewStatus, { doc: 'The actions that the caller may perform.' }),
  },
  {
    doc: 'Lists the actions that the caller may perform in a namespace, for display in user interfaces. It is no basis for authorization decisions.',
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
      // As in kube-apiserver, the response repeats neither metadata nor spec.
      return withReviewStatus(
        { ...object, metadata: {}, spec: {} },
        { resourceRules, nonResourceRules, incomplete, ...(evaluationError && { evaluationError }) },
      );
    },
  });
