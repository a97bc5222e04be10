// CEL lexer: splits an expression into tokens.
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
  /** The source text of the token, whatever its kind. */
  readonly text: string;
  readonly offset: number;
}

const keywords = new Set(['true', 'false', 'null', 'in']);

const whitespaceOrComment = /[\t \r\n\f]+|\/\/[^\n]*/y;
const escapeSequence = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
const quotedLiterals = [
  '[rR]"""[^]*?"""',
  "[rR]'''[^]*?'''",
  String.raw`"""(?:${escapeSequence}|[^\\])*?"""`,
  String.raw`'''(?:${escapeSequence}|[^\\])*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"(?:${escapeSequence}|[^\\"\n\r])*"`,
  String.raw`'(?:${escapeSequence}|[^\\'\n\r])*'`,
].join('|');
const literalString = new RegExp(`(?:${quotedLiterals})`, 'y');
const literalBytes = new RegExp(`[bB](?:${quotedLiterals})`, 'y');
const float = /(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)/y;
const uint = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y;
const int = /0x[0-9a-fA-F]+|[0-9]+/y;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
const escapedIdentifier = /`[A-Za-z0-9_./ -]+`/y;
const symbol = /==|!=|<=|>=|&&|\|\||[<>[\](){}.,\-!?:+*/%]/y;

/** The longest match wins; of equally long matches the first one. */
const tokenPatterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', literalBytes],
  ['string', literalString],
  ['float', float],
  ['uint', uint],
  ['int', int],
  ['identifier', identifier],
  ['escaped identifier', escapedIdentifier],
  ['symbol', symbol],
];

/** Reports and skips unknown characters. */
export function tokenize(source: string, issues: Issue[]): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  while (offset < source.length) {
    const skippedLength = matchLength(whitespaceOrComment, source, offset);
    if (skippedLength > 0) {
      offset += skippedLength;
      continue;
    }
    const token = tokenAt(source, offset);
    if (token) {
      tokens.push(token);
      offset += token.text.length;
    } else {
      const unrecognized = unrecognizedAt(source, offset);
      issues.push({ message: `Syntax error: token recognition error at: '${unrecognized}'`, offset });
      offset += unrecognized.length;
    }
  }
  tokens.push({ kind: 'end', text: '<EOF>', offset: source.length });
  return tokens;
}

function tokenAt(source: string, offset: number): Token | undefined {
  let longest: Token | undefined;
  for (const [kind, pattern] of tokenPatterns) {
    const length = matchLength(pattern, source, offset);
    if (length > (longest?.text.length ?? 0)) {
      longest = { kind, text: source.slice(offset, offset + length), offset };
    }
  }
  if (longest?.kind === 'identifier' && keywords.has(longest.text)) return { ...longest, kind: 'symbol' };
  return longest;
}

function matchLength(pattern: RegExp, source: string, offset: number): number {
  pattern.lastIndex = offset;
  return pattern.test(source) ? pattern.lastIndex - offset : 0;
}

/**
 * The text of an unknown token as ANTLR delimits it: an unterminated string up to the error, or one or two
 * characters.
 */
function unrecognizedAt(source: string, offset: number): string {
  const first = String.fromCodePoint(source.codePointAt(offset)!);
  const quoted =
    /[bB]?["'](?:\\[abfnrtv"'\\?`]|\\[0-3][0-7][0-7]|\\[xX][0-9a-fA-F]{2}|[^\\\n\r"'])*(?:\\[xX]?[0-9a-fA-F]?.?|[\n\r])?/y;
  if (first === '"' || first === "'") {
    const length = matchLength(quoted, source, offset);
    if (length > 1) return source.slice(offset, offset + length);
  }
  if ((first === '|' || first === '&' || first === '=') && source[offset + 1] !== undefined) {
    return source.slice(offset, offset + 2);
  }
  return first;
}
