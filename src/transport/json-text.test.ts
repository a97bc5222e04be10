// JSON escaping and indentation.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { encodeJson, JsonIndenter } from './json-text.ts';

function indent(text: string, cut = text.length): string {
  const indenter = new JsonIndenter();
  const bytes = Buffer.from(text);
  return Buffer.concat([
    indenter.push(bytes.subarray(0, cut)),
    indenter.push(bytes.subarray(cut)),
  ]).toString();
}

test('encodeJson escapes HTML characters', () => {
  assert.equal(encodeJson({ a: '<b>&\u2028"' }), '{"a":"\\u003cb\\u003e\\u0026\\u2028\\""}');
});

test('JsonIndenter keeps big numbers, key order and escapes', () => {
  assert.equal(
    indent('{"2":9007199254740993,"1":"\\u003c\\"","e":{},"l":[ ],"n":[1,{"x":null}]}\n'),
    '{\n  "2": 9007199254740993,\n  "1": "\\u003c\\"",\n  "e": {},\n  "l": [],\n  "n": [\n    1,\n    {\n      "x": null\n    }\n  ]\n}',
  );
});

test('JsonIndenter formats like JSON.stringify with two spaces, however the text is split', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value);
      assert.equal(indent(text, cut % (text.length + 1)), JSON.stringify(JSON.parse(text), null, 2));
    }),
  );
});
