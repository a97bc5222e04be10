// Server-side apply: migration from client-side apply, whose state is the last-applied-configuration annotation.
import {
  isObject,
  type JsonObject,
  type JsonValue,
  nullPrototypeObject,
} from '../../../codec/json/json-value.ts';
import { JsonSyntaxError, parseJson } from '../../../codec/json/parse.ts';
import { stringifyJson } from '../../../codec/json/stringify.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import { compareObjects } from '../../../patch/apply/compare.ts';
import { emptyFieldSet, type FieldSet } from '../../../patch/apply/field-set.ts';
import { InvalidListElement } from '../../../patch/apply/list-elements.ts';
import type { MergeSchema } from '../../../patch/apply/merge-schema.ts';
import type { ManagerConflict } from '../../../patch/apply/structured-apply.ts';
import { toFieldSet } from '../../../patch/apply/to-field-set.ts';
import { InvalidConfiguration, validateConfiguration } from '../../../patch/apply/validate-configuration.ts';

/** The field manager of `kubectl apply --server-side`. Client-side apply may have annotated the object before. */
export const clientSideApplyManager = 'kubectl';

/** The size limit of all annotations of an object. A larger configuration is not recorded. */
const maxLastAppliedBytes = 256 * 1024;

/** The conflicts that remain without the fields that the last-applied configuration set and nobody changed since. */
export function conflictsBeyondLastApplied(
  conflicts: readonly ManagerConflict[],
  schema: MergeSchema,
  live: JsonObject,
  annotation: string,
): readonly ManagerConflict[] {
  const lastAppliedFields = fieldsOfLastApplied(schema, live, annotation);
  return conflicts.flatMap(({ owner, fields }) => {
    const remaining = fields.difference(lastAppliedFields);
    return remaining.isEmpty ? [] : [{ owner, fields: remaining }];
  });
}

/** The fields whose live value is still the one in the last-applied configuration. Empty if that is unusable. */
function fieldsOfLastApplied(schema: MergeSchema, live: JsonObject, annotation: string): FieldSet {
  const lastApplied = readLastApplied(live, annotation);
  if (!lastApplied || lastApplied.apiVersion !== live.apiVersion || lastApplied.kind !== live.kind)
    return emptyFieldSet;
  try {
    validateConfiguration(schema, lastApplied);
    const { added, removed, modified } = compareObjects(schema, live, lastApplied, 'json');
    return toFieldSet(schema, lastApplied).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof InvalidConfiguration || error instanceof InvalidListElement) return emptyFieldSet;
    throw error;
  }
}

/** The configuration in the last-applied annotation; undefined where it is absent or no JSON object. */
function readLastApplied({ metadata }: JsonObject, annotation: string): JsonObject | undefined {
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  const text = isObject(annotations) ? annotations[annotation] : undefined;
  if (typeof text !== 'string') return undefined;
  try {
    const { value } = parseJson(Buffer.from(text));
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}

/** Updates an existing last-applied annotation, so that client-side apply keeps working on the object. */
export function updateLastApplied(object: ApiObject, configuration: JsonObject, annotation: string): void {
  const { annotations } = object.metadata;
  if (annotations?.[annotation] === undefined) return;
  const text = `${stringifyJson(withoutLastApplied(configuration, annotation))}\n`;
  annotations[annotation] = Buffer.byteLength(text) > maxLastAppliedBytes ? '' : text;
}

function withoutLastApplied(configuration: JsonObject, annotation: string): JsonValue {
  const sorted = withSortedKeys(configuration);
  const metadata = isObject(sorted) ? sorted.metadata : undefined;
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  if (isObject(annotations)) delete annotations[annotation];
  return sorted;
}

function withSortedKeys(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (!isObject(value)) return value;
  const sorted = nullPrototypeObject();
  for (const key of Object.keys(value).sort()) sorted[key] = withSortedKeys(value[key]!);
  return sorted;
}
