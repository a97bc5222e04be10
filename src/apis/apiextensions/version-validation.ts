// CustomResourceDefinition validation: versions.
import type { Work } from '../../base/cooperative-yield.ts';
import { duplicate, type FieldError, invalid, required, tooMany } from '../../errors/field-error.ts';
import { dnsLabel1035 } from '../../schema/names.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';
import { fieldOf } from './rule-path.ts';
import { validateSchema } from './schema-validation.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  SelectableField,
} from './version.ts';

/** The parts of a version that may be the same in all of them. */
export type Part = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

/**
 * The parts that all versions have in common. What is wrong with those is said once, of the spec: upstream's first
 * version of this kind had them there.
 */
export function commonParts(
  versions: readonly CustomResourceDefinitionVersion[],
  selectsPerVersion: boolean,
): ReadonlySet<Part> {
  const parts: Part[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];
  const text = (version: CustomResourceDefinitionVersion, part: Part) =>
    JSON.stringify(version[part] ?? null);
  const common = new Set(
    parts.filter((part) => versions.every((version) => text(version, part) === text(versions[0]!, part))),
  );
  if (selectsPerVersion && !common.has('schema')) common.delete('selectableFields');
  return common;
}

const maxWarningLength = 256;

/** Validates one version, except for the parts that all versions share. */
export function* validateVersion(
  version: CustomResourceDefinitionVersion,
  path: string,
  common: ReadonlySet<Part>,
  names: SchemaValidationOptions,
): Work<FieldError[]> {
  const errors = dnsLabel1035(version.name).map((problem) => invalid(`${path}.name`, version.name, problem));
  errors.push(...validateDeprecation(version, `${path}.deprecationWarning`));
  const { schema, subresources } = version;
  const openApi = schema?.openAPIV3Schema;
  if (!common.has('schema') && openApi) {
    const hasStatus = subresources?.status !== undefined;
    errors.push(...(yield* validateSchema(openApi, `${path}.schema.openAPIV3Schema`, names, hasStatus)));
  }
  if (!common.has('subresources')) errors.push(...validateSubresources(subresources, `${path}.subresources`));
  if (!common.has('additionalPrinterColumns')) {
    errors.push(
      ...validateColumns(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`, names),
    );
  }
  if (!common.has('selectableFields')) {
    const fieldPath = `${path}.selectableFields`;
    // The release has a schema that all versions share elsewhere, and then finds none for the fields of one version.
    const seen = common.has('schema') && !names.selectsPerVersion ? undefined : openApi;
    const without = 'selectableFields may only be set when version.schema.openAPIV3Schema is not included';
    errors.push(...validateSelectableFields(version.selectableFields, fieldPath, seen, without));
  }
  return errors;
}

/** Validates the parts that all versions share. */
export function* validateCommonParts(
  version: CustomResourceDefinitionVersion,
  common: ReadonlySet<Part>,
  names: SchemaValidationOptions,
): Work<FieldError[]> {
  const errors: FieldError[] = [];
  const openApi = common.has('schema') ? version.schema?.openAPIV3Schema : undefined;
  if (openApi) {
    const hasStatus = common.has('subresources') && version.subresources?.status !== undefined;
    errors.push(...(yield* validateSchema(openApi, 'spec.validation.openAPIV3Schema', names, hasStatus)));
  }
  if (common.has('subresources'))
    errors.push(...validateSubresources(version.subresources, 'spec.subresources'));
  if (common.has('additionalPrinterColumns')) {
    errors.push(...validateColumns(version.additionalPrinterColumns, 'spec.additionalPrinterColumns', names));
  }
  if (common.has('selectableFields')) {
    const without = 'selectableFields may only be set when validations.schema is included';
    errors.push(
      ...validateSelectableFields(version.selectableFields, 'spec.selectableFields', openApi, without),
    );
  }
  return errors;
}

function validateDeprecation(
  { deprecated, deprecationWarning: warning }: CustomResourceDefinitionVersion,
  path: string,
): FieldError[] {
  if (warning === undefined) return [];
  const errors: FieldError[] = [];
  if (!deprecated) errors.push(invalid(path, warning, 'can only be set for deprecated versions'));
  if (Buffer.byteLength(warning) > maxWarningLength) {
    errors.push(invalid(path, warning, `must be <= ${maxWarningLength} characters long`));
  }
  if (warning === '') errors.push(invalid(path, warning, 'must not be an empty string'));
  const at = unprintableAt(warning);
  if (at !== undefined) {
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${at}`;
    errors.push(invalid(path, warning, detail));
  }
  return errors;
}

/** Where the first character lies that does not show, counted in bytes. */
function unprintableAt(text: string): number | undefined {
  let at = 0;
  for (const character of text) {
    if (character !== ' ' && /[\p{C}\p{Z}]/u.test(character)) return at;
    at += Buffer.byteLength(character);
  }
  return undefined;
}

function simplePath(path: string, jsonPath: string): FieldError[] {
  if (jsonPath === '') return [required(path)];
  return jsonPath.startsWith('.')
    ? []
    : [invalid(path, jsonPath, 'must be a simple json path starting with .')];
}

function validateSubresources(
  subresources: CustomResourceSubresources | undefined,
  path: string,
): FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const under = (field: string, jsonPath: string, roots: readonly string[]) => {
    const fieldPath = `${path}.scale.${field}`;
    const errors = simplePath(fieldPath, jsonPath);
    if (errors.length > 0 || roots.some((root) => jsonPath.startsWith(`${root}.`))) return errors;
    const place = roots.length === 1 ? roots[0] : `either ${roots.join(' or ')}`;
    return [invalid(fieldPath, jsonPath, `should be a json path under ${place}`)];
  };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...under('specReplicasPath', specReplicasPath, ['.spec']),
    ...under('statusReplicasPath', statusReplicasPath, ['.status']),
    ...(labelSelectorPath ? under('labelSelectorPath', labelSelectorPath, ['.spec', '.status']) : []),
  ];
}

const columnTypes = ['boolean', 'date', 'integer', 'number', 'string'];

function validateColumns(
  columns: readonly CustomResourceColumnDefinition[] = [],
  path: string,
  { columnFormats }: SchemaValidationOptions,
): FieldError[] {
  return columns.flatMap(({ name, type, format, jsonPath }, i) => {
    const fieldPath = `${path}[${i}]`;
    const errors: FieldError[] = name === '' ? [required(`${fieldPath}.name`)] : [];
    const types = `must be one of ${columnTypes.join(',')}`;
    if (type === '') errors.push(required(`${fieldPath}.type`, types));
    else if (!columnTypes.includes(type)) errors.push(invalid(`${fieldPath}.type`, type, types));
    if (format && !columnFormats.includes(format)) {
      errors.push(invalid(`${fieldPath}.format`, format, `must be one of ${columnFormats.join(',')}`));
    }
    return [...errors, ...simplePath(`${fieldPath}.JSONPath`, jsonPath)];
  });
}

const maxSelectableFields = 8;

function validateSelectableFields(
  fields: readonly SelectableField[] = [],
  path: string,
  schema: JSONSchemaProps | undefined,
  withoutSchema: string,
): FieldError[] {
  if (fields.length === 0) return [];
  if (!schema) return [invalid(path, '', withoutSchema)];
  const errors: FieldError[] = [];
  if (fields.length > maxSelectableFields) errors.push(tooMany(path, fields.length, maxSelectableFields));
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const fieldPath = `${path}[${i}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(fieldPath));
      continue;
    }
    const problem = selectableProblem(jsonPath, schema);
    if (problem !== undefined) errors.push(invalid(fieldPath, jsonPath, problem));
    if (seen.has(jsonPath)) errors.push(duplicate(fieldPath, jsonPath));
    seen.add(jsonPath);
  }
  return errors;
}

const selectableTypes = new Set<string | undefined>(['string', 'boolean', 'integer']);

/** Why a path leads to nothing that can be selected by. */
function selectableProblem(jsonPath: string, schema: JSONSchemaProps): string | undefined {
  if (jsonPath.includes('[')) return 'is an invalid path: array notation is not allowed';
  if (!jsonPath.startsWith('.')) {
    return `is an invalid path: expected [ or . but got: ${/^[^.]*/.exec(jsonPath)![0]}`;
  }
  if (jsonPath.endsWith('.')) return 'is an invalid path: unexpected end of JSON path';
  const names = jsonPath.slice(1).split('.');
  let place: JSONSchemaProps | undefined = schema;
  for (const [i, name] of names.entries()) {
    const belongsToAll = i === 0 && (name === 'metadata' || name === 'kind' || name === 'apiVersion');
    place = belongsToAll ? undefined : fieldOf(place, name);
    if (!place) return 'is an invalid path: does not refer to a valid field';
  }
  return selectableTypes.has(place.type)
    ? undefined
    : 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
}
