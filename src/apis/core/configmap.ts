// ConfigMap: schema, printer columns, validation and resource definition.
import type { Dialect } from '../../dialect/dialect.ts';
import { type FieldError, forbidden, invalid, tooLong } from '../../errors/field-error.ts';
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
import { dataKey, nameIsSubdomain } from '../../schema/names.ts';
import { bool, bytes, string } from '../../schema/scalars.ts';
import { field, type Infer, optional } from '../../schema/struct.ts';
import { base64ByteLength, hasSameEntries, immutableDataMessage, maxDataBytes } from './data.ts';
import { countEntries } from './table-cells.ts';

export const ConfigMap = kind(
  'core/v1.ConfigMap',
  {
    immutable: field(4, optional(bool), {
      doc: 'If true, data and binaryData can no longer be changed, and neither can this field.',
    }),
    data: field(2, mapOf(string), { doc: 'Configuration values as UTF-8 strings by key.' }),
    binaryData: field(3, mapOf(bytes), {
      doc: 'Configuration values as bytes by key. A key must not be in both maps.',
    }),
  },
  { doc: 'Configuration data for pods and other consumers.' },
);
export type ConfigMap = Infer<typeof ConfigMap>;

const configMapTable: TableLayout<ConfigMap> = {
  columns: [nameColumn, column('Data', 'The number of entries.'), ageColumn],
  cells: (map, ages) => [
    map.metadata.name ?? '',
    countEntries(map.data) + countEntries(map.binaryData),
    age(map, ages),
  ],
};

export const configmaps = (dialect: Dialect) =>
  resource<ConfigMap>({
    group: '',
    version: 'v1',
    kind: 'ConfigMap',
    plural: 'configmaps',
    shortNames: ['cm'],
    schema: ConfigMap,
    table: configMapTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateData(object),
      ],
      // kube-apiserver runs create validation on updates too, so errors can appear twice.
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateImmutableData(object, old),
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateData(object),
      ],
    },
  });

function validateData({ data = {}, binaryData = {} }: ConfigMap): FieldError[] {
  const errors: FieldError[] = [];
  let size = 0;
  for (const key in data) {
    for (const problem of dataKey(key)) errors.push(invalid(`data[${key}]`, key, problem));
    if (Object.hasOwn(binaryData, key)) {
      errors.push(invalid(`data[${key}]`, key, 'duplicate of key present in binaryData'));
    }
    size += Buffer.byteLength(data[key]!);
  }
  for (const key in binaryData) {
    for (const problem of dataKey(key)) errors.push(invalid(`binaryData[${key}]`, key, problem));
    size += base64ByteLength(binaryData[key]!);
  }
  // kube-apiserver reports errors about the whole object with the path `[]`.
  if (size > maxDataBytes) errors.push(tooLong('[]', maxDataBytes));
  return errors;
}

function validateImmutableData(object: ConfigMap, old: ConfigMap): FieldError[] {
  if (!old.immutable) return [];
  const errors: FieldError[] = [];
  if (!object.immutable) errors.push(forbidden('immutable', immutableDataMessage));
  if (!hasSameEntries(object.data, old.data)) errors.push(forbidden('data', immutableDataMessage));
  if (!hasSameEntries(object.binaryData, old.binaryData))
    errors.push(forbidden('binaryData', immutableDataMessage));
  return errors;
}
