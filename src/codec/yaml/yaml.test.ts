// Tests of YAML against results of the reference.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDocument } from 'yaml';
import { type JsonValue, RawNumber } from '../json/json-value.ts';
import { parseJson } from '../json/parse.ts';
import { stringifyJson } from '../json/stringify.ts';
import { decodeYaml } from './decode.ts';
import { encodeYaml } from './encode.ts';
import { YamlError } from './yaml-error.ts';

const testdata = (name: string) => readFileSync(new URL(`./testdata/${name}`, import.meta.url), 'utf8');

const wrap = (data: string) => `metadata: {name: cr}\nrevision: 1\ndata:\n${data}`;
const decodings: { yaml: string; json?: string; repeated?: string[]; error?: string }[] = JSON.parse(
  testdata('reference-decodings.json'),
);

for (const { yaml, json, repeated = [], error } of decodings) {
  test(`decodeYaml decodes as the reference does: ${JSON.stringify(yaml)}`, () => {
    const body = Buffer.from(wrap(yaml));
    if (error !== undefined) {
      assert.throws(() => decodeYaml(body), { constructor: YamlError, message: error });
      return;
    }
    const read = decodeYaml(body);
    assert.deepEqual(JSON.parse(stringifyJson((read.value as { data: JsonValue }).data)), JSON.parse(json!));
    assert.deepEqual(read.duplicateKeys, repeated);
  });
}

test('encodeYaml encodes unusual strings, keys and numbers as the reference does', () => {
  const object = parseJson(testdata('reference-object.json')).value;
  assert.equal(encodeYaml(object), testdata('reference-object.yaml'));
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

test('decodeYaml inverts encodeYaml', () => {
  fc.assert(
    fc.property(values, (value) => {
      const text = encodeYaml(value);
      assert.deepEqual(
        JSON.parse(stringifyJson(decodeYaml(Buffer.from(text)).value)),
        JSON.parse(stringifyJson(value)),
      );
    }),
    { numRuns: 500 },
  );
});

test('the yaml package parses the output of encodeYaml to the same value', () => {
  const words = fc.string({ unit: fc.constantFrom(...' \n-:#?,[]{}\'"|>&*!%@`ab1.~') });
  fc.assert(
    fc.property(fc.dictionary(words, fc.array(words)), (value) => {
      const text = encodeYaml(value as JsonValue);
      assert.deepEqual(
        parseDocument(text, { version: '1.1', schema: 'failsafe' }).toJS({ maxAliasCount: 0 }),
        { ...value },
      );
    }),
  );
});

test('decodeYaml returns a value or throws a YamlError for any text', () => {
  const fragments = fc.array(
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
        fragments.map((parts) => parts.join('')),
        fc.string({ unit: 'binary' }),
      ),
      (text) => {
        try {
          decodeYaml(Buffer.from(text));
        } catch (error) {
          assert.ok(error instanceof YamlError, String(error));
        }
      },
    ),
    { numRuns: 1000 },
  );
});

test('decodeYaml keeps integers beyond the safe integers exact', () => {
  const { value } = decodeYaml(Buffer.from('9223372036854775807'));
  assert.ok(value instanceof RawNumber);
  assert.equal(value.text, '9223372036854775807');
});

test('decodeYaml decodes __proto__ as an ordinary key', () => {
  const { value } = decodeYaml(Buffer.from('__proto__: {polluted: 1}\nconstructor: 1\n'));
  assert.deepEqual(Object.keys(value as object), ['__proto__', 'constructor']);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});
