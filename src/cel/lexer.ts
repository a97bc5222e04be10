// CEL lexer.
import type { Issue } from './source.ts';

type TokenKind =
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'identifier'
  | 'escaped identifier'
  | 'symbol'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** The text of the token; for symbols and keywords also their kind. */
  readonly text: string;
  readonly offset: number;
}

const keywords = new Set(['true', 'false', 'null', 'in']);

const space = /[\t \r\n\f]+|\/\/[^\n]*/y;
const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const text = [
  '[rR]"""[^]*?"""',
  "[rR]'''[^]*?'''",
  String.raw`"""(?:${escapeSequence}|[^\\])*?"""`,
  String.raw`'''(?:${escapeSequence}|[^\\])*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"(?:${escapeSequence}|[^\\"\n\r])*"`,
  String.raw`'(?:${escapeSequence}|[^\\'\n\r])*'`,
].join('|');
const literalString = new RegExp(`(?:${text})`, 'y');
const literalBytes = new RegExp(`[bB](?:${text})`, 'y');
const float = /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const uint = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y;
const int = /0x[0-9a-fA-F]+|[0-9]+/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_./ -]+`/y;
const symbol = /==|!=|<=|>=|&&|\|\||[<>[\](){}.,\-!?:+*/%]/y;

/** The longest match wins, and of equally long ones the first. */
const shapes: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', literalBytes],
  ['string', literalString],
  ['float', float],
  ['uint', uint],
  ['int', int],
  ['identifier', identifier],
  ['escaped identifier', escapedIdentifier],
  ['symbol', symbol],
];

/** Splits an expression into tokens. Unknown characters are reported and skipped. */
export function tokenize(source: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < source.length) {
    const blank = matchAt(space, source, at);
    if (blank > 0) {
      at += blank;
      continue;
    }
    const token = tokenAt(source, at);
    if (token) {
      tokens.push(token);
      at += token.text.length;
    } else {
      const stray = strayAt(source, at);
      issues.push({ message: `Syntax error: token recognition error at: '${stray}'`, offset: at });
      at += stray.length;
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: source.length });
  return tokens;
}

function tokenAt(source: string, at: number): Token | undefined {
  let best: Token | undefined;
  for (const [kind, shape] of shapes) {
    const length = matchAt(shape, source, at);
    if (length > (best?.text.length ?? 0)) {
      best = { kind, text: source.slice(at, at + length), offset: at };
    }
  }
  if (best?.kind === 'identifier' && keywords.has(best.text)) return { ...best, kind: 'symbol' };
  return best;
}

function matchAt(shape: RegExp, source: string, at: number): number {
  shape.lastIndex = at;
  return shape.test(source) ? shape.lastIndex - at : 0;
}

/** An unknown token as ANTLR delimits it: an unterminated string up to the error, or one character and a space. */
function strayAt(source: string, at: number): string {
  const first = String.fromCodePoint(source.codePointAt(at)!);
  const quoted =
    /[bB]?["'](?:\\[abfnrtv"'\\?`]|\\[0-3][0-7][0-7]|\\[xX][0-9a-fA-F]{2}|[^\\\n\r"'])*(?:\\[xX]?[0-9a-fA-F]?.?|[\n\r])?/y;
  if (first === '"' || first === "'") {
    const length = matchAt(quoted, source, at);
    if (length > 1) return source.slice(at, at + length);
  }
  if ((first === '|' || first === '&' || first === '=') && source[at + 1] !== undefined) {
    return source.slice(at, at + 2);
  }
  return first;
}
