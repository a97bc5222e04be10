import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../codec/json/parse.ts';
import { orch } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { decodeCanonical } from '../schema/decode-canonical.ts';
import { holdsFreeJson } from '../schema/free-json.ts';
import { jsonOf } from '../schema/random-json.fixture.ts';
import { builtinKinds } from './index.ts';

for (const { schema, group, version, kind } of builtinKinds({ dialect: orch, features: everyFeature })) {
  test(`reading what was written gives the same bytes: ${group || 'core'}/${version} ${kind}`, () => {
    fc.assert(
      fc.property(jsonOf(schema), (json) => {
        const first = schema.decode(parseJson(JSON.stringify(json)).value).object;
        const encoded = schema.encode(first);
        const second = schema.decode(parseJson(encoded.json).value);
        assert.deepEqual(second.findings, []);
        assert.deepEqual(schema.encode(second.object), encoded);
        assert.deepEqual(
          schema.write(schema.decode(parseJson(schema.write(first)).value).object),
          schema.write(first),
        );
      }),
      { numRuns: 40 },
    );
  });
}

for (const { schema, group, version, kind } of builtinKinds({ dialect: orch, features: everyFeature })) {
  test(`what is stored is adopted as it would be read: ${group || 'core'}/${version} ${kind}`, () => {
    fc.assert(
      fc.property(jsonOf(schema), (json) => {
        const written = schema.write(schema.decode(parseJson(JSON.stringify(json)).value).object);
        const adopted = decodeCanonical(schema, written);
        if (adopted === undefined) assert.ok(holdsFreeJson(schema) || mayBeLost.test(written), written);
        else
          assert.deepEqual(
            adopted,
            schema.decode(parseJson(written, { unparsedKey: 'fieldsV1' }).value).object,
          );
      }),
      { numRuns: 25 },
    );
  });
}

/** A long number, a key that is no ordinary one, or owned fields that are not said as a set or not of the object itself. */
const mayBeLost = /\d{16}|__proto__|"fieldsV1"/;

test('the two versions of Event turn into each other without loss', () => {
  const definition = builtinKinds({ dialect: orch, features: everyFeature }).find(
    ({ group }) => group === 'events',
  )!;
  const { schema, conversion } = definition;
  fc.assert(
    fc.property(jsonOf(schema), (json) => {
      const event = schema.decode(parseJson(JSON.stringify(json)).value).object;
      const back = conversion!.fromStored(conversion!.toStored(event));
      assert.equal(schema.write(back), schema.write(event));
    }),
  );
});
