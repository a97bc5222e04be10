// Validation of CustomResourceDefinition.
import type { Work } from '../../base/cooperative-yield.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  type FieldError,
  FormattedValue,
  forbidden,
  goByteSlice,
  goStringSlice,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { validateCABundle } from '../../pki/ca-bundle.ts';
import { dnsLabel1035, dnsSubdomain, type NameRule, nameIsSubdomain } from '../../schema/names.ts';
import { validateReviewVersions, validateWebhookClient } from '../webhook-client.ts';
import { approvalOf } from './approval.ts';
import type { CompiledRules } from './compiled-rules.ts';
import type { CustomResourceConversion } from './conversion.ts';
import { CostBudget } from './cost-budget.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from './customresourcedefinition-schema.ts';
import { extensionNames } from './json-schema.ts';
import type { PatternThread } from './pattern-thread.ts';
import { Patterns } from './patterns.ts';
import type { CustomResourceDefinitionVersion } from './version.ts';
import { commonParts, type Part, validateCommonParts, validateVersion } from './version-validation.ts';

type Spec = CustomResourceDefinition['spec'];

/** Far more than any definition has. Versions and names are processed in one go and published in discovery. */
const mostVersions = 500;
const mostNames = 1_000;

export interface DefinitionTerms {
  readonly dialect: Dialect;
  readonly rules: CompiledRules;
  readonly patternThread: PatternThread;
}

/** Validates a new definition, except for name conflicts with other definitions. */
export function* validateDefinition(
  object: CustomResourceDefinition,
  terms: DefinitionTerms,
): Work<FieldError[]> {
  const { dialect } = terms;
  const { metadata, spec, status } = object;
  return [
    ...validateMetadata(metadata, false, nameRule(spec)),
    ...(yield* validateSpec(spec, terms)),
    ...validateStoredVersions(status.storedVersions, spec.versions ?? []),
    ...validateApproval(object, undefined, dialect),
    ...refusePreservation(spec, dialect),
    ...validateKindCase(spec, dialect),
  ];
}

/** Validates an update. */
export function* validateDefinitionChange(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition,
  terms: DefinitionTerms,
): Work<FieldError[]> {
  const { dialect } = terms;
  const { spec } = object;
  return [
    ...(yield* validateSpec(spec, terms, bundleProblemOf(old.spec) === undefined)),
    ...refuseChange(spec, old.spec, isEstablished(old.status)),
    ...validateStillStored(object.status.storedVersions ?? [], spec.versions ?? []),
    ...validateApproval(object, old, dialect),
    ...(old.spec.preserveUnknownFields ? [] : refusePreservation(spec, dialect)),
    ...(spec.names.kind === old.spec.names.kind ? [] : validateKindCase(spec, dialect)),
  ];
}

function validateKindCase({ names: { kind } }: Spec, { rules }: Dialect): FieldError[] {
  if (!rules.kindsAreCamelCase || !kind || /^[A-Z][A-Za-z0-9]*$/.test(kind)) return [];
  const detail = "must be CamelCase: an upper case letter, then letters and digits (e.g. 'CronTab')";
  return [invalid('spec.names.kind', kind, detail)];
}

/** Validates status.acceptedNames. */
export function validateAcceptedNames(names: CustomResourceDefinitionNames, path: string): FieldError[] {
  const errors: FieldError[] = [];
  const check = (field: string, value: string | undefined, fieldPath = `${path}.${field}`) => {
    if (value === undefined || (value === '' && fieldPath === `${path}.${field}`)) return;
    const mixed = field === 'kind' || field === 'listKind';
    for (const problem of dnsLabel1035(mixed ? value.toLowerCase() : value)) {
      const rule = mixed ? `may have mixed case, but should otherwise match: ${problem}` : problem;
      errors.push(invalid(fieldPath, value, rule));
    }
  };
  check('plural', names.plural);
  check('singular', names.singular);
  check('kind', names.kind);
  check('listKind', names.listKind);
  const checkAll = (field: 'shortNames' | 'categories') => {
    const all = names[field] ?? [];
    if (all.length > mostNames) errors.push(tooMany(`${path}.${field}`, all.length, mostNames));
    else for (const [i, name] of all.entries()) check(field, name, `${path}.${field}[${i}]`);
  };
  checkAll('shortNames');
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  checkAll('categories');
  return errors;
}

const nameRule =
  ({ names, group }: Spec): NameRule =>
  (name, prefix) => {
    const problems = nameIsSubdomain(name, prefix);
    return name === `${names.plural}.${group}`
      ? problems
      : [...problems, 'must be spec.names.plural+"."+spec.group'];
  };

/** A caBundle is checked where a valid one, or none, is replaced: a new definition is only not established. */
function* validateSpec(
  spec: Spec,
  { dialect, rules, patternThread }: DefinitionTerms,
  checksBundle = false,
): Work<FieldError[]> {
  const { versions = [] } = spec;
  if (versions.length > mostVersions) return [tooMany('spec.versions', versions.length, mostVersions)];
  const names = {
    ...extensionNames(dialect),
    patterns: new Patterns(patternThread),
    effort: new CostBudget(),
    rules,
    exactNumbers: dialect.rules.exactNumbers,
    columnFormats: dialect.rules.columnFormats,
    selectsPerVersion: dialect.rules.selectableFieldsArePerVersion,
  };
  const common = commonParts(versions, dialect.rules.selectableFieldsArePerVersion);
  const errors = [...validateGroup(spec.group), ...validateScope(spec.scope)];
  for (const [i, { schema }] of versions.entries()) {
    if (schema?.openAPIV3Schema) continue;
    errors.push(required(`spec.versions[${i}].schema.openAPIV3Schema`, 'schemas are required'));
  }
  for (const [i, version] of versions.entries()) {
    errors.push(...(yield* validateVersion(version, `spec.versions[${i}]`, common, names)));
  }
  errors.push(...validateVersions(spec.versions, common));
  const first = versions[0]?.name;
  if (first) errors.push(...dnsLabel1035(first).map((problem) => invalid('spec.version', first, problem)));
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!spec.names[field]) errors.push(required(`spec.names.${field}`));
  }
  errors.push(...validateAcceptedNames(spec.names, 'spec.names'));
  if (versions[0]) errors.push(...(yield* validateCommonParts(versions[0], common, names)));
  if (spec.conversion) {
    errors.push(...validateConversion(spec.conversion, spec.preserveUnknownFields ?? false));
    const problem = checksBundle ? bundleProblemOf(spec) : undefined;
    if (problem !== undefined) {
      const badValue = goByteSlice(spec.conversion.webhook?.clientConfig?.caBundle);
      errors.push(invalid('spec.conversion.webhookClientConfig.caBundle', badValue, problem));
    }
  }
  return errors;
}

/** Why the caBundle of a conversion webhook cannot be used; undefined where it can, or there is none. */
export function bundleProblemOf({ conversion }: Spec): string | undefined {
  const bundle = conversion?.strategy === 'Webhook' ? conversion.webhook?.clientConfig?.caBundle : undefined;
  return bundle ? validateCABundle(Buffer.from(bundle, 'base64').toString('latin1')) : undefined;
}

function validateGroup(group: string): FieldError[] {
  const path = 'spec.group';
  if (group === '') return [required(path)];
  const problems = dnsSubdomain(group);
  if (problems.length > 0) return problems.map((problem) => invalid(path, group, problem));
  return group.includes('.') ? [] : [invalid(path, group, 'should be a domain with at least one dot')];
}

function validateScope(scope: string): FieldError[] {
  if (scope === '') return [required('spec.scope')];
  const scopes = ['Cluster', 'Namespaced'];
  return scopes.includes(scope) ? [] : [notSupported('spec.scope', scope, scopes)];
}

function validateVersions(
  versions: readonly CustomResourceDefinitionVersion[] | undefined,
  common: ReadonlySet<Part>,
): FieldError[] {
  const all = versions ?? [];
  const wrong = (detail: string) => invalid('spec.versions', shownVersions(versions, common), detail);
  const errors: FieldError[] = [];
  if (new Set(all.map(({ name }) => name)).size < all.length) {
    errors.push(wrong('must contain unique version names'));
  }
  if (all.filter(({ storage }) => storage).length !== 1) {
    errors.push(wrong('must have exactly one version marked as storage version'));
  }
  return errors;
}

/** Versions in the notation of the reference, which has the parts that all have in common elsewhere. */
function shownVersions(
  versions: readonly CustomResourceDefinitionVersion[] | undefined,
  common: ReadonlySet<Part>,
): FormattedValue {
  const type = (name: string) => `apiextensions.${name}`;
  const list = type('CustomResourceDefinitionVersion');
  if (!versions) return new FormattedValue(`[]${list}(nil)`);
  const pointer = (name: string, value: unknown) =>
    `(*${name})(${value === undefined ? 'nil' : '0xc000000000'})`;
  const own = (version: CustomResourceDefinitionVersion, part: Part) =>
    common.has(part) ? undefined : version[part];
  const items = versions.map((version) => {
    const fields = {
      Name: quote(version.name),
      Served: version.served,
      Storage: version.storage,
      Deprecated: version.deprecated ?? false,
      DeprecationWarning: pointer('string', version.deprecationWarning),
      Schema: pointer(type('CustomResourceValidation'), own(version, 'schema')),
      Subresources: pointer(type('CustomResourceSubresources'), own(version, 'subresources')),
      AdditionalPrinterColumns: `[]${type('CustomResourceColumnDefinition')}(nil)`,
      SelectableFields: `[]${type('SelectableField')}(nil)`,
    };
    const text = Object.entries(fields).map(([name, value]) => `${name}:${value}`);
    return `${list}{${text.join(', ')}}`;
  });
  return new FormattedValue(`[]${list}{${items.join(', ')}}`);
}

function validateConversion(
  { strategy, webhook }: CustomResourceConversion,
  preserves: boolean,
): FieldError[] {
  const path = 'spec.conversion';
  const errors: FieldError[] = [];
  if (preserves && strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid(`${path}.strategy`, strategy, detail));
  }
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    const where = `${path}.webhookClientConfig`;
    if (!webhook?.clientConfig) {
      errors.push(required(where, 'required when strategy is set to Webhook'));
    } else {
      errors.push(...validateWebhookClient(webhook.clientConfig, where));
    }
    const versionsPath = `${path}.conversionReviewVersions`;
    if (versions.length === 0) return [...errors, required(versionsPath)];
    return [...errors, ...validateReviewVersions(versions, versionsPath)];
  }
  if (strategy === '') errors.push(required(`${path}.strategy`));
  else if (strategy !== 'None') {
    errors.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  const without = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) errors.push(forbidden(`${path}.webhookClientConfig`, without));
  if (versions.length > 0) errors.push(forbidden(`${path}.conversionReviewVersions`, without));
  return errors;
}

function validateStoredVersions(
  stored: readonly string[] | undefined,
  versions: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const path = 'status.storedVersions';
  if (!stored || stored.length === 0) {
    const badValue = stored ? goStringSlice(stored) : new FormattedValue('[]string(nil)');
    return [invalid(path, badValue, 'must have at least one stored version')];
  }
  const open = new Map(stored.map((name, i) => [name, i]));
  const errors: FieldError[] = [];
  for (const { name, storage } of versions) {
    if (storage && !open.has(name)) {
      errors.push(invalid(path, goStringSlice(stored), `must have the storage version ${name}`));
    }
    open.delete(name);
  }
  for (const [name, i] of open) errors.push(invalid(`${path}[${i}]`, name, 'must appear in spec.versions'));
  return errors;
}

function validateStillStored(
  stored: readonly string[],
  versions: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  return stored.flatMap((name, i) => {
    if (versions.some((version) => version.name === name)) return [];
    const detail =
      `missing from spec.versions; ${name} was previously a storage version, and must remain in spec.versions ` +
      `until a storage migration ensures no data remains persisted in ${name} and removes ${name} from status.storedVersions`;
    return [invalid(`status.storedVersions[${i}]`, name, detail)];
  });
}

function isEstablished({ conditions }: CustomResourceDefinitionStatus): boolean {
  return (conditions ?? []).some(({ type, status }) => type === 'Established' && status === 'True');
}

/** The group and names are immutable, and scope and kind once the definition is established. */
function refuseChange(spec: Spec, old: Spec, established: boolean): FieldError[] {
  const fixed = [
    ...(established
      ? ([
          ['spec.scope', spec.scope, old.scope],
          ['spec.names.kind', spec.names.kind, old.names.kind],
        ] as const)
      : []),
    ['spec.group', spec.group, old.group],
    ['spec.names.plural', spec.names.plural, old.names.plural],
  ] as const;
  return fixed
    .filter(([, now, before]) => now !== before)
    .map(([path, now]) => invalid(path, now, 'field is immutable'));
}

/** Ratcheting: errors of the old object are tolerated. */
function validateApproval(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
  dialect: Dialect,
): FieldError[] {
  const approval = approvalOf(object, dialect);
  if (!approval || (old && approvalOf(old, dialect)?.state === approval.state)) return [];
  const key = dialect.annotations.apiApproved;
  const path = `metadata.annotations[${key}]`;
  if (approval.state === 'missing') return [required(path, approval.message)];
  if (approval.state !== 'invalid') return [];
  return [invalid(path, object.metadata.annotations?.[key], approval.message)];
}

function refusePreservation({ preserveUnknownFields }: Spec, dialect: Dialect): FieldError[] {
  if (!preserveUnknownFields) return [];
  const { preserveUnknownFields: mark } = extensionNames(dialect);
  const detail = `cannot set to true, set ${mark} to true in spec.versions[*].schema instead`;
  return [invalid('spec.preserveUnknownFields', true, detail)];
}
