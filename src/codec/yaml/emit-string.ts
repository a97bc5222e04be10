// YAML emitter: chooses the style of a string as go-yaml does, and emits it.
import { resolvesToItself } from './resolve.ts';

/** The emitter folds lines at the first space after this column. */
const foldColumn = 80;

interface AllowedStyles {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly block: boolean;
}

/** Fast path: text without indicators, which needs quotes only if it resolves to another type. */
const commonPlainText = /^[A-Za-z0-9_./-]+$/;

/**
 * Emits a plain scalar if that is unambiguous, a literal block scalar for several lines, otherwise a quoted scalar.
 * The text begins at `column`, and its continuation lines are indented by `indent`.
 */
export function emitString(text: string, column: number, indent: number): string {
  return emit(text, column, indent, false);
}

/** Like emitString, for the key of a mapping: it stays on one line. */
export function emitKey(text: string, column: number, indent: number): string {
  return emit(text, column, indent, true);
}

function emit(text: string, column: number, indent: number, isKey: boolean): string {
  const isCommonPlain =
    commonPlainText.test(text) &&
    text.length < foldColumn - column &&
    resolvesToItself(text) &&
    !startsDocument(text) &&
    text[0] !== '-';
  if (isCommonPlain) return text;
  // A plain `<<` would be a merge key.
  if (isKey && text === '<<') return '"<<"';
  const styles = allowedStyles(text);
  if (text.includes('\n') && !isKey) {
    return styles.block ? emitLiteralBlock(text, indent) : emitDoubleQuoted(text, column, indent, isKey);
  }
  if (!resolvesToItself(text) || text.includes('\n')) return emitDoubleQuoted(text, column, indent, isKey);
  if (styles.plain && !(isKey && text === '')) return isKey ? text : foldLines(text, column, indent, '');
  if (styles.singleQuoted) {
    const content = text.replaceAll("'", "''");
    return `'${isKey ? content : foldLines(content, column + 1, indent, "'")}'`;
  }
  return emitDoubleQuoted(text, column, indent, isKey);
}

const startsDocument = (text: string) => text.startsWith('---') || text.startsWith('...');

const leadingIndicators = /^[#,[\]{}&*!|>'"%@`]/;
/** `?`, `:` and `-` are indicators before a space, `#` after one. */
const innerIndicators = /^[?:-](?:[ \t]|$)|:(?:[ \t]|$)|[ \t\n]#/;

function allowedStyles(text: string): AllowedStyles {
  const needsDoubleQuotes = unprintable.test(text) || text.includes(' \n');
  const hasBreaks = text.includes('\n');
  const hasSpaceAfterBreak = text.includes('\n ');
  const hasOuterSpace = /^[ \n]|[ \n]$/.test(text);
  const hasIndicators = leadingIndicators.test(text) || innerIndicators.test(text) || startsDocument(text);
  return {
    plain: !(needsDoubleQuotes || hasBreaks || hasOuterSpace || hasIndicators),
    singleQuoted: !(needsDoubleQuotes || hasSpaceAfterBreak),
    block: !(needsDoubleQuotes || text.endsWith(' ')),
  };
}

/**
 * Characters that need escaping. go-yaml escapes characters beyond the basic multilingual plane too. Parsers would
 * normalize line and paragraph separators to line feeds.
 */
const unprintable = /[^\n\u0020-\u007e\u00a0-\ufefe\uff00-\ufffd]|[\ud800-\udfff\u2028\u2029]/;

/** Folds long lines at single spaces. `quote` is the quote around the text; '' for a plain scalar. */
function foldLines(text: string, column: number, indent: number, quote: string): string {
  if (column + text.length <= foldColumn || !text.includes(' ')) return text;
  let result = '';
  let currentColumn = column;
  const characters = [...text];
  let followsSpace = false;
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    const isNextToQuote = quote !== '' && (i === 0 || i === characters.length - 1);
    const isSingleSpace = character === ' ' && !followsSpace && characters[i + 1] !== ' ';
    if (isSingleSpace && currentColumn > foldColumn && !isNextToQuote) {
      result += `\n${' '.repeat(indent)}`;
      currentColumn = indent;
      followsSpace = true;
      continue;
    }
    result += character;
    currentColumn++;
    followsSpace = character === ' ';
  }
  return result;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

const needsEscape = /[^\u0020-\u007e\u00a0-\ufefe\uff00-\ufffd]|["\\\u2028\u2029]|[\ud800-\udfff]/u;

function emitDoubleQuoted(text: string, column: number, indent: number, isKey: boolean): string {
  let result = '"';
  let currentColumn = column + 1;
  let followsSpace = false;
  const characters = [...text];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (needsEscape.test(character)) {
      const escaped = escapeCharacter(character);
      result += escaped;
      currentColumn += escaped.length;
      followsSpace = false;
    } else if (character === ' ') {
      if (!isKey && !followsSpace && currentColumn > foldColumn && i > 0 && i < characters.length - 1) {
        result += `\n${' '.repeat(indent)}`;
        currentColumn = indent;
        if (characters[i + 1] === ' ') {
          result += '\\';
          currentColumn++;
        }
      } else {
        result += ' ';
        currentColumn++;
      }
      followsSpace = true;
    } else {
      result += character;
      currentColumn++;
      followsSpace = false;
    }
  }
  return `${result}"`;
}

function escapeCharacter(character: string): string {
  const shortEscape = escapes[character];
  if (shortEscape !== undefined) return `\\${shortEscape}`;
  const code = character.codePointAt(0)!;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** Emits a literal block scalar. */
function emitLiteralBlock(text: string, indent: number): string {
  const indentationIndicator = /^[ \n]/.test(text) ? '2' : '';
  const chompingIndicator = chompingIndicatorFor(text);
  const body = text.replace(/^(?=.)/gm, ' '.repeat(indent));
  // The caller adds the final line break.
  return `|${indentationIndicator}${chompingIndicator}\n${body.endsWith('\n') ? body.slice(0, -1) : body}`;
}

/** `-` keeps no final line breaks, `+` all of them, and without an indicator one is kept. */
function chompingIndicatorFor(text: string): '-' | '+' | '' {
  if (!text.endsWith('\n')) return '-';
  return text === '\n' || text.endsWith('\n\n') ? '+' : '';
}
