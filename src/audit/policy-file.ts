// Audit: reads and validates the audit policy file (--audit-policy-file).
import { nearest } from '../base/nearest.ts';
import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { decodeYaml } from '../codec/yaml/decode.ts';
import { YamlError } from '../codec/yaml/yaml-error.ts';
import type { Dialect } from '../dialect/index.ts';
import {
  type AuditPolicy,
  type AuditPolicyRule,
  type AuditStage,
  type GroupResources,
  levels,
  stages,
} from './policy.ts';

/** Throws an error with the path of the field for unknown fields and invalid values. */
export function readPolicy(text: Buffer, path: string, dialect: Dialect): AuditPolicy {
  try {
    const { value, duplicateKeys } = decodeYaml(text);
    if (duplicateKeys[0] !== undefined) throw new PolicyError(duplicateKeys[0]);
    return parsePolicy(value, dialect.apiVersion('audit', 'v1'));
  } catch (error) {
    if (!(error instanceof PolicyError || error instanceof YamlError)) throw error;
    throw new Error(`--audit-policy-file ${path}: ${error.message}`);
  }
}

class PolicyError extends Error {}

const policyFields = ['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields'];
const ruleFields = [
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
];
const resourceFields = ['group', 'resources', 'resourceNames'];

function parsePolicy(value: JsonValue, apiVersion: string): AuditPolicy {
  const policy = requireObject(value, 'the file', policyFields);
  if (policy.kind !== 'Policy' || policy.apiVersion !== apiVersion) {
    throw new PolicyError(`it must begin with "apiVersion: ${apiVersion}" and "kind: Policy"`);
  }
  const rules = requireListOrNothing(policy.rules, 'rules').map((rule, i) => parseRule(rule, `rules[${i}]`));
  if (rules.length === 0) {
    throw new PolicyError('rules: at least one rule is required, such as "rules: [{level: Metadata}]"');
  }
  return {
    rules,
    omitStages: parseStages(policy.omitStages, 'omitStages'),
    omitManagedFields: requireBooleanOrNothing(policy.omitManagedFields, 'omitManagedFields') ?? false,
  };
}

function parseRule(value: JsonValue, path: string): AuditPolicyRule {
  const rule = requireObject(value, path, ruleFields);
  const level = levels.find((candidate) => candidate === rule.level);
  if (level === undefined) {
    throw new PolicyError(`${path}.level: ${formatValue(rule.level)} is not one of ${levels.join(', ')}`);
  }
  const stringsIn = (field: string) => requireStrings(rule[field], `${path}.${field}`);
  const parsed: AuditPolicyRule = {
    level,
    users: stringsIn('users'),
    userGroups: stringsIn('userGroups'),
    verbs: stringsIn('verbs'),
    resources: requireListOrNothing(rule.resources, `${path}.resources`).map((entry, i) =>
      parseGroupResources(entry, `${path}.resources[${i}]`),
    ),
    namespaces: stringsIn('namespaces'),
    nonResourceURLs: stringsIn('nonResourceURLs'),
    omitStages: parseStages(rule.omitStages, `${path}.omitStages`),
    omitManagedFields: requireBooleanOrNothing(rule.omitManagedFields, `${path}.omitManagedFields`),
  };
  for (const [i, url] of parsed.nonResourceURLs.entries())
    assertUrlPattern(url, `${path}.nonResourceURLs[${i}]`);
  if (parsed.nonResourceURLs.length > 0 && parsed.resources.length + parsed.namespaces.length > 0) {
    throw new PolicyError(
      `${path}: a rule cannot have both resources or namespaces and nonResourceURLs; split it`,
    );
  }
  return parsed;
}

function parseGroupResources(value: JsonValue, path: string): GroupResources {
  const entry = requireObject(value, path, resourceFields);
  const group = entry.group ?? '';
  if (typeof group !== 'string' || (group !== '' && !isSubdomain(group))) {
    throw new PolicyError(`${path}.group: ${formatValue(group)} is not an API group; "" is the core group`);
  }
  const resources = requireStrings(entry.resources, `${path}.resources`);
  const resourceNames = requireStrings(entry.resourceNames, `${path}.resourceNames`);
  if (resourceNames.length > 0 && resources.length === 0) {
    throw new PolicyError(`${path}.resourceNames: requires resources`);
  }
  return { group, resources, resourceNames };
}

const isSubdomain = (text: string) =>
  text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text);

function assertUrlPattern(url: string, path: string): void {
  if (url === '*') return;
  if (!url.startsWith('/')) throw new PolicyError(`${path}: ${formatValue(url)} must begin with /`);
  if (url.slice(0, -1).includes('*'))
    throw new PolicyError(`${path}: ${formatValue(url)} has a * before its end`);
}

function parseStages(value: JsonValue | undefined, path: string): AuditStage[] {
  return requireStrings(value, path).map((text, i) => {
    const stage = stages.find((candidate) => candidate === text);
    if (stage === undefined) {
      throw new PolicyError(`${path}[${i}]: ${formatValue(text)} is not one of ${stages.join(', ')}`);
    }
    return stage;
  });
}

/** Returns the object. Throws PolicyError if it is none, or if it has a field other than `fields`. */
function requireObject(value: JsonValue | undefined, path: string, fields: readonly string[]): JsonObject {
  if (!isObject(value)) throw new PolicyError(`${path}: must be an object, not ${formatValue(value)}`);
  for (const field of Object.keys(value)) {
    if (fields.includes(field)) continue;
    const suggestion = nearest(field, fields);
    throw new PolicyError(
      `${path}: unknown field ${formatValue(field)}${suggestion ? `; did you mean ${suggestion}?` : ''}`,
    );
  }
  return value;
}

/** Returns the list; an empty one if the field is absent or null. Throws PolicyError for other values. */
function requireListOrNothing(value: JsonValue | undefined, path: string): readonly JsonValue[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new PolicyError(`${path}: must be a list, not ${formatValue(value)}`);
  return value;
}

function requireStrings(value: JsonValue | undefined, path: string): string[] {
  return requireListOrNothing(value, path).map((item, i) => {
    if (typeof item !== 'string')
      throw new PolicyError(`${path}[${i}]: must be a string, not ${formatValue(item)}`);
    return item;
  });
}

/** Returns the boolean; undefined if the field is absent or null. */
function requireBooleanOrNothing(value: JsonValue | undefined, path: string): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'boolean')
    throw new PolicyError(`${path}: must be true or false, not ${formatValue(value)}`);
  return value;
}

/** Formats a value for an error message, truncated if long. */
function formatValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
