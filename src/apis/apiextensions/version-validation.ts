// CustomResourceDefinition validation: the fields of spec.versions (schema, subresources, printer columns, selectable
// fields).
import type { CooperativeTask } from '../../base/cooperative-yield.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  invalid,
  required,
  tooMany,
} from '../../errors/field-error.ts';
import { dnsLabel1035 } from '../../schema/names.ts';
import type { JSONSchemaProps } from './json-schema.ts';
import type { SchemaValidationOptions } from './patterns.ts';
import { fieldSchema } from './rule-path.ts';
import { validateSchema } from './schema-validation.ts';
import type {
  CustomResourceColumnDefinition,
  CustomResourceDefinitionVersion,
  CustomResourceSubresources,
  SelectableField,
} from './version.ts';

/** The fields of a version that kube-apiserver moves to the spec if all versions share them. */
export type VersionPart = 'schema' | 'subresources' | 'additionalPrinterColumns' | 'selectableFields';

/**
 * The parts that all versions share. Their errors are reported once, with paths in the spec, where upstream's first
 * version of this kind has these fields.
 */
export function commonParts(
  versions: readonly CustomResourceDefinitionVersion[],
  selectsPerVersion: boolean,
): ReadonlySet<VersionPart> {
  const parts: VersionPart[] = ['schema', 'subresources', 'additionalPrinterColumns', 'selectableFields'];
  const encode = (version: CustomResourceDefinitionVersion, part: VersionPart) =>
    JSON.stringify(version[part] ?? null);
  const commonFields = new Set(
    parts.filter((part) => versions.every((version) => encode(version, part) === encode(versions[0]!, part))),
  );
  if (selectsPerVersion && !commonFields.has('schema')) commonFields.delete('selectableFields');
  return commonFields;
}

/** The error message calls them characters. */
const maxWarningBytes = 256;

/** Validates one version, except for the parts that all versions share. */
export function* validateVersion(
  version: CustomResourceDefinitionVersion,
  path: string,
  commonFields: ReadonlySet<VersionPart>,
  options: SchemaValidationOptions,
): CooperativeTask<FieldError[]> {
  const errors = dnsLabel1035(version.name).map((problem) => invalid(`${path}.name`, version.name, problem));
  addErrors(errors, validateDeprecation(version, `${path}.deprecationWarning`));
  const { schema, subresources } = version;
  const openApi = schema?.openAPIV3Schema;
  if (!commonFields.has('schema') && openApi) {
    const hasStatus = subresources?.status !== undefined;
    addErrors(errors, yield* validateSchema(openApi, `${path}.schema.openAPIV3Schema`, options, hasStatus));
  }
  if (!commonFields.has('subresources'))
    addErrors(errors, validateSubresources(subresources, `${path}.subresources`));
  if (!commonFields.has('additionalPrinterColumns')) {
    addErrors(
      errors,
      validateColumns(version.additionalPrinterColumns, `${path}.additionalPrinterColumns`, options),
    );
  }
  if (!commonFields.has('selectableFields')) {
    const fieldPath = `${path}.selectableFields`;
    // kube-apiserver moves a common schema to the spec, and then finds no schema for the fields of one version.
    const selectableSchema = commonFields.has('schema') && !options.selectsPerVersion ? undefined : openApi;
    const missingSchemaDetail =
      'selectableFields may only be set when version.schema.openAPIV3Schema is not included';
    addErrors(
      errors,
      validateSelectableFields(version.selectableFields, fieldPath, selectableSchema, missingSchemaDetail),
    );
  }
  return errors;
}

/** Validates the parts that all versions share. */
export function* validateCommonParts(
  version: CustomResourceDefinitionVersion,
  commonFields: ReadonlySet<VersionPart>,
  options: SchemaValidationOptions,
): CooperativeTask<FieldError[]> {
  const errors: FieldError[] = [];
  const openApi = commonFields.has('schema') ? version.schema?.openAPIV3Schema : undefined;
  if (openApi) {
    const hasStatus = commonFields.has('subresources') && version.subresources?.status !== undefined;
    addErrors(errors, yield* validateSchema(openApi, 'spec.validation.openAPIV3Schema', options, hasStatus));
  }
  if (commonFields.has('subresources'))
    addErrors(errors, validateSubresources(version.subresources, 'spec.subresources'));
  if (commonFields.has('additionalPrinterColumns')) {
    addErrors(
      errors,
      validateColumns(version.additionalPrinterColumns, 'spec.additionalPrinterColumns', options),
    );
  }
  if (commonFields.has('selectableFields')) {
    const missingSchemaDetail = 'selectableFields may only be set when validations.schema is included';
    addErrors(
      errors,
      validateSelectableFields(
        version.selectableFields,
        'spec.selectableFields',
        openApi,
        missingSchemaDetail,
      ),
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
  if (Buffer.byteLength(warning) > maxWarningBytes) {
    errors.push(invalid(path, warning, `must be <= ${maxWarningBytes} characters long`));
  }
  if (warning === '') errors.push(invalid(path, warning, 'must not be an empty string'));
  const index = firstUnprintableByte(warning);
  if (index !== undefined) {
    const detail = `must only contain printable UTF-8 characters; non-printable character found at index ${index}`;
    errors.push(invalid(path, warning, detail));
  }
  return errors;
}

/** The byte offset of the first unprintable character, or undefined. */
function firstUnprintableByte(text: string): number | undefined {
  let offset = 0;
  for (const character of text) {
    if (character !== ' ' && /[\p{C}\p{Z}]/u.test(character)) return offset;
    offset += Buffer.byteLength(character);
  }
  return undefined;
}

function validateSimplePath(path: string, jsonPath: string): FieldError[] {
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
  const validateScalePath = (field: string, jsonPath: string, roots: readonly string[]) => {
    const fieldPath = `${path}.scale.${field}`;
    const errors = validateSimplePath(fieldPath, jsonPath);
    if (errors.length > 0 || roots.some((root) => jsonPath.startsWith(`${root}.`))) return errors;
    const allowedRoots = roots.length === 1 ? roots[0] : `either ${roots.join(' or ')}`;
    return [invalid(fieldPath, jsonPath, `should be a json path under ${allowedRoots}`)];
  };
  const { specReplicasPath, statusReplicasPath, labelSelectorPath } = scale;
  return [
    ...validateScalePath('specReplicasPath', specReplicasPath, ['.spec']),
    ...validateScalePath('statusReplicasPath', statusReplicasPath, ['.status']),
    ...(labelSelectorPath
      ? validateScalePath('labelSelectorPath', labelSelectorPath, ['.spec', '.status'])
      : []),
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
    const typeDetail = `must be one of ${columnTypes.join(',')}`;
    if (type === '') errors.push(required(`${fieldPath}.type`, typeDetail));
    else if (!columnTypes.includes(type)) errors.push(invalid(`${fieldPath}.type`, type, typeDetail));
    if (format && !columnFormats.includes(format)) {
      errors.push(invalid(`${fieldPath}.format`, format, `must be one of ${columnFormats.join(',')}`));
    }
    return [...errors, ...validateSimplePath(`${fieldPath}.JSONPath`, jsonPath)];
  });
}

const maxSelectableFields = 8;

function validateSelectableFields(
  fields: readonly SelectableField[] = [],
  path: string,
  schema: JSONSchemaProps | undefined,
  missingSchemaDetail: string,
): FieldError[] {
  if (fields.length === 0) return [];
  if (!schema) return [invalid(path, '', missingSchemaDetail)];
  const errors: FieldError[] = [];
  if (fields.length > maxSelectableFields) errors.push(tooMany(path, fields.length, maxSelectableFields));
  const seen = new Set<string>();
  for (const [i, { jsonPath }] of fields.entries()) {
    const fieldPath = `${path}[${i}].jsonPath`;
    if (jsonPath === '') {
      errors.push(required(fieldPath));
      continue;
    }
    const problem = selectableFieldProblem(jsonPath, schema);
    if (problem !== undefined) errors.push(invalid(fieldPath, jsonPath, problem));
    if (seen.has(jsonPath)) errors.push(duplicate(fieldPath, jsonPath));
    seen.add(jsonPath);
  }
  return errors;
}

const selectableTypes = new Set<string | undefined>(['string', 'boolean', 'integer']);

/** The reason why the field of a path is not selectable, or undefined. */
function selectableFieldProblem(jsonPath: string, schema: JSONSchemaProps): string | undefined {
  if (jsonPath.includes('[')) return 'is an invalid path: array notation is not allowed';
  if (!jsonPath.startsWith('.')) {
    return `is an invalid path: expected [ or . but got: ${/^[^.]*/.exec(jsonPath)![0]}`;
  }
  if (jsonPath.endsWith('.')) return 'is an invalid path: unexpected end of JSON path';
  const names = jsonPath.slice(1).split('.');
  let subschema: JSONSchemaProps | undefined = schema;
  for (const [i, name] of names.entries()) {
    const isObjectField = i === 0 && (name === 'metadata' || name === 'kind' || name === 'apiVersion');
    subschema = isObjectField ? undefined : fieldSchema(subschema, name);
    if (!subschema) return 'is an invalid path: does not refer to a valid field';
  }
  return selectableTypes.has(subschema.type)
    ? undefined
    : 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.';
}
