import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Issues } from './environment.ts';
import { type CelJsonSchema, JsonSchemaReader } from './json-schema-types.ts';
import {
  type Cardinality,
  costLimitError,
  costPerRule,
  innerCardinality,
  ruleCost,
  ruleSizes,
} from './rule-cost.ts';
import { variableFor } from './schema-types.ts';
import { createEnvironment } from './versions.ts';

/** A schema with one rule somewhere in it, and what the reference (1.33) said when a custom kind was made of it. */
interface Verdict {
  readonly schema: CelJsonSchema;
  readonly causes?: readonly { readonly field: string; readonly message: string }[];
}

const verdicts: readonly Verdict[] = JSON.parse(
  readFileSync(new URL('testdata/rule-costs.json', import.meta.url), 'utf8'),
);
const environment = createEnvironment({ serviceName: 'kubernetes' });
const reader = new JsonSchemaReader('x-kubernetes-');
const rules = 'x-kubernetes-validations';

/** The place of the rule in a schema, and how often it may apply. */
function findRule(
  schema: CelJsonSchema,
  cardinality: Cardinality,
): [CelJsonSchema, string, Cardinality] | undefined {
  const own = schema[rules] as readonly { readonly rule: string }[] | undefined;
  if (own) return [schema, own[0]!.rule, cardinality];
  const within = innerCardinality(cardinality, schema);
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

function problemOf(whole: CelJsonSchema): string | undefined {
  const [schema, rule, cardinality] = findRule(whole, 1)!;
  const self = reader.schemaType(schema, 'selfType')!;
  const program = environment.extend({ self: variableFor(self), oldSelf: variableFor(self) }).compile(rule);
  assert.ok(!(program instanceof Issues), program instanceof Issues ? program.text : '');
  const cost = ruleCost(program.estimateCost(ruleSizes(self)).max, cardinality, self);
  return costLimitError('estimated rule cost', cost, costPerRule);
}

test('a rule exceeds the cost limit of its schema as in the reference, by the same factor', (t) => {
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
