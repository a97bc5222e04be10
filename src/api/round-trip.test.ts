import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../codec/json/parse.ts';
import { orch } from '../dialect/index.ts';
import { everyFeature } from '../features/everything.fixture.ts';
import { builtinKinds } from './index.ts';
import { jsonOf } from './random-json.fixture.ts';

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
