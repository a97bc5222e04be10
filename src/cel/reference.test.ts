import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Issues } from './environment.ts';
import { type CelJsonSchema, JsonSchemaReader } from './json-schema-types.ts';
import type { Program } from './program.ts';
import { show } from './reference-format.fixture.ts';
import { schemaSizeHints, variableFor } from './schema-types.ts';
import { formatType, parseType } from './types.ts';
import { createEnvironment } from './versions.ts';

/** What the reference's libraries (release 1.33) said to an expression: its issues, or type, cost estimate, result and actual cost. */
interface Answer {
  readonly expr: string;
  readonly errors?: string;
  readonly type?: string;
  readonly min?: number;
  readonly max?: number;
  readonly result?: string;
  readonly error?: string;
  readonly actual?: number;
}

const recorded: {
  readonly variables: Readonly<Record<string, string>>;
  readonly self: CelJsonSchema;
  readonly data: Readonly<Record<string, unknown>>;
  readonly answers: readonly Answer[];
} = JSON.parse(readFileSync(new URL('testdata/reference.json', import.meta.url), 'utf8'));

const self = new JsonSchemaReader('x-kubernetes-').schemaType(recorded.self, 'selfType')!;
const environment = createEnvironment({ serviceName: 'kubernetes' }).extend({
  self: variableFor(self),
  ...Object.fromEntries(
    Object.entries(recorded.variables).map(([name, type]) => [name, { type: parseType(type) }]),
  ),
});

/** Where we differ, and why. */
const differences: Readonly<Record<string, string>> = {
  '?': 'after a syntax error the reference goes on guessing; we stop at the first',
  '!': 'a case of error recovery in the reference',
  'm.transformList(k, v, v)': 'maps have no order in Go; here they have that of their keys',
  'x.o.sum()': 'a message for values whose types are only found out while running',
  "s.find('(')": 'the reference compiles the pattern before it evaluates, and says so in other words',
};

/** A constant that cannot be converted is found when the program is made, by both. */
const instantiation = 'PROGRAM ';

const programs = recorded.answers.map((answer) => [answer, environment.compile(answer.expr)] as const);

/** Answers to expressions that both take for right. */
const evaluated = programs.filter(
  (pair): pair is readonly [Answer, Program] =>
    !(pair[1] instanceof Issues) && pair[0].errors === undefined && !(pair[0].expr in differences),
);

test('compile errors equal those of the reference', () => {
  let compared = 0;
  for (const [answer, program] of programs) {
    if (answer.expr in differences) continue;
    const ours = program instanceof Issues ? program.text : undefined;
    const theirs = answer.error?.startsWith(instantiation)
      ? answer.error.replace(instantiation, 'program instantiation failed: ')
      : answer.errors;
    assert.equal(ours, theirs, answer.expr);
    if (theirs !== undefined) compared++;
  }
  assert.ok(compared >= 60, `${compared} were wrong`);
});

test('inferred types equal those of the reference', () => {
  for (const [answer, program] of evaluated) {
    if (answer.type!.includes('selfType')) continue;
    const type = formatType(program.type)
      .replace(/\btimestamp\b/, 'google.protobuf.Timestamp')
      .replace(/\bduration\b/, 'google.protobuf.Duration')
      .replaceAll('service.', 'kubernetes.');
    assert.equal(type, answer.type, answer.expr);
  }
});

test('estimated costs equal those of the reference', () => {
  for (const [answer, program] of evaluated) {
    const { min, max } = program.estimateCost(schemaSizeHints({ self }));
    const isSame = (one: number, other: number) => Math.abs(one - other) <= other * 1e-9;
    assert.ok(isSame(min, answer.min!) && isSame(max, answer.max!), `${answer.expr}: ${min} to ${max}`);
  }
});

test('results and errors equal those of the reference', () => {
  for (const [answer, program] of evaluated) {
    const ours = program.evaluate(recorded.data);
    if ('problem' in ours) assert.equal(ours.problem, answer.error, answer.expr);
    else if (!/^(?:kubernetes|net)\b/.test(answer.result ?? '')) {
      assert.equal(show(ours.value), answer.result, answer.expr);
    }
  }
});

test('runtime costs equal those of the reference unless evaluation fails', () => {
  for (const [answer, program] of evaluated) {
    const ours = program.evaluate(recorded.data);
    if ('value' in ours) assert.equal(ours.cost, answer.actual, answer.expr);
  }
});

test('the listed differences from the reference still exist', () => {
  for (const [answer, program] of programs) {
    if (!(answer.expr in differences)) continue;
    const ours = program instanceof Issues ? program.text : program.evaluate(recorded.data);
    const said = typeof ours === 'string' ? ours : 'problem' in ours ? ours.problem : show(ours.value);
    assert.notEqual(said, answer.errors ?? answer.error ?? answer.result, answer.expr);
  }
});
