// VolumeAttributesClass: schema, strategy, validation and printer columns.

import { type FieldError, forbidden, required } from '../../errors/field-error.ts';
import type { KindContext } from '../../kind/context.ts';
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
import { definitionInVersion } from '../../kind/versions.ts';
import { mapOf } from '../../schema/collections.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { string } from '../../schema/scalars.ts';
import { field, type Infer } from '../../schema/struct.ts';
import { hasSameEntries } from '../core/data.ts';
import { validateParameters } from './class-parameters.ts';
import { validateProvisioner } from './storageclass-validation.ts';
import { v1alpha1 } from './versions.ts';

export const VolumeAttributesClass = kind(
  'storage/v1beta1.VolumeAttributesClass',
  {
    driverName: field(2, string, {
      required: true,
      doc: 'The name of the CSI driver. Immutable.',
    }),
    parameters: field(3, mapOf(string), {
      doc: 'Parameters for the driver, at least one and at most 512 entries and 256 KiB. Immutable.',
    }),
  },
  { doc: 'A class of mutable volume attributes, which can be changed during the lifetime of a volume.' },
);
export type VolumeAttributesClass = Infer<typeof VolumeAttributesClass>;

const volumeAttributesClassTable: TableLayout<VolumeAttributesClass> = {
  columns: [nameColumn, column('DriverName', 'The name of the CSI driver.'), ageColumn],
  cells: (object, ages) => [object.metadata.name ?? '', object.driverName, age(object, ages)],
};

export const volumeattributesclasses = ({ dialect }: KindContext) =>
  resource<VolumeAttributesClass>({
    group: 'storage',
    version: 'v1beta1',
    kind: 'VolumeAttributesClass',
    plural: 'volumeattributesclasses',
    shortNames: ['vac'],
    namespaced: false,
    schema: VolumeAttributesClass,
    table: volumeAttributesClassTable,
    strategy: {
      validateName: nameIsSubdomain,
      deleteReturnsObject: true,
      allowUnconditionalUpdate: true,
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateClass(object),
      ],
      // kube-apiserver runs create validation before and after that of the immutable fields, so errors appear twice.
      validateUpdate(object, old) {
        const validateAsCreate = () => [
          ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
          ...validateFinalizersQualified(object.metadata, dialect),
          ...validateClass(object),
        ];
        return [
          ...validateAsCreate(),
          ...validateMetadataChange(object.metadata, old.metadata),
          ...validateFinalizersQualified(object.metadata, dialect),
          ...validateImmutableFields(object, old),
          ...validateAsCreate(),
        ];
      },
    },
  });

/** The same kind in v1alpha1, with the types renamed to that version. */
export const volumeattributesclassesV1alpha1 = (context: KindContext) =>
  definitionInVersion('v1alpha1', volumeattributesclasses(context), v1alpha1.of(VolumeAttributesClass));

function validateClass({ driverName, parameters = {} }: VolumeAttributesClass): FieldError[] {
  const isEmpty = Object.keys(parameters).length === 0;
  return [
    ...validateProvisioner(driverName, 'driverName'),
    ...(isEmpty
      ? [required('parameters', 'must contain at least one key/value pair')]
      : validateParameters(parameters, 'parameters')),
  ];
}

function validateImmutableFields(object: VolumeAttributesClass, old: VolumeAttributesClass): FieldError[] {
  const reject = (field: string) => forbidden(field, `updates to ${field} are forbidden.`);
  return [
    ...(object.driverName === old.driverName ? [] : [reject('driverName')]),
    ...(hasSameEntries(object.parameters, old.parameters) ? [] : [reject('parameters')]),
  ];
}
