// Test fixture: random JSON of a schema type, for property tests.
import fc from 'fast-check';
import { ListType, MapType } from './collections.ts';
import { type Field, Struct } from './struct.ts';
import type { Type } from './type.ts';
import { UnionType } from './union.ts';

const wholeDepth = 2;
const fewFields = 6;

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 5 }) },
);

/** JSON that a client might send for a type. `around` has the enclosing structs: recursive types nest once. */
export function jsonOf(type: Type, around: readonly Type[] = []): fc.Arbitrary<unknown> {
  if (type instanceof ListType) return fc.array(jsonOf(type.element, around), { maxLength: 2 });
  if (type instanceof MapType) return fc.dictionary(text, jsonOf(type.element, around), { maxKeys: 2 });
  if (type instanceof UnionType) {
    return fc.oneof(...Object.values(type.alternatives).map((form) => jsonOf(form.type, around)));
  }
  if (type instanceof Struct) {
    if (around.filter((outer) => outer === type).length > 1) return fc.constant({});
    const fields = Object.entries(type.fields as Record<string, Field>);
    const inside = [...around, type];
    const record = (chosen: typeof fields) =>
      fc.record(Object.fromEntries(chosen.map(([name, field]) => [name, jsonOf(field.type, inside)])), {
        requiredKeys: [],
      });
    // A pod has hundreds of fields: deep structs get a few of theirs at a time.
    if (around.length < wholeDepth || fields.length <= fewFields) return record(fields);
    return fc.subarray(fields, { maxLength: fewFields }).chain(record);
  }
  switch (type.category) {
    case 'bool':
      return fc.boolean();
    case 'int32':
      return fc.integer();
    case 'int64':
      return fc.maxSafeInteger();
    case 'double':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'bytes':
      return fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'time':
      return fc.constantFrom(null, '2020-02-29T12:00:00Z', '2020-01-01T00:00:00+01:00');
    case 'microTime':
      return fc.constantFrom(null, '2020-02-29T12:00:00.000001Z', '2020-01-01T00:00:00.500000-05:00');
    case 'quantity':
      return fc.constantFrom('0', '1500m', '1.5', '1Gi', '1e3', 7, '0.0001');
    case 'raw':
      return fc.jsonValue({ maxDepth: 2 });
    default:
      return text;
  }
}
