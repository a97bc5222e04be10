import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pemBlocks, toPem } from './pem.ts';

const block = (content = 'YWJj\n', type = 'A') =>
  `-----BEGIN ${type}-----\n${content}-----END ${type}-----\n`;
const types = (text: string) => pemBlocks(text).map(({ type }) => type);

it('ignores text around blocks', () => {
  assert.deepEqual(types(`hello\n${block()}between\n${block('YWJj\n', 'B')}end`), ['A', 'B']);
});

it('ignores a BEGIN line that is not at the start of a line', () => {
  assert.deepEqual(types(`x${block()}`), []);
});

it('ignores malformed blocks and parses the next', () => {
  for (const damaged of [
    '-----BEGIN A-----\nYWJj\n-----END B-----\n',
    '-----BEGIN A-----\nYWJ\n-----END A-----\n',
    '-----BEGIN A-----\nYWJj\n-----END A----- x\n',
    '-----BEGIN A-----\nYWJj-----END A-----\n',
    '-----BEGIN A----\nYWJj\n-----END A----\n',
    '-----BEGIN A-----\n',
  ]) {
    assert.deepEqual(types(`${damaged}${block('YWJj\n', 'B')}`), ['B'], damaged);
  }
});

it('distinguishes headers from data', () => {
  const [found] = pemBlocks(block('Proc-Type: 4,ENCRYPTED\n\nYWJj\n'));
  assert.deepEqual(found, { type: 'A', hasHeaders: true, data: Buffer.from('abc') });
});

it('parses the output of toPem', () => {
  const data = Buffer.alloc(100, 7);
  assert.deepEqual(pemBlocks(toPem('X', data)), [{ type: 'X', hasHeaders: false, data }]);
});
