import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../codec/json/parse.ts';
import { orch } from '../../dialect/index.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ResourceDefinition } from '../../kind/definition.ts';
import { everyFeature } from '../../kind/features/everything.fixture.ts';
import { jsonOf } from '../../schema/random-json.fixture.ts';
import { builtinKinds } from '../index.ts';

const kinds = builtinKinds({ dialect: orch, features: everyFeature }).filter(
  ({ group }) => group === 'resource',
);

/** What a client might send, as it is when the rules look at it. */
function random({ schema }: ResourceDefinition): fc.Arbitrary<ApiObject> {
  return jsonOf(schema).map((json) => {
    const { object } = schema.decode(parseJson(JSON.stringify(json)).value);
    schema.applyDefaults?.(object);
    refuseEmptyPlace(object);
    return object;
  });
}

/** Only v1beta2 tells an empty name of a node, or a false, from nothing; its rules refuse both. */
function refuseEmptyPlace({ spec }: ApiObject): void {
  const place = (spec ?? {}) as { nodeName?: string; allNodes?: boolean };
  if (place.nodeName === '') delete place.nodeName;
  if (place.allNodes === false) delete place.allNodes;
}

for (const definition of kinds) {
  const { conversion, schema, version, plural } = definition;
  if (!conversion) continue;
  const stored = kinds.find((other) => other.plural === plural && !other.conversion)!;

  test(`${plural}: ${version} is stored as ${stored.version} and comes back as it was`, () => {
    fc.assert(
      fc.property(random(definition), (object) => {
        const oldValue = schema.write(object);
        assert.equal(schema.write(conversion.fromStored(conversion.toStored(object))), oldValue);
      }),
    );
  });

  test(`${plural}: what is stored is shown in ${version} without loss`, () => {
    fc.assert(
      fc.property(random(stored), (object) => {
        const oldValue = stored.schema.write(object);
        assert.equal(stored.schema.write(conversion.toStored(conversion.fromStored(object))), oldValue);
      }),
    );
  });
}

test('every kind is stored in v1beta1, but for the one that v1alpha3 alone has', () => {
  const storedIn = (definition: ResourceDefinition) =>
    definition.conversion?.storedVersion.version ?? definition.version;
  for (const kind of kinds) {
    assert.equal(storedIn(kind), kind.plural === 'devicetaintrules' ? 'v1alpha3' : 'v1beta1');
  }
});
