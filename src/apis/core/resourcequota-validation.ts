// ResourceQuota: validation of limits, scopes and scopeSelector (upstream: ValidateResourceQuota and its Update
// functions).

import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  formatItems,
  goStringSlice,
  invalid,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { mustParseQuantity, type ResourceList, validateResourceName } from './resource-list.ts';
import { validateResourceQuantity } from './resource-requirements-validation.ts';
import { quotaScopes, type ResourceQuota, type ScopedResourceSelectorRequirement } from './resourcequota.ts';

const computeResources = ['cpu', 'memory', 'ephemeral-storage'];
const podResources = [
  ...computeResources,
  ...computeResources.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  'pods',
];
const objectCountResources = [
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
];
const standardQuotaResources = new Set([...podResources, ...objectCountResources, 'requests.storage']);

/** Scopes whose selector operator must be Exists. */
const scopesWithoutValues = [
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
];
const exclusiveScopes = [
  ['BestEffort', 'NotBestEffort'],
  ['Terminating', 'NotTerminating'],
] as const;

export function validateQuota({ spec }: ResourceQuota, dialect: Dialect): FieldError[] {
  return [
    ...validateAmounts(spec.hard, 'spec.hard', dialect),
    ...validateScopes(spec.scopes ?? [], Object.keys(spec.hard ?? {})),
    ...validateScopeSelector(
      spec.scopeSelector?.matchExpressions ?? [],
      Object.keys(spec.hard ?? {}),
      spec.scopes,
    ),
  ];
}

export function validateQuotaStatus({ status }: ResourceQuota, dialect: Dialect): FieldError[] {
  return [
    ...validateAmounts(status.hard, 'status.hard', dialect),
    ...validateAmounts(status.used, 'status.used', dialect),
  ];
}

/** Scopes are compared as a set: their order and duplicates may change. */
export function validateScopesImmutable({ spec }: ResourceQuota, { spec: old }: ResourceQuota): FieldError[] {
  const sortedSet = (scopes: readonly string[] = []) => [...new Set(scopes)].sort().join();
  if (sortedSet(spec.scopes) === sortedSet(old.scopes)) return [];
  return [invalid('spec.scopes', formatScopes(spec.scopes), 'field is immutable')];
}

function validateAmounts(amounts: ResourceList = {}, path: string, dialect: Dialect): FieldError[] {
  return Object.entries(amounts).flatMap(([name, text]) => {
    const fieldPath = `${path}[${name}]`;
    return [
      ...validateQuotaResource(name, fieldPath),
      ...validateResourceQuantity(name, mustParseQuantity(text), fieldPath, dialect),
    ];
  });
}

function validateQuotaResource(name: string, path: string): FieldError[] {
  const errors = validateResourceName(name, path);
  if (name.includes('/') || standardQuotaResources.has(name) || /^(requests\.)?hugepages-/.test(name))
    return errors;
  return [...errors, invalid(path, new FormattedValue(name), 'must be a standard resource for quota')];
}

function validateScopes(scopes: readonly string[], resources: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  const reject = (detail: string) => errors.push(invalid('spec.scopes', formatScopes(scopes), detail));
  for (const scope of new Set(scopes)) {
    if (!isScope(scope)) reject('unsupported scope');
    for (const resource of resources) {
      if (!isScopeApplicable(scope, resource)) reject('unsupported scope applied to resource');
    }
  }
  for (const [scope, opposite] of exclusiveScopes) {
    if (scopes.includes(scope) && scopes.includes(opposite)) reject('conflicting scopes');
  }
  return errors;
}

function validateScopeSelector(
  requirements: readonly ScopedResourceSelectorRequirement[],
  resources: readonly string[],
  scopes: readonly string[] | undefined,
): FieldError[] {
  const path = 'spec.scopeSelector.matchExpressions';
  const errors: FieldError[] = [];
  for (const { scopeName, operator, values = [] } of requirements) {
    if (!isScope(scopeName)) errors.push(invalid(`${path}.scopeName`, scopeName, 'unsupported scope'));
    for (const resource of resources) {
      if (isScopeApplicable(scopeName, resource)) continue;
      errors.push(invalid(path, formatRequirements(requirements), 'unsupported scope applied to resource'));
    }
    if (scopesWithoutValues.includes(scopeName) && operator !== 'Exists') {
      const detail =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(`${path}.operator`, operator, detail));
    }
    addErrors(errors, validateScopeValues(operator, values, path));
  }
  const scopeNames = requirements.map(({ scopeName }) => scopeName as string);
  for (const [scope, opposite] of exclusiveScopes) {
    if (scopeNames.includes(scope) && scopeNames.includes(opposite)) {
      // kube-apiserver prints spec.scopes, not the selector, as the bad value.
      errors.push(invalid(path, formatScopes(scopes), 'conflicting scopes'));
    }
  }
  return errors;
}

function validateScopeValues(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn': {
      const detail = "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
      return values.length === 0 ? [required(`${path}.values`, detail)] : [];
    }
    case 'Exists':
    case 'DoesNotExist': {
      const detail = "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";
      return values.length === 0 ? [] : [invalid(`${path}.values`, goStringSlice(values), detail)];
    }
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

const isScope = (name: string) => quotaScopes.some((scope) => scope === name);

/** Whether a quota with this scope can limit the resource. */
function isScopeApplicable(scope: string, resource: string): boolean {
  switch (scope) {
    case 'BestEffort':
      return resource === 'pods';
    case 'Terminating':
    case 'NotTerminating':
    case 'NotBestEffort':
    case 'PriorityClass':
    case 'CrossNamespacePodAffinity':
      return podResources.includes(resource);
    case 'VolumeAttributesClass':
      return ['persistentvolumeclaims', 'requests.storage'].includes(resource);
    default:
      return true;
  }
}

/** Scopes as Go's %#v prints them. */
function formatScopes(scopes: readonly string[] | undefined): FormattedValue {
  if (!scopes) return new FormattedValue('[]core.ResourceQuotaScope(nil)');
  return new FormattedValue(`[]core.ResourceQuotaScope{${scopes.map(quote).join(', ')}}`);
}

function formatRequirements(requirements: readonly ScopedResourceSelectorRequirement[]): FormattedValue {
  const formattedRequirements = formatItems(
    requirements,
    ({ scopeName, operator, values }) =>
      `core.ScopedResourceSelectorRequirement{ScopeName:${quote(scopeName)}, Operator:${quote(operator)}, Values:${values ? goStringSlice(values).text : '[]string(nil)'}}`,
  );
  return new FormattedValue(`[]core.ScopedResourceSelectorRequirement{${formattedRequirements}}`);
}
