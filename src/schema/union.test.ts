import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeMessage } from '../codec/protobuf/decode.ts';
import { encodeMessage } from '../codec/protobuf/encode.ts';
import { list, mapOf } from './collections.ts';
import { bool, string } from './scalars.ts';
import { field, optional, recursive } from './struct.ts';
import { union } from './union.ts';

interface Node {
  name?: string;
  next?: Node;
  children?: Record<string, Node>;
  either?: boolean | Node;
  listed?: Node | Node[];
}

const Node = recursive<Node>('test/v1.Node', (self) => ({
  name: field(1, string),
  next: field(2, optional(self)),
  children: field(3, mapOf(self)),
  either: field(
    4,
    optional(
      union(
        'test/v1.NodeOrBool',
        { allows: { number: 1, type: bool, beside: true }, node: { number: 2, type: self } },
        { mismatchError: 'boolean or node expected' },
      ),
    ),
  ),
  listed: field(
    5,
    optional(
      union('test/v1.NodeOrNodes', {
        node: { number: 1, type: self },
        nodes: { number: 2, type: list(self) },
      }),
    ),
  ),
}));

const reread = (json: Parameters<typeof Node.decode>[0]) => {
  const { object, findings } = Node.decode(json);
  return { json: JSON.parse(Node.write(object)), findings };
};

test('a struct may be recursive, as a field, in a map and in a union', () => {
  const tree = {
    name: 'a',
    next: { next: { name: 'b' } },
    children: { c: { children: { d: {} } } },
    either: { either: { either: false } },
    listed: [{ name: 'e', listed: { name: 'f' } }],
  };
  assert.deepEqual(reread(tree), { json: tree, findings: [] });
});

test('a union accepts one of its types, and rejects or ignores other values', () => {
  assert.deepEqual(reread({ either: true }).json, { either: true });
  assert.deepEqual(reread({ listed: [] }).json, {});
  assert.deepEqual(reread({ listed: 'text' }).json, {});
  assert.throws(() => Node.decode({ either: 'text' }), { message: 'boolean or node expected' });
  assert.throws(() => Node.decode({ either: [] }), { message: 'boolean or node expected' });
});

test('unknown fields are found in recursive structs, but not inside a union', () => {
  const { findings } = reread({ x: 1, next: { y: 2 }, either: { z: 3 } });
  assert.deepEqual(findings, ['unknown field "x"', 'unknown field "next.y"']);
});

test('an invalid value inside a union is reported for the union', () => {
  assert.throws(() => Node.decode({ next: { either: { next: { name: 1 } } } }), {
    message: 'json: cannot unmarshal number into Go struct field Node.next.either of type string',
  });
});

test('nesting is limited', () => {
  let deep: Record<string, unknown> = {};
  for (let i = 0; i < 400; i++) deep = { next: deep };
  const fits = Node.decode(deep as Parameters<typeof Node.decode>[0]);
  assert.equal(JSON.stringify(deep), Node.write(fits.object));
  for (let i = 0; i < 9000; i++) deep = { next: deep };
  assert.throws(() => Node.decode(deep as Parameters<typeof Node.decode>[0]), /nested too deeply/);
});

test('a union is a Protobuf message with a field for each type', () => {
  const again = (json: Parameters<typeof Node.decode>[0]) => {
    const { object } = Node.decode(json);
    return JSON.parse(Node.write(Node.decode(decodeMessage(Node, encodeMessage(Node, object))).object));
  };
  for (const json of [
    { either: true },
    { either: false },
    { either: { name: 'a' } },
    { listed: { name: 'a' } },
    { listed: [{ name: 'a' }, {}] },
  ]) {
    assert.deepEqual(again(json), json);
  }
});
