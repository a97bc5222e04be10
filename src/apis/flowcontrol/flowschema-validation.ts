// FlowSchema: validation of the spec. DialectRules: rules in which Orch's own API differs from Kubernetes'.

import type { DialectRules } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  goStringSlice,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { dnsLabel, dnsSubdomain } from '../../schema/names.ts';
import type {
  FlowSchema,
  FlowSchemaSpec,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from './flowschema.ts';
import { formatFlowSchemaSpec, matchesMandatorySpec } from './mandatory.ts';

/** The verbs that a rule may name, beside `*`. */
const supportedVerbs = [
  'create',
  'delete',
  'deletecollection',
  'get',
  'list',
  'patch',
  'proxy',
  'update',
  'watch',
];
const distinguishers = ['ByNamespace', 'ByUser'];
const maxPrecedence = 10_000;

export function validateFlowSchema({ metadata, spec }: FlowSchema, dialectRules: DialectRules): FieldError[] {
  const name = metadata.name ?? '';
  const errors = validateSpec(spec, name, dialectRules);
  if (!matchesMandatorySpec('flowSchemas', name, spec)) {
    const badValue = new FormattedValue(formatFlowSchemaSpec(spec));
    errors.push(invalid('spec', badValue, `spec of '${name}' must equal the fixed value`));
  }
  return errors;
}

function validateSpec(spec: FlowSchemaSpec, name: string, dialectRules: DialectRules): FieldError[] {
  const errors: FieldError[] = [];
  const { matchingPrecedence: precedence, distinguisherMethod: method, rules = [] } = spec;
  const addPrecedenceError = (detail: string) =>
    errors.push(invalid('spec.matchingPrecedence', precedence, detail));
  if (precedence <= 0) addPrecedenceError('must be a positive value');
  if (precedence > maxPrecedence) addPrecedenceError(`must not be greater than ${maxPrecedence}`);
  if (precedence === 1 && name !== 'exempt' && !dialectRules.anyFlowSchemaMayHavePrecedence1) {
    addPrecedenceError("only the schema named 'exempt' may have matchingPrecedence 1");
  }
  if (method && !distinguishers.includes(method.type)) {
    const badValue = new FormattedValue(`flowcontrol.FlowDistinguisherMethod{Type:${quote(method.type)}}`);
    errors.push(notSupported('spec.distinguisherMethod.type', badValue, distinguishers));
  }
  const level = spec.priorityLevelConfiguration.name;
  const levelPath = 'spec.priorityLevelConfiguration.name';
  if (level === '') errors.push(required(levelPath, 'must reference a priority level'));
  else for (const problem of dnsSubdomain(level)) errors.push(invalid(levelPath, level, problem));
  return [...errors, ...rules.flatMap((rule, i) => validateRules(rule, `spec.rules[${i}]`, dialectRules))];
}

function validateRules(
  rules: PolicyRulesWithSubjects,
  path: string,
  dialectRules: DialectRules,
): FieldError[] {
  const { subjects = [], resourceRules = [], nonResourceRules = [] } = rules;
  const errors: FieldError[] = [];
  if (subjects.length === 0) {
    errors.push(required(`${path}.subjects`, 'subjects must contain at least one value'));
  }
  addErrors(
    errors,
    subjects.flatMap((subject, i) => validateSubject(subject, `${path}.subjects[${i}]`)),
  );
  if (resourceRules.length === 0 && nonResourceRules.length === 0) {
    errors.push(required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty'));
  }
  return [
    ...errors,
    ...resourceRules.flatMap((rule, i) =>
      validateResourceRule(rule, `${path}.resourceRules[${i}]`, dialectRules),
    ),
    ...nonResourceRules.flatMap((rule, i) => validateNonResourceRule(rule, `${path}.nonResourceRules[${i}]`)),
  ];
}

type SubjectField = 'user' | 'group' | 'serviceAccount';

const subjectKinds = ['Group', 'ServiceAccount', 'User'];
const kindOfField: Record<SubjectField, string> = {
  user: 'User',
  group: 'Group',
  serviceAccount: 'ServiceAccount',
};
/** The field of each subject kind, then the fields of the other kinds, in the order of kube-apiserver's errors. */
const fieldOrder: Record<string, readonly [SubjectField, ...SubjectField[]]> = {
  ServiceAccount: ['serviceAccount', 'user', 'group'],
  User: ['user', 'serviceAccount', 'group'],
  Group: ['group', 'serviceAccount', 'user'],
};

/** A subject has the field of its kind, and no other. */
function validateSubject(subject: Subject, path: string): FieldError[] {
  const { kind } = subject;
  if (!subjectKinds.includes(kind)) return [notSupported(`${path}.kind`, kind, subjectKinds)];
  const [ownField, ...otherFields] = fieldOrder[kind]!;
  const errors = validateSubjectField(subject, ownField, path);
  for (const field of otherFields) {
    if (subject[field] === undefined) continue;
    const detail = `${field} is forbidden when subject kind is not '${kindOfField[field]}'`;
    errors.push(forbidden(`${path}.${field}`, detail));
  }
  return errors;
}

function validateSubjectField(subject: Subject, field: SubjectField, path: string): FieldError[] {
  const { kind, user, group, serviceAccount } = subject;
  if (subject[field] === undefined) {
    return [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`)];
  }
  if (field === 'serviceAccount') return validateServiceAccount(serviceAccount!, `${path}.serviceAccount`);
  const { name } = (field === 'user' ? user : group)!;
  return name === '' ? [required(`${path}.${field}.name`)] : [];
}

function validateServiceAccount(account: { name: string; namespace: string }, path: string): FieldError[] {
  const { name, namespace } = account;
  const errors: FieldError[] = [];
  if (name === '') errors.push(required(`${path}.name`));
  else if (name !== '*') {
    for (const problem of dnsSubdomain(name)) errors.push(invalid(`${path}.name`, name, problem));
  }
  if (namespace === '') {
    errors.push(required(`${path}.namespace`, 'must specify namespace for service account'));
  } else {
    for (const problem of dnsLabel(namespace)) errors.push(invalid(`${path}.namespace`, namespace, problem));
  }
  return errors;
}

/** A plural resource name with an optional subresource: `nodes/status`. */
const resourceName = /^[a-z]([-a-z0-9]*[a-z0-9])?(\/[a-z]([-a-z0-9]*[a-z0-9])?)?$/;

function validateResourceRule(
  rule: ResourcePolicyRule,
  path: string,
  { flowSchemaResourcesArePluralNames }: DialectRules,
): FieldError[] {
  const { apiGroups = [], resources = [], namespaces = [], clusterScope = false } = rule;
  const errors = validateVerbs(rule.verbs, path);
  if (apiGroups.length === 0) {
    errors.push(required(`${path}.apiGroups`, 'resource rules must supply at least one api group'));
  }
  addErrors(errors, validateStarAlone(apiGroups, `${path}.apiGroups`, 'api groups'));
  if (resources.length === 0) {
    errors.push(required(`${path}.resources`, 'resource rules must supply at least one resource'));
  }
  addErrors(errors, validateStarAlone(resources, `${path}.resources`, 'resources'));
  if (flowSchemaResourcesArePluralNames) addErrors(errors, validateResourceNames(resources, path));
  if (namespaces.length === 0 && !clusterScope) {
    const detail = 'resource rules that are not cluster scoped must supply at least one namespace';
    errors.push(required(`${path}.namespaces`, detail));
    return errors;
  }
  const starErrors = validateStarAlone(namespaces, `${path}.namespaces`, 'namespaces');
  if (starErrors.length > 0) return [...errors, ...starErrors];
  for (const [i, namespace] of namespaces.entries()) {
    if (namespace === '*') continue;
    for (const problem of dnsLabel(namespace)) {
      const detail = `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
      errors.push(invalid(`${path}.namespaces[${i}]`, namespace, detail));
    }
  }
  return errors;
}

function validateResourceNames(resources: readonly string[], path: string): FieldError[] {
  const detail =
    'must be the lowercase plural name of a resource, optionally followed by / and a subresource';
  return resources.flatMap((name, i) =>
    name === '*' || resourceName.test(name) ? [] : [invalid(`${path}.resources[${i}]`, name, detail)],
  );
}

function validateNonResourceRule(rule: NonResourcePolicyRule, path: string): FieldError[] {
  const { nonResourceURLs: urls = [] } = rule;
  const errors = validateVerbs(rule.verbs, path);
  const fieldPath = `${path}.nonResourceURLs`;
  if (urls.length === 0) errors.push(required(fieldPath, 'nonResourceURLs must contain at least one value'));
  const starErrors = validateStarAlone(urls, fieldPath, 'non-resource URLs');
  if (starErrors.length > 0 || urls.includes('*')) return [...errors, ...starErrors];
  for (const [i, url] of urls.entries()) {
    const problem = urlProblem(url);
    if (problem) errors.push(invalid(`${fieldPath}[${i}]`, url, problem));
  }
  return errors;
}

/** Why a non-resource URL is invalid; undefined if it is valid. */
function urlProblem(url: string): string | undefined {
  if (url === '') return 'must not be empty';
  if (url === '/') return undefined;
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes(' ')) return 'must not contain white-space';
  if (url.includes('//')) return 'must not contain double slash';
  const star = url.indexOf('*');
  const hasOnlySuffixWildcard = star < 0 || (star === url.length - 1 && url.endsWith('/*'));
  return hasOnlySuffixWildcard ? undefined : 'wildcard can only do suffix matching';
}

function validateVerbs(ruleVerbs: readonly string[] = [], path: string): FieldError[] {
  const fieldPath = `${path}.verbs`;
  if (ruleVerbs.length === 0) return [required(fieldPath, 'verbs must contain at least one value')];
  if (ruleVerbs.includes('*')) return validateStarAlone(ruleVerbs, fieldPath, 'verbs');
  return ruleVerbs.every((verb) => supportedVerbs.includes(verb))
    ? []
    : [notSupported(fieldPath, goStringSlice(ruleVerbs), supportedVerbs)];
}

/** `*` must be the only value of a list. */
function validateStarAlone(values: readonly string[], path: string, itemName: string): FieldError[] {
  if (values.length < 2 || !values.includes('*')) return [];
  return [invalid(path, goStringSlice(values), `if '*' is present, must not specify other ${itemName}`)];
}
