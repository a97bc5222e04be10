// Tests of the lexer of label selectors.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LabelLexer } from './label-lexer.ts';

function tokensOf(text: string, context: 'value' | 'operator' = 'value'): string[] {
  const lexer = new LabelLexer(text);
  const tokens: string[] = [];
  for (let next = lexer.take(context); next.type !== 'end'; next = lexer.take(context)) {
    tokens.push(`${next.type} ${next.text}`);
  }
  return tokens;
}

test('symbols end identifiers, and the longest symbol is taken', () => {
  assert.deepEqual(tokensOf('a==b'), ['identifier a', '== ==', 'identifier b']);
  assert.deepEqual(tokensOf('!==='), ['!= !=', '== ==']);
  assert.deepEqual(tokensOf('=!<>,()'), ['= =', '! !', '< <', '> >', ', ,', '( (', ') )']);
});

test('white space separates tokens, and other characters do not', () => {
  assert.deepEqual(tokensOf(' a\t\r\nb '), ['identifier a', 'identifier b']);
  assert.deepEqual(tokensOf('ä\u00a0\u{1f600}'), ['identifier ä\u00a0\u{1f600}']);
});

test('in and notin are operators only where an operator can occur', () => {
  assert.deepEqual(tokensOf('in notin'), ['identifier in', 'identifier notin']);
  assert.deepEqual(tokensOf('in notin', 'operator'), ['in in', 'notin notin']);
  const lexer = new LabelLexer('in');
  assert.equal(lexer.peek('value').type, 'identifier');
  assert.equal(lexer.take('operator').type, 'in');
  assert.equal(lexer.take('operator').type, 'end');
});

test('a token that was peeked is not read again', () => {
  const lexer = new LabelLexer('key=value');
  assert.equal(lexer.peek('value'), lexer.take('value'));
  assert.equal(lexer.take('value'), new LabelLexer('=').take('value'), 'symbols share their tokens');
});
