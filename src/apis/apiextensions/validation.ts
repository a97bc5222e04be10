// CustomResourceDefinition validation: the entry points for create and update, and everything but the versions' own fields
// (version-validation.ts).
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  FormattedValue,
  forbidden,
  formatItems,
  goByteSlice,
  goStringSlice,
  invalid,
  notSupported,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import { quote } from '../../errors/quote.ts';
import { validateMetadata } from '../../kind/meta/validation.ts';
import { bundleProblem } from '../../pki/ca-bundle.ts';
import type { TaskOwner } from '../../request/task-owner.ts';
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
import { commonParts, type VersionPart, validateCommonParts, validateVersion } from './version-validation.ts';

type Spec = CustomResourceDefinition['spec'];

/** Bounds the work of validation and the size of discovery; real definitions have far fewer. */
const maxVersions = 500;
const maxNames = 1_000;

export interface DefinitionValidationOptions {
  readonly dialect: Dialect;
  readonly rules: CompiledRules;
  readonly patternThread: PatternThread;
  /** The request that writes the definition; undefined for a write of the server itself. */
  readonly owner: TaskOwner | undefined;
}

/** Validates a new definition, except for name conflicts with other definitions. */
export function* validateDefinition(
  object: CustomResourceDefinition,
  options: DefinitionValidationOptions,
): CooperativeTask<FieldError[]> {
  const { dialect } = options;
  const { metadata, spec, status } = object;
  return [
    ...validateMetadata(metadata, { namespaced: false, nameRule: nameRule(spec) }),
    ...(yield* validateSpec(spec, options)),
    ...validateStoredVersions(status.storedVersions, spec.versions ?? []),
    ...validateApproval(object, undefined, dialect),
    ...rejectPreserveUnknownFields(spec, dialect),
    ...validateKindCase(spec, dialect),
  ];
}

export function* validateDefinitionChange(
  object: CustomResourceDefinition,
  old: CustomResourceDefinition,
  options: DefinitionValidationOptions,
): CooperativeTask<FieldError[]> {
  const { dialect } = options;
  const { spec } = object;
  return [
    ...(yield* validateSpec(spec, options, { validatesCABundle: caBundleProblem(old.spec) === undefined })),
    ...validateImmutableFields(spec, old.spec, isEstablished(old.status)),
    ...validateStoredVersionsRemain(object.status.storedVersions ?? [], spec.versions ?? []),
    ...validateApproval(object, old, dialect),
    ...(old.spec.preserveUnknownFields ? [] : rejectPreserveUnknownFields(spec, dialect)),
    ...(spec.names.kind === old.spec.names.kind ? [] : validateKindCase(spec, dialect)),
  ];
}

function validateKindCase({ names: { kind } }: Spec, { rules }: Dialect): FieldError[] {
  if (!rules.kindsAreCamelCase || !kind || /^[A-Z][A-Za-z0-9]*$/.test(kind)) return [];
  const detail = "must be CamelCase: an upper case letter, then letters and digits (e.g. 'CronTab')";
  return [invalid('spec.names.kind', kind, detail)];
}

/** Validates spec.names or status.acceptedNames. Empty names are not reported here. */
export function validateNames(names: CustomResourceDefinitionNames, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular'] as const) {
    if (names[field]) addErrors(errors, validateLabel(names[field], `${path}.${field}`));
  }
  for (const field of ['kind', 'listKind'] as const) {
    if (names[field]) addErrors(errors, validateMixedCaseLabel(names[field], `${path}.${field}`));
  }
  addErrors(errors, validateLabels(names.shortNames ?? [], `${path}.shortNames`));
  if (names.kind && names.kind === names.listKind) {
    errors.push(invalid(`${path}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  addErrors(errors, validateLabels(names.categories ?? [], `${path}.categories`));
  return errors;
}

const validateLabel = (name: string, path: string): FieldError[] =>
  dnsLabel1035(name).map((problem) => invalid(path, name, problem));

function validateLabels(names: readonly string[], path: string): FieldError[] {
  if (names.length > maxNames) return [tooMany(path, names.length, maxNames)];
  return names.flatMap((name, i) => validateLabel(name, `${path}[${i}]`));
}

function validateMixedCaseLabel(name: string, path: string): FieldError[] {
  return dnsLabel1035(name.toLowerCase()).map((problem) =>
    invalid(path, name, `may have mixed case, but should otherwise match: ${problem}`),
  );
}

/** The name of a definition is `<plural>.<group>`. */
const nameRule =
  ({ names, group }: Spec): NameRule =>
  (name, prefix) => {
    const problems = nameIsSubdomain(name, prefix);
    return name === `${names.plural}.${group}`
      ? problems
      : [...problems, 'must be spec.names.plural+"."+spec.group'];
  };

/**
 * `validatesCABundle`: the caBundle is validated only on updates of a definition whose old caBundle is valid or absent.
 */
function* validateSpec(
  spec: Spec,
  { dialect, rules, patternThread, owner }: DefinitionValidationOptions,
  { validatesCABundle = false } = {},
): CooperativeTask<FieldError[]> {
  const { versions = [] } = spec;
  if (versions.length > maxVersions) return [tooMany('spec.versions', versions.length, maxVersions)];
  const schemaOptions = {
    ...extensionNames(dialect),
    patterns: new Patterns(patternThread),
    budget: new CostBudget(owner),
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
    addErrors(errors, yield* validateVersion(version, `spec.versions[${i}]`, common, schemaOptions));
  }
  addErrors(errors, validateVersions(spec.versions, common));
  // The field spec.version of v1beta1 is the name of the first version.
  const firstName = versions[0]?.name;
  if (firstName) {
    addErrors(
      errors,
      dnsLabel1035(firstName).map((problem) => invalid('spec.version', firstName, problem)),
    );
  }
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    if (!spec.names[field]) errors.push(required(`spec.names.${field}`));
  }
  addErrors(errors, validateNames(spec.names, 'spec.names'));
  if (versions[0]) addErrors(errors, yield* validateCommonParts(versions[0], common, schemaOptions));
  if (spec.conversion) {
    addErrors(errors, validateConversion(spec.conversion, spec.preserveUnknownFields ?? false));
    const problem = validatesCABundle ? caBundleProblem(spec) : undefined;
    if (problem !== undefined) {
      const badValue = goByteSlice(spec.conversion.webhook?.clientConfig?.caBundle);
      errors.push(invalid('spec.conversion.webhookClientConfig.caBundle', badValue, problem));
    }
  }
  return errors;
}

/** The problem of the caBundle of a conversion webhook; undefined if it is valid or absent. */
export function caBundleProblem({ conversion }: Spec): string | undefined {
  const bundle = conversion?.strategy === 'Webhook' ? conversion.webhook?.clientConfig?.caBundle : undefined;
  return bundle ? bundleProblem(Buffer.from(bundle, 'base64').toString('latin1')) : undefined;
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
  common: ReadonlySet<VersionPart>,
): FieldError[] {
  const versionList = versions ?? [];
  const versionsError = (detail: string) =>
    invalid('spec.versions', formatVersions(versions, common), detail);
  const errors: FieldError[] = [];
  if (new Set(versionList.map(({ name }) => name)).size < versionList.length) {
    errors.push(versionsError('must contain unique version names'));
  }
  if (versionList.filter(({ storage }) => storage).length !== 1) {
    errors.push(versionsError('must have exactly one version marked as storage version'));
  }
  return errors;
}

/** Formats versions as Go prints them. kube-apiserver moves the parts that all versions share to the spec. */
function formatVersions(
  versions: readonly CustomResourceDefinitionVersion[] | undefined,
  common: ReadonlySet<VersionPart>,
): FormattedValue {
  const type = (name: string) => `apiextensions.${name}`;
  const versionType = type('CustomResourceDefinitionVersion');
  if (!versions) return new FormattedValue(`[]${versionType}(nil)`);
  // Go prints the address of a pointer; any address will do.
  const pointer = (name: string, value: unknown) =>
    `(*${name})(${value === undefined ? 'nil' : '0xc000000000'})`;
  const ownPart = (version: CustomResourceDefinitionVersion, part: VersionPart) =>
    common.has(part) ? undefined : version[part];
  const formatVersion = (version: CustomResourceDefinitionVersion) => {
    const fields = {
      Name: quote(version.name),
      Served: version.served,
      Storage: version.storage,
      Deprecated: version.deprecated ?? false,
      DeprecationWarning: pointer('string', version.deprecationWarning),
      Schema: pointer(type('CustomResourceValidation'), ownPart(version, 'schema')),
      Subresources: pointer(type('CustomResourceSubresources'), ownPart(version, 'subresources')),
      AdditionalPrinterColumns: `[]${type('CustomResourceColumnDefinition')}(nil)`,
      SelectableFields: `[]${type('SelectableField')}(nil)`,
    };
    const fieldTexts = Object.entries(fields).map(([name, value]) => `${name}:${value}`);
    return `${versionType}{${fieldTexts.join(', ')}}`;
  };
  return new FormattedValue(`[]${versionType}{${formatItems(versions, formatVersion)}}`);
}

function validateConversion(
  { strategy, webhook }: CustomResourceConversion,
  preserveUnknownFields: boolean,
): FieldError[] {
  const path = 'spec.conversion';
  const errors: FieldError[] = [];
  if (preserveUnknownFields && strategy !== 'None') {
    const detail = 'must be None if spec.preserveUnknownFields is true';
    errors.push(invalid(`${path}.strategy`, strategy, detail));
  }
  const versions = webhook?.conversionReviewVersions ?? [];
  if (strategy === 'Webhook') {
    const clientConfigPath = `${path}.webhookClientConfig`;
    if (!webhook?.clientConfig) {
      errors.push(required(clientConfigPath, 'required when strategy is set to Webhook'));
    } else {
      addErrors(errors, validateWebhookClient(webhook.clientConfig, clientConfigPath));
    }
    const versionsPath = `${path}.conversionReviewVersions`;
    if (versions.length === 0) return [...errors, required(versionsPath)];
    return [...errors, ...validateReviewVersions(versions, versionsPath)];
  }
  if (strategy === '') errors.push(required(`${path}.strategy`));
  else if (strategy !== 'None') {
    errors.push(notSupported(`${path}.strategy`, strategy, ['None', 'Webhook']));
  }
  const webhookOnlyDetail = 'should not be set when strategy is not set to Webhook';
  if (webhook?.clientConfig) errors.push(forbidden(`${path}.webhookClientConfig`, webhookOnlyDetail));
  if (versions.length > 0) errors.push(forbidden(`${path}.conversionReviewVersions`, webhookOnlyDetail));
  return errors;
}

/** On create: status.storedVersions has the storage version and only versions of the spec. */
function validateStoredVersions(
  stored: readonly string[] | undefined,
  versions: readonly CustomResourceDefinitionVersion[],
): FieldError[] {
  const path = 'status.storedVersions';
  if (!stored || stored.length === 0) {
    const badValue = stored ? goStringSlice(stored) : new FormattedValue('[]string(nil)');
    return [invalid(path, badValue, 'must have at least one stored version')];
  }
  /** Stored versions that are not in the spec, with their index. */
  const remaining = new Map(stored.map((name, i) => [name, i]));
  const errors: FieldError[] = [];
  for (const { name, storage } of versions) {
    if (storage && !remaining.has(name)) {
      errors.push(invalid(path, goStringSlice(stored), `must have the storage version ${name}`));
    }
    remaining.delete(name);
  }
  for (const [name, i] of remaining)
    errors.push(invalid(`${path}[${i}]`, name, 'must appear in spec.versions'));
  return errors;
}

/** On update: versions in which objects may still be stored cannot be removed from the spec. */
function validateStoredVersionsRemain(
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
function validateImmutableFields(spec: Spec, old: Spec, established: boolean): FieldError[] {
  const immutableFields = [
    ...(established
      ? ([
          ['spec.scope', spec.scope, old.scope],
          ['spec.names.kind', spec.names.kind, old.names.kind],
        ] as const)
      : []),
    ['spec.group', spec.group, old.group],
    ['spec.names.plural', spec.names.plural, old.names.plural],
  ] as const;
  return immutableFields
    .filter(([, newValue, oldValue]) => newValue !== oldValue)
    .map(([path, newValue]) => invalid(path, newValue, 'field is immutable'));
}

/** Validates the api-approved annotation. Ratcheting: an update may keep the approval state of the old object. */
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

function rejectPreserveUnknownFields({ preserveUnknownFields }: Spec, dialect: Dialect): FieldError[] {
  if (!preserveUnknownFields) return [];
  const { preserveUnknownFields: extensionName } = extensionNames(dialect);
  const detail = `cannot set to true, set ${extensionName} to true in spec.versions[*].schema instead`;
  return [invalid('spec.preserveUnknownFields', true, detail)];
}
