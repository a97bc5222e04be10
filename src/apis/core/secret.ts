// Secret: schema, defaults, printer columns, validation and resource definition.
// Dialect: the names of annotations and Secret types in Kubernetes' domain, or in Orch's own.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../codec/json/parse.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  type FieldError,
  forbidden,
  invalid,
  required,
  tooLong,
} from '../../errors/field-error.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { mapOf } from '../../schema/collections.ts';
import { jsonTypeOf } from '../../schema/decoding.ts';
import { dataKey, nameIsSubdomain } from '../../schema/names.ts';
import { bool, bytes, named, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { base64ByteLength, hasSameEntries, immutableDataMessage, maxDataBytes } from './data.ts';
import { countEntries } from './table-cells.ts';
import { keyPairProblem } from './tls-key-pair.ts';

export const Secret = kind(
  'core/v1.Secret',
  {
    immutable: field(5, optional(bool), {
      doc: 'If true, the data can no longer be changed, and neither can this field.',
    }),
    data: field(2, mapOf(bytes), { doc: 'The secret values as bytes by key.' }),
    stringData: field(4, mapOf(string), {
      doc: 'Write-only convenience: string values that are merged into data and override it. Never returned.',
    }),
    type: field(3, named('core/v1.SecretType', string), {
      default: 'Opaque',
      doc: 'The type of the secret. Built-in types require certain keys. Immutable.',
    }),
  },
  { doc: 'Sensitive data such as a password, token or key.' },
);
export type Secret = Infer<typeof Secret>;

const secretTable: TableLayout<Secret> = {
  columns: [
    nameColumn,
    column('Type', 'The type of the secret.'),
    column('Data', 'The number of entries.'),
    ageColumn,
  ],
  cells: (secret, ages) => [
    secret.metadata.name ?? '',
    secret.type ?? '',
    countEntries(secret.data),
    age(secret, ages),
  ],
};

export const secrets = (dialect: Dialect) =>
  resource<Secret>({
    group: '',
    version: 'v1',
    kind: 'Secret',
    plural: 'secrets',
    schema: Secret,
    table: secretTable,
    selectableFieldNames: ['type'],
    selectableFields: ({ type }) => ({ type: type ?? '' }),
    applyDefaults: mergeStringData,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      validate: (object) => validateSecret(object, dialect),
      warningsOnCreate: (object) => secretWarnings(object, dialect),
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...(object.type === old.type ? [] : [invalid('type', object.type, 'field is immutable')]),
        ...validateImmutableData(object, old),
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateSecret(object, dialect),
      ],
      warningsOnUpdate: (object) => secretWarnings(object, dialect),
    },
  });

function mergeStringData(object: Secret): void {
  const { stringData } = object;
  if (!stringData) return;
  object.data ??= nullPrototypeObject();
  for (const key in stringData) object.data[key] = Buffer.from(stringData[key]!).toString('base64');
  delete object.stringData;
}

function validateSecret(object: Secret, dialect: Dialect): FieldError[] {
  const errors = validateFinalizersQualified(object.metadata, dialect);
  const { data = {} } = object;
  let size = 0;
  for (const key in data) {
    for (const problem of dataKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    size += base64ByteLength(data[key]!);
  }
  if (size > maxDataBytes) errors.push(tooLong('data', maxDataBytes));
  addErrors(errors, validateByType(object, dialect));
  return errors;
}

/** Required keys of the built-in Secret types. */
function validateByType({ type, data = {}, metadata }: Secret, dialect: Dialect): FieldError[] {
  const types = dialect.secretTypes;
  const validateKeysPresent = (...keys: string[]) =>
    keys.filter((key) => data[key] === undefined).map((key) => required(`data[${key}]`));
  switch (type) {
    case types.serviceAccountToken: {
      const { serviceAccountName } = dialect.annotations;
      const accountName = metadata.annotations?.[serviceAccountName];
      return accountName ? [] : [required(`metadata.annotations[${serviceAccountName}]`)];
    }
    case types.dockercfg:
      return [...validateKeysPresent('.dockercfg'), ...validateJsonObject(data, '.dockercfg')];
    case types.dockerConfigJson:
      return [...validateKeysPresent('.dockerconfigjson'), ...validateJsonObject(data, '.dockerconfigjson')];
    case types.basicAuth:
      // Basic auth needs at least one of username and password.
      return data.username === undefined && data.password === undefined
        ? validateKeysPresent('username', 'password')
        : [];
    case types.sshAuth:
      return data['ssh-privatekey'] ? [] : [required('data[ssh-privatekey]')];
    case types.tls:
      return validateKeysPresent('tls.crt', 'tls.key');
    default:
      return [];
  }
}

function validateJsonObject(data: Readonly<Record<string, string>>, key: string): FieldError[] {
  if (data[key] === undefined) return [];
  const reject = (detail: string) => [invalid(`data[${key}]`, '<secret contents redacted>', detail)];
  try {
    const { value } = parseJson(Buffer.from(data[key], 'base64'));
    // Go decodes null into a nil map.
    const jsonType = value === null ? 'object' : jsonTypeOf(value);
    if (jsonType === 'object') return [];
    return reject(`json: cannot unmarshal ${jsonType} into Go value of type map[string]interface {}`);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return reject(error.message);
    throw error;
  }
}

function validateImmutableData(object: Secret, old: Secret): FieldError[] {
  if (!old.immutable) return [];
  const errors: FieldError[] = [];
  if (!object.immutable) errors.push(forbidden('immutable', immutableDataMessage));
  if (!hasSameEntries(object.data, old.data)) errors.push(forbidden('data', immutableDataMessage));
  return errors;
}

/** Warns about a TLS key pair that does not work. Validation only requires its keys. */
function secretWarnings({ type, data = {} }: Secret, dialect: Dialect): string[] {
  if (type !== dialect.secretTypes.tls) return [];
  const problem = keyPairProblem(
    Buffer.from(data['tls.crt'] ?? '', 'base64').toString(),
    Buffer.from(data['tls.key'] ?? '', 'base64').toString(),
  );
  return problem === undefined ? [] : [problem];
}
