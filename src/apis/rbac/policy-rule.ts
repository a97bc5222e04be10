// PolicyRule of Role and ClusterRole: schema and validation.
// Dialect rules: rules in which Orch's own API differs from Kubernetes'.

import type { DialectRules } from '../../dialect/dialect.ts';
import { type FieldError, goStringSlice, invalid, required } from '../../errors/field-error.ts';
import { list } from '../../schema/collections.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';

export const PolicyRule = struct(
  'rbac/v1.PolicyRule',
  {
    verbs: field(1, list(string, { type: 'atomic' }), {
      required: true,
      doc: 'The allowed verbs; * means all.',
    }),
    apiGroups: field(2, list(string, { type: 'atomic' }), {
      doc: 'The API groups of the resources. The empty string is the core group; * means all.',
    }),
    resources: field(3, list(string, { type: 'atomic' }), {
      doc: 'The resource names in the plural; * means all.',
    }),
    resourceNames: field(4, list(string, { type: 'atomic' }), {
      doc: 'The names of the objects. If empty, all objects.',
    }),
    nonResourceURLs: field(5, list(string, { type: 'atomic' }), {
      doc: 'Non-resource URL paths. A * is allowed as the complete last segment. Only a ClusterRole bound by a ClusterRoleBinding grants them.',
    }),
  },
  { doc: 'Allowed actions, either on resources or on non-resource URLs.' },
);
export type PolicyRule = Infer<typeof PolicyRule>;

/** Validates the rules of a Role (`namespaced`) or ClusterRole. */
export function validatePolicyRules(
  rules: readonly PolicyRule[] | undefined,
  { namespaced }: { readonly namespaced: boolean },
  { wildcardIsWholeLastSegment }: DialectRules,
): FieldError[] {
  return (rules ?? []).flatMap((rule, i) => [
    ...validateRule(rule, `rules[${i}]`, { namespaced }),
    ...(wildcardIsWholeLastSegment ? validateWildcards(rule, `rules[${i}].nonResourceURLs`) : []),
  ]);
}

function validateWildcards({ nonResourceURLs = [] }: PolicyRule, path: string): FieldError[] {
  return nonResourceURLs.flatMap((url, i) => {
    const star = url.indexOf('*');
    const isLastSegment = star === url.length - 1 && (star === 0 || url[star - 1] === '/');
    if (star < 0 || isLastSegment) return [];
    return [invalid(`${path}[${i}]`, url, "'*' may only be the whole of the last segment of a path")];
  });
}

function validateRule(
  rule: PolicyRule,
  path: string,
  { namespaced }: { readonly namespaced: boolean },
): FieldError[] {
  const { verbs = [], apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] } = rule;
  const errors: FieldError[] = [];
  if (verbs.length === 0) errors.push(required(`${path}.verbs`, 'verbs must contain at least one value'));
  if (nonResourceURLs.length > 0) {
    const reject = (detail: string) =>
      errors.push(invalid(`${path}.nonResourceURLs`, goStringSlice(nonResourceURLs), detail));
    if (namespaced) reject('namespaced rules cannot apply to non-resource URLs');
    if (apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0) {
      reject('rules cannot apply to both regular resources and non-resource URLs');
    }
    return errors;
  }
  if (apiGroups.length === 0) {
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  if (resources.length === 0) {
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  return errors;
}
