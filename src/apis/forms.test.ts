import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeCbor } from '../codec/cbor/decode.ts';
import { encodeCbor } from '../codec/cbor/encode.ts';
import type { JsonValue } from '../codec/json/json-value.ts';
import { parseJson } from '../codec/json/parse.ts';
import { decodeMessage } from '../codec/protobuf/decode.ts';
import { encodeMessage } from '../codec/protobuf/encode.ts';
import { decodeYaml } from '../codec/yaml/decode.ts';
import { encodeYaml } from '../codec/yaml/encode.ts';
import { orch } from '../dialect/index.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { ListType, MapType } from '../schema/collections.ts';
import { jsonOf } from '../schema/random-json.fixture.ts';
import { type Field, Struct } from '../schema/struct.ts';
import type { Type } from '../schema/type.ts';
import { UnionType } from '../schema/union.ts';
import { builtinKinds } from './index.ts';

/** The object without the kinds of the claims that a StatefulSet carries. */
function typeless<T extends ApiObject>(object: T): T {
  const { volumeClaimTemplates } = (object.spec ?? {}) as { volumeClaimTemplates?: ApiObject[] };
  for (const claim of volumeClaimTemplates ?? []) {
    claim.kind = '';
    claim.apiVersion = '';
  }
  return object;
}

/** What comes back from a form, as JSON text of the kind. */
const forms: Record<string, (schema: Struct<unknown>, json: JsonValue) => JsonValue> = {
  YAML: (_schema, json) => decodeYaml(Buffer.from(encodeYaml(json))).value,
  CBOR: (schema, json) => decodeCbor(encodeCbor(json, schema)),
};

for (const { schema, group, version, kind } of builtinKinds({ dialect: orch, features: everyFeature })) {
  const name = `${group || 'core'}/${version} ${kind}`;
  const objects = jsonOf(schema).map((json) => schema.decode(parseJson(JSON.stringify(json)).value).object);

  for (const [form, through] of Object.entries(forms)) {
    test(`what was written as ${form} reads as the same object: ${name}`, () => {
      fc.assert(
        fc.property(objects, (object) => {
          const text = schema.write(object);
          const back = through(schema as Struct<unknown>, parseJson(text).value);
          // Keys of what has no schema may come back in another order.
          assert.deepEqual(JSON.parse(schema.write(schema.decode(back).object)), JSON.parse(text));
        }),
        { numRuns: 6 },
      );
    });
  }

  test(`what was written as Protobuf reads as the same object: ${name}`, () => {
    fc.assert(
      fc.property(objects, (object) => {
        const message = encodeMessage(schema, object);
        const back = schema.decode(decodeMessage(schema, message)).object;
        assert.ok(encodeMessage(schema, back).equals(message));
        // What kind an object is stands around its message, and nothing of that is said of objects inside of others.
        const { apiVersion, kind: value } = object;
        assert.equal(schema.write({ ...back, apiVersion, kind: value }), schema.write(typeless(object)));
      }),
      { numRuns: 6 },
    );
  });
}

/** The structs that lie in a type, itself among them. */
function structsIn(type: Type, found = new Set<Struct<unknown>>()): Set<Struct<unknown>> {
  if (type instanceof ListType || type instanceof MapType) return structsIn(type.element, found);
  if (type instanceof UnionType) {
    for (const alternative of Object.values(type.alternatives)) structsIn(alternative.type, found);
  }
  if (!(type instanceof Struct) || found.has(type)) return found;
  found.add(type);
  for (const inner of Object.values(type.fields as Record<string, Field>)) structsIn(inner.type, found);
  return found;
}

const everyStruct = new Set<Struct<unknown>>();
for (const { schema } of builtinKinds({ dialect: orch, features: everyFeature })) {
  structsIn(schema, everyStruct);
}

for (const schema of everyStruct) {
  test(`a field that is no pointer upstream is absent where Protobuf or JSON holds its empty value: ${schema.fullName}`, () => {
    const sent = decodeMessage(schema, encodeMessage(schema, {}));
    for (const [name, { type, optional }] of Object.entries(schema.fields as Record<string, Field>)) {
      if ('isPlain' in type && !optional) sent[name] = type.zero() as JsonValue;
    }
    assert.deepEqual(schema.decode(sent).object, schema.decode(parseJson(schema.emptyJson).value).object);
  });
}
