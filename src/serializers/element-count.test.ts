// Tests of the element count of request bodies.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeYaml } from '../codec/yaml/decode.ts';
import { countElements } from './element-count.ts';

const inJson = (text: string) => countElements(Buffer.from(text), 'json');
const inYaml = (text: string) => countElements(Buffer.from(text), 'yaml');
const nodes = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, item) => sum + nodes(item), 1)
    : 1;

test('fields and items of JSON are counted, and characters of strings are not', () => {
  assert.equal(inJson('{"a":[1,2,3],"b":{}}'), 6);
  assert.equal(inJson(JSON.stringify({ a: ',,,[[{{'.repeat(1_000), b: '"\\",{\\' })), 2);
});

test('every element of YAML is counted, however its lines end', () => {
  for (const lineBreak of ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029']) {
    const text = `a:${lineBreak}${`- x${lineBreak}`.repeat(1_000)}`;
    assert.equal(nodes(decodeYaml(Buffer.from(text)).value), 1_002);
    assert.ok(inYaml(text) >= 1_000, JSON.stringify(lineBreak));
  }
  assert.ok(inYaml(`a: [${'x,'.repeat(1_000)}]`) >= 1_000);
});

test('elements of YAML that come from aliases are counted', () => {
  const text = `a: &a [${'x,'.repeat(1_000)}]\nb: [${'*a,'.repeat(90)}]\n`;
  assert.ok(inYaml(text) >= nodes(decodeYaml(Buffer.from(text)).value));
});

test('elements of CBOR and Protobuf are estimated by bytes', () => {
  for (const format of ['cbor', 'protobuf'] as const)
    assert.equal(countElements(Buffer.alloc(400), format), 100);
});
