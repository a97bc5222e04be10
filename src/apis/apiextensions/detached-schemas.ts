// CustomResourceDefinition storage: takes the schemas out of a definition's stored JSON and leaves placeholders, so
// that they can be stored separately (Bulk: the large parts of an object that few readers need).
import { endOfContainer } from '../../codec/json/parse.ts';
import type { Bulk } from '../../kind/storage/bulk.ts';

const key = '"openAPIV3Schema":';

/** The placeholder for a schema: no client can write such a schema. */
const placeholder = (index: number) => `{"id":"${index}"}`;

/** Schemas are most of a definition's size. */
export const detachedSchemas: Bulk = {
  takeOut(json) {
    // latin1 maps each byte to one character, so that text offsets are byte offsets.
    const text = json.toString('latin1');
    const chunks: Buffer[] = [];
    const parts: Buffer[] = [];
    let from = 0;
    for (let start = indexOfNextSchema(text, 0); start >= 0; start = indexOfNextSchema(text, from)) {
      const end = endOfContainer(text, start);
      chunks.push(json.subarray(from, start), Buffer.from(placeholder(parts.length)));
      parts.push(json.subarray(start, end));
      from = end;
    }
    return { jsonWithPlaceholders: Buffer.concat([...chunks, json.subarray(from)]), parts };
  },

  putBack({ jsonWithPlaceholders, parts }) {
    const chunks: Buffer[] = [];
    let from = 0;
    parts.forEach((part, index) => {
      const start = jsonWithPlaceholders.indexOf(`${key}${placeholder(index)}`, from);
      if (start < 0) throw new Error('the placeholder of a schema is missing');
      chunks.push(jsonWithPlaceholders.subarray(from, start + key.length), part);
      from = start + key.length + placeholder(index).length;
    });
    return Buffer.concat([...chunks, jsonWithPlaceholders.subarray(from)]);
  },
};

/** The offset of the next schema, or -1. The key inside a JSON string has escaped quotes and does not match. */
function indexOfNextSchema(text: string, from: number): number {
  const start = text.indexOf(`${key}{`, from);
  return start < 0 ? start : start + key.length;
}
