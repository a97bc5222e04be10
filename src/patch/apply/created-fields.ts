// Server-side apply: the FieldsV1 of a new object, all of whose fields its creator manages.
//
// A create is the most frequent write, and has nothing to compare: this writes the text that `compareObjects` with an
// empty object and `encodeFieldsV1` would give, without building their sets.
import { JsonText } from '../../codec/json/json-value.ts';
import { comparePathElements, type FieldSet } from './field-set.ts';
import { DuplicateElements, elementsByPath } from './list-elements.ts';
import {
  type FieldMergeSchema,
  fieldValue,
  type MergeSchema,
  mergeSchemaFor,
  type StructMergeSchema,
} from './merge-schema.ts';
import { strippedMetadataFields, strippedObjectFields } from './stripped-fields.ts';

type Members = Readonly<Record<string, unknown>>;

/**
 * The fields of a new object except `resetFields`. Undefined where the empty object already has some of them, where the
 * schema keeps unknown fields, and where nothing is left: compare the objects then. Throws InvalidListElement if list
 * elements cannot be identified.
 */
export function createdFieldsV1(
  schema: MergeSchema,
  empty: object,
  created: object,
  resetFields: FieldSet,
): JsonText | undefined {
  if (schema.form !== 'struct' || schema.undeclared) return undefined;
  const object = membersOf(created);
  let text = '';
  for (const name in empty) if (!strippedObjectFields.has(name)) return undefined;
  for (const field of schema.fields) {
    const { name, element, schema: fieldSchema } = field;
    if (name === 'metadata') {
      const metadata =
        fieldSchema.form === 'struct'
          ? metadataFields(fieldSchema.fields, membersOf(empty), object)
          : undefined;
      if (metadata === undefined || resetFields.below.has(element)) return undefined;
      if (metadata !== '') text = append(text, element, `{${metadata}}`);
      continue;
    }
    if (object[name] === undefined || strippedObjectFields.has(name)) continue;
    const reset = resetFields.below.get(element);
    if (reset?.isMember) continue;
    // Not for this fast path: a field that is reset in part, or that is present in JSON even if it is empty.
    if (reset || !field.omitEmpty) return undefined;
    const value = fieldValue(object, field, 'object');
    if (value !== undefined) text = append(text, element, fieldsOf(fieldSchema, value));
  }
  return text === '' ? undefined : new JsonText(`{${text}}`);
}

/** The members of FieldsV1 below `f:metadata`, without braces; undefined as for `createdFieldsV1`. */
function metadataFields(
  fields: readonly FieldMergeSchema[],
  empty: Members,
  object: Members,
): string | undefined {
  const metadata = membersOf(object.metadata);
  for (const name in membersOf(empty.metadata)) if (!strippedMetadataFields.has(name)) return undefined;
  let text = '';
  for (const field of fields) {
    if (metadata[field.name] === undefined || strippedMetadataFields.has(field.name)) continue;
    if (!field.omitEmpty) return undefined;
    const value = fieldValue(metadata, field, 'object');
    if (value !== undefined) text = append(text, field.element, fieldsOf(field.schema, value));
  }
  return text;
}

/** The FieldsV1 of a value: the value itself, and every field below it. */
function fieldsOf(declared: MergeSchema, value: unknown): string {
  const schema = mergeSchemaFor(declared, value);
  if (schema.form === 'scalar' || schema.atomic || value === null) return '{}';
  let text = '';
  if (schema.form === 'map') {
    const members = membersOf(value);
    for (const key of Object.keys(members).sort()) {
      text = append(text, `f:${key}`, fieldsOf(schema.element, members[key]));
    }
  } else if (schema.form === 'list') {
    const items = elementsByPath(schema, value, 'object');
    for (const element of [...items.keys()].sort(comparePathElements)) {
      const item = items.get(element);
      text = append(text, element, item instanceof DuplicateElements ? '{}' : fieldsOf(schema.element, item));
    }
  } else text = memberFields(schema, membersOf(value));
  return text === '' ? '{}' : `{".":{},${text}}`;
}

/** The members of FieldsV1 for a struct, without braces. */
function memberFields({ fields, byName, undeclared: others }: StructMergeSchema, members: Members): string {
  let text = '';
  if (!others) {
    for (const field of fields) {
      const member = fieldValue(members, field, 'object');
      if (member !== undefined) text = append(text, field.element, fieldsOf(field.schema, member));
    }
    return text;
  }
  for (const name of [...new Set([...byName.keys(), ...Object.keys(members)])].sort()) {
    const field = byName.get(name);
    const member = field ? fieldValue(members, field, 'object') : members[name];
    if (field && member === undefined) continue;
    text = append(text, `f:${name}`, fieldsOf(field ? field.schema : others, member));
  }
  return text;
}

/** Appends a member to the JSON text of an object without its braces. */
function append(text: string, element: string, fields: string): string {
  const member = `${JSON.stringify(element)}:${fields}`;
  return text === '' ? member : `${text},${member}`;
}

const noMembers: Members = Object.freeze(Object.create(null));

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : noMembers;
}
