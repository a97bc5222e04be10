// Tests of YAML against results of the reference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { type JsonValue, RawNumber } from '../json/json-value.ts';
import { parseJson } from '../json/parse.ts';
import { stringifyJson } from '../json/stringify.ts';
import { readYaml } from './read.ts';
import { writeYaml } from './write.ts';
import { YamlError } from './yaml-error.ts';

const recorded = (name: string) => readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8');

const frame = (data: string) => `metadata: {name: cr}\nrevision: 1\ndata:\n${data}`;
const readings: { yaml: string; json?: string; repeated?: string[]; error?: string }[] = JSON.parse(
  recorded('reference-readings.json'),
);

for (const { yaml, json, repeated = [], error } of readings) {
  test(`readYaml reads as the reference does: ${JSON.stringify(yaml)}`, () => {
    const body = Buffer.from(frame(yaml));
    if (error !== undefined) {
      assert.throws(() => readYaml(body), { constructor: YamlError, message: error });
      return;
    }
    const read = readYaml(body);
    assert.deepEqual(JSON.parse(stringifyJson((read.value as { data: JsonValue }).data)), JSON.parse(json!));
    assert.deepEqual(read.repeated, repeated);
  });
}

test('writeYaml writes unusual strings, keys and numbers as the reference does', () => {
  const object = parseJson(recorded('reference-object.json')).value;
  assert.equal(writeYaml(object), recorded('reference-object.yaml'));
});

const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom(...' \n\t-:#?,[]{}\'"|>&*!%@`ay01.~_\\') }),
);
const values = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    texts,
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(texts, tie('value'), { maxKeys: 4, noNullPrototype: false }),
  ),
})).value;

test('readYaml of what writeYaml wrote is the same value', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = writeYaml(value);
      assert.deepEqual(
        JSON.parse(stringifyJson(readYaml(Buffer.from(text)).value)),
        JSON.parse(stringifyJson(value)),
      );
    }),
    { numRuns: 500 },
  );
});

test('another library reads the same from what writeYaml wrote', () => {
  const words = fc.string({ unit: fc.constantFrom(...' \n-:#?,[]{}\'"|>&*!%@`ab1.~') });
  fc.assert(
    fc.property(fc.dictionary(words, fc.array(words)), (value) => {
      const text = writeYaml(value as JsonValue);
      assert.deepEqual(
        parseDocument(text, { version: '1.1', schema: 'failsafe' }).toJS({ maxAliasCount: 0 }),
        { ...value },
      );
    }),
  );
});

test('readYaml of any text gives a value or a YamlError, never anything else', () => {
  const pieces = fc.array(
    fc.constantFrom(
      '- ',
      'a: ',
      '? ',
      '[',
      ']',
      '{',
      '}',
      ',',
      '"',
      "'",
      '\n',
      '  ',
      '&a ',
      '*a',
      '|',
      '>',
      '#',
      '!!str ',
      '---',
      '<<: ',
      'x',
    ),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(
      fc.oneof(
        pieces.map((parts) => parts.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        try {
          readYaml(Buffer.from(text));
        } catch (error) {
          assert.ok(error instanceof YamlError, String(error));
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('readYaml keeps numbers beyond the safe integers', () => {
  const { value } = readYaml(Buffer.from('9223372036854775807'));
  assert.ok(value instanceof RawNumber);
  assert.equal(value.text, '9223372036854775807');
});

test('readYaml has no prototype for keys to reach', () => {
  const { value } = readYaml(Buffer.from('__proto__: {polluted: 1}\nconstructor: 1\n'));
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor']);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
