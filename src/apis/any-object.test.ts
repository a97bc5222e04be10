import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../codec/json/parse.ts';
import { orch } from '../dialect/index.ts';
import { everyFeature } from '../kind/features/everything.fixture.ts';
import { jsonOf } from '../schema/random-json.fixture.ts';
import { builtinKinds } from './index.ts';
import { tryCreateLoaded, tryUpdateLoaded } from './try-rules.ts';

for (const definition of builtinKinds({ dialect: orch, features: everyFeature })) {
  const { group, version, kind, schema, subresources } = definition;
  test(`the rules have an answer to any object that can be read: ${group || 'core'}/${version} ${kind}`, async () => {
    const json = jsonOf(schema).map((value) => parseJson(JSON.stringify(value)).value);
    await fc.assert(
      fc.asyncProperty(json, json, async (a, b) => {
        assert.ok(Array.isArray((await tryCreateLoaded(definition, a)).problems));
        assert.ok(Array.isArray((await tryUpdateLoaded(definition, a, b)).problems));
        for (const [name, { rules }] of Object.entries(subresources)) {
          if (rules) assert.ok(Array.isArray((await tryUpdateLoaded(definition, a, b, name)).problems));
        }
      }),
      { numRuns: 20 },
    );
  });
}
