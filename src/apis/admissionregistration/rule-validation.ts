// Validation of RuleWithOperations and MatchResources.
import type { DialectRules } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  FormattedValue,
  goStringSlice,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { validateLabelSelector } from '../../kind/meta/label-selector-rules.ts';
import { nameIsPathSegment } from '../../schema/names.ts';
import type { MatchResources, NamedRuleWithOperations, RuleWithOperations } from './rules.ts';

const operationNames = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopes = ['*', 'Cluster', 'Namespaced'];
export const matchPolicies = ['Equivalent', 'Exact'];

export function validateRule(
  rule: RuleWithOperations,
  path: string,
  { scopeMayBeEmpty = false } = {},
): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const errors: FieldError[] = [];
  const validateWildcard = (
    field: string,
    values: readonly string[],
    itemName: string,
    badValue = goStringSlice(values),
  ) => {
    if (values.length === 0) errors.push(required(`${path}.${field}`));
    if (values.length > 1 && values.includes('*')) {
      errors.push(
        invalid(`${path}.${field}`, badValue, `if '*' is present, must not specify other ${itemName}`),
      );
    }
  };
  const formattedOperations = `[]admissionregistration.OperationType{${operations.map(quote).join(', ')}}`;
  validateWildcard('operations', operations, 'operations', new FormattedValue(formattedOperations));
  for (const [i, operation] of operations.entries()) {
    if (!operationNames.includes(operation)) {
      errors.push(notSupported(`${path}.operations[${i}]`, operation, operationNames));
    }
  }
  validateWildcard('apiGroups', apiGroups, 'API groups');
  validateWildcard('apiVersions', apiVersions, 'API versions');
  for (const [i, version] of apiVersions.entries()) {
    if (version === '') errors.push(required(`${path}.apiVersions[${i}]`));
  }
  addErrors(errors, validateResources(resources, `${path}.resources`));
  if (scope !== undefined && !scopes.includes(scope) && !(scopeMayBeEmpty && scope === '')) {
    errors.push(notSupported(`${path}.scope`, scope, scopes));
  }
  return errors;
}

function validateResources(resources: readonly string[], path: string): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const resourcesWithAllSubresources = new Set<string>();
  const subresourcesOfAllResources = new Set<string>();
  for (const [i, name] of resources.entries()) {
    if (name === '') errors.push(required(`${path}[${i}]`));
    const slash = name.indexOf('/');
    if (slash < 0) continue;
    const [resource, subresource] = [name.slice(0, slash), name.slice(slash + 1)];
    const rejectCovered = (wildcard: string) =>
      errors.push(invalid(`${path}[${i}]`, name, `if '${wildcard}' is present, must not specify ${name}`));
    if (resourcesWithAllSubresources.has(resource)) rejectCovered(`${resource}/*`);
    if (subresourcesOfAllResources.has(subresource)) rejectCovered(`*/${subresource}`);
    if (subresource === '*') resourcesWithAllSubresources.add(resource);
    if (resource === '*') subresourcesOfAllResources.add(subresource);
  }
  const reject = (detail: string) => errors.push(invalid(path, goStringSlice(resources), detail));
  if (resources.length > 1 && resources.includes('*/*')) {
    reject("if '*/*' is present, must not specify other resources");
  }
  // kube-apiserver compares only the last resource without a subresource.
  if (resources.includes('*') && resources.findLast((name) => !name.includes('/')) !== '*') {
    reject("if '*' is present, must not specify other resources without subresources");
  }
  return errors;
}

/** Validates the MatchResources of a policy or binding. */
export function validateMatchResources(
  match: MatchResources,
  path: string,
  { policyRuleScopesMayBeEmpty }: DialectRules,
): FieldError[] {
  const { matchPolicy } = match;
  const ruleOptions = { scopeMayBeEmpty: policyRuleScopesMayBeEmpty };
  return [
    ...(matchPolicy === undefined || matchPolicies.includes(matchPolicy)
      ? []
      : [notSupported(`${path}.matchPolicy`, matchPolicy, matchPolicies)]),
    ...validateLabelSelector(match.namespaceSelector, `${path}.namespaceSelector`),
    ...validateLabelSelector(match.objectSelector, `${path}.objectSelector`),
    ...validateNamedRules(match.resourceRules, `${path}.resourceRules`, ruleOptions),
    ...validateNamedRules(match.excludeResourceRules, `${path}.excludeResourceRules`, ruleOptions),
  ];
}

function validateNamedRules(
  rules: readonly NamedRuleWithOperations[] = [],
  path: string,
  options: { readonly scopeMayBeEmpty: boolean },
): FieldError[] {
  return rules.flatMap((rule, i) => {
    const errors: FieldError[] = [];
    const seen = new Set<string>();
    for (const [j, name] of (rule.resourceNames ?? []).entries()) {
      const fieldPath = `${path}[${i}].resourceNames[${j}]`;
      for (const problem of nameIsPathSegment(name)) errors.push(invalid(fieldPath, name, problem));
      if (seen.has(name)) errors.push(duplicate(fieldPath, name));
      seen.add(name);
    }
    return [...errors, ...validateRule(rule, `${path}[${i}]`, options)];
  });
}
