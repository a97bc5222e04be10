import { isObject, type JsonObject, type JsonValue, userKeyed } from '../../../codec/json/json-value.ts';
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

/** Whoever applies under this name may have applied before by a patch of its own making, which left a note on the object. */
export const clientThatLeavesNotes = 'kubectl';

/** As much as all annotations of an object may hold. */
const longestNote = 256 * 1024;

/** The conflicts that are left when what the client set itself in former times is not one. */
export function conflictsBeyondNote(
  conflicts: readonly ManagerConflict[],
  shape: MergeSchema,
  live: JsonObject,
  annotation: string,
): readonly ManagerConflict[] {
  const own = fieldsOfNote(shape, live, annotation);
  return conflicts.flatMap(({ owner, fields }) => {
    const left = fields.difference(own);
    return left.isEmpty ? [] : [{ owner, fields: left }];
  });
}

/** The fields in the note that are still as the note says. */
function fieldsOfNote(shape: MergeSchema, live: JsonObject, annotation: string): FieldSet {
  const note = noteOn(live, annotation);
  if (!note || note.apiVersion !== live.apiVersion || note.kind !== live.kind) return emptyFieldSet;
  try {
    validateConfiguration(shape, note);
    const { added, removed, modified } = compareObjects(shape, live, note, 'json');
    return toFieldSet(shape, note).difference(modified).difference(added).difference(removed);
  } catch (error) {
    if (error instanceof InvalidConfiguration || error instanceof InvalidListElement) return emptyFieldSet;
    throw error;
  }
}

function noteOn({ metadata }: JsonObject, annotation: string): JsonObject | undefined {
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

/** Keeps the note on an object in step with what is applied, for clients that still go by it. */
export function keepNote(object: ApiObject, intent: JsonObject, annotation: string): void {
  const { annotations } = object.metadata;
  if (annotations?.[annotation] === undefined) return;
  const text = `${stringifyJson(withoutNote(intent, annotation))}\n`;
  annotations[annotation] = Buffer.byteLength(text) > longestNote ? '' : text;
}

function withoutNote(intent: JsonObject, annotation: string): JsonValue {
  const sorted = inOrder(intent);
  const metadata = isObject(sorted) ? sorted.metadata : undefined;
  const annotations = isObject(metadata) ? metadata.annotations : undefined;
  if (isObject(annotations)) delete annotations[annotation];
  return sorted;
}

function inOrder(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const sorted = userKeyed();
  for (const key of Object.keys(value).sort()) sorted[key] = inOrder(value[key]!);
  return sorted;
}
