import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Issues } from './environment.ts';
import { type JsonSchema, JsonSchemaReader } from './json-schema-types.ts';
import {
  type Cardinality,
  cardinalityWithin,
  costPerRule,
  overBudget,
  ruleCost,
  ruleSizes,
} from './rule-cost.ts';
import { variableFor } from './schema-types.ts';
import { environmentOf } from './versions.ts';

/** A schema with one rule somewhere in it, and what the reference (1.33) said when a custom kind was made of it. */
interface Verdict {
  readonly schema: JsonSchema;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}

const verdicts: readonly Verdict[] = JSON.parse(
  readFileSync(new URL('testdata/rule-costs.json', import.meta.url), 'utf8'),
);
const environment = environmentOf({ serviceName: 'kubernetes' });
const reader = new JsonSchemaReader('x-kubernetes-');
const rules = 'x-kubernetes-validations';

/** The place of the rule in a schema, and how often it may apply. */
function findRule(
  schema: JsonSchema,
  cardinality: Cardinality,
): [JsonSchema, string, Cardinality] | undefined {
  const own = schema[rules] as readonly { readonly rule: string }[] | undefined;
  if (own) return [schema, own[0]!.rule, cardinality];
  const within = cardinalityWithin(cardinality, schema);
  const more = schema.additionalProperties;
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof more === 'object' ? [more] : []),
  ];
  for (const child of inner) {
    const found = findRule(child, within);
    if (found) return found;
  }
  return undefined;
}

function problemOf(whole: JsonSchema): string | undefined {
  const [schema, rule, cardinality] = findRule(whole, 1)!;
  const self = reader.read(schema, 'selfType')!;
  const program = environment.extend({ self: variableFor(self), oldSelf: variableFor(self) }).compile(rule);
  assert.ok(!(program instanceof Issues), program instanceof Issues ? program.text : '');
  const cost = ruleCost(program.estimateCost(ruleSizes(self)).max, cardinality, self);
  return overBudget('estimated rule cost', cost, costPerRule);
}

test('a rule is too expensive for its schema where the reference says so, and by the same factor', (t) => {
  let refused = 0;
  for (const { schema, causes } of verdicts) {
    const theirs = causes
      ?.find(({ message }) => message.startsWith('Forbidden: estimated rule cost exceeds'))
      ?.message.replace('Forbidden: ', '');
    assert.equal(problemOf(schema), theirs, JSON.stringify(schema));
    if (theirs) refused++;
  }
  t.diagnostic(`${verdicts.length} rules, ${refused} refused`);
  assert.ok(verdicts.length >= 200);
});
