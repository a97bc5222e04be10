// ControllerRevision: schema (field numbers are those of protobuf), printer columns, validation and resource definition.
import { isObject } from '../../codec/json/json-value.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import type { Dialect, DialectRules } from '../../dialect/dialect.ts';
import { type FieldError, FormattedValue, formatItems, invalid, required } from '../../errors/field-error.ts';
import { kind } from '../../kind/meta/kind.ts';
import {
  formattedInteger,
  validateFinalizersQualified,
  validateMetadata,
  validateMetadataChange,
} from '../../kind/meta/validation.ts';
import { resource } from '../../kind/resource.ts';
import { age, none } from '../../kind/table/cells.ts';
import { ageColumn, column, nameColumn } from '../../kind/table/columns.ts';
import type { TableLayout } from '../../kind/table.ts';
import { rawExtension } from '../../schema/collections.ts';
import { nameIsSubdomain } from '../../schema/names.ts';
import { int64 } from '../../schema/scalars.ts';
import { field, type Infer } from '../../schema/struct.ts';

export const ControllerRevision = kind(
  'apps/v1.ControllerRevision',
  {
    data: field(2, rawExtension, {
      doc: 'The serialized state. Only its controller interprets it. Immutable.',
    }),
    revision: field(3, int64, {
      required: true,
      mustBePresent: true,
      doc: 'The revision number of the state. Later states have higher numbers.',
    }),
  },
  { doc: "An immutable snapshot of a controller's state, to which the controller can roll back." },
);
export type ControllerRevision = Infer<typeof ControllerRevision>;

const controllerRevisionTable: TableLayout<ControllerRevision> = {
  columns: [
    nameColumn,
    column('Controller', 'The owner of the revision.'),
    column('Revision', 'The revision number.'),
    ageColumn,
  ],
  cells(object, ages) {
    const owner = object.metadata.ownerReferences?.find(({ controller }) => controller);
    return [
      object.metadata.name ?? '',
      owner ? `${qualifiedKind(owner)}/${owner.name}` : none,
      object.revision,
      age(object, ages),
    ];
  },
};

/** Kind and group as kubectl shows them: `statefulset.apps`. */
function qualifiedKind({ kind, apiVersion }: { kind: string; apiVersion: string }): string {
  const slash = apiVersion.indexOf('/');
  return (slash < 0 ? kind : `${kind}.${apiVersion.slice(0, slash)}`).toLowerCase();
}

export const controllerrevisions = (dialect: Dialect) =>
  resource<ControllerRevision>({
    group: 'apps',
    version: 'v1',
    kind: 'ControllerRevision',
    plural: 'controllerrevisions',
    schema: ControllerRevision,
    table: controllerRevisionTable,
    strategy: {
      validateName: nameIsSubdomain,
      allowUnconditionalUpdate: true,
      validate: (object) => [
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateRevision(object),
        ...validateData(object, dialect.rules),
      ],
      validateUpdate: (object, old) => [
        ...validateMetadataChange(object.metadata, old.metadata),
        ...validateFinalizersQualified(object.metadata, dialect),
        // The rules of create run again, so errors about finalizers appear twice (see validateAsCreateAndUpdate).
        ...validateMetadata(object.metadata, { namespaced: true, nameRule: nameIsSubdomain }),
        ...validateFinalizersQualified(object.metadata, dialect),
        ...validateRevision(object),
        ...validateDataImmutable(object, old),
      ],
    },
  });

function validateRevision({ revision }: ControllerRevision): FieldError[] {
  return revision < 0
    ? [invalid('revision', formattedInteger(revision), 'must be greater than or equal to 0')]
    : [];
}

function validateData(
  { data }: ControllerRevision,
  { controllerRevisionsNeedData }: DialectRules,
): FieldError[] {
  if (data === undefined || data === null) {
    return controllerRevisionsNeedData ? [required('data', 'data is mandatory')] : [];
  }
  return isObject(data) ? [] : [required('data', 'data must be a valid JSON object')];
}

function validateDataImmutable({ data }: ControllerRevision, old: ControllerRevision): FieldError[] {
  const [text, oldText] = [data, old.data].map((state) =>
    state === undefined ? undefined : stringifyJson(state),
  );
  if (text === oldText) return [];
  const bytes = text === undefined ? '(nil)' : `{${formatItems(Buffer.from(text), hex)}}`;
  const badValue = new FormattedValue(
    `runtime.RawExtension{Raw:[]uint8${bytes}, Object:runtime.Object(nil)}`,
  );
  return [invalid('data', badValue, 'field is immutable')];
}

function hex(byte: number): string {
  return `0x${byte.toString(16).padStart(2, '0')}`;
}
