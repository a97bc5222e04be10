// YAML emitter: style and quoting of strings.
import { isPlainText } from './resolve.ts';

/** Lines are folded at the first space after this column. */
const foldColumn = 80;

/** The styles that a string allows. */
interface AllowedStyles {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
  readonly block: boolean;
}

/** The common case: nothing in it needs quoting, except for what it might resolve to. */
const simple = /^[A-Za-z0-9_./-]+$/;

/**
 * Writes a string as go-yaml does: plain if it is unambiguous, as a literal block if it has several
 * lines, else quoted.
 *
 * `column` is where the text begins, `indent` the indentation of its continuation lines.
 */
export function writeString(text: string, column: number, indent: number, isKey: boolean): string {
  if (
    simple.test(text) &&
    text.length < foldColumn - column &&
    isPlainText(text) &&
    !startsDocument(text) &&
    text[0] !== '-'
  ) {
    return text;
  }
  // As a key it would be read as a merge key.
  if (isKey && text === '<<') return '"<<"';
  const styles = analyze(text);
  if (text.includes('\n') && !isKey) {
    return styles.block ? writeBlock(text, indent) : writeDoubleQuoted(text, column, indent, isKey);
  }
  if (!isPlainText(text) || text.includes('\n')) return writeDoubleQuoted(text, column, indent, isKey);
  if (styles.plain && !(isKey && text === '')) return isKey ? text : folded(text, column, indent, '');
  if (styles.singleQuoted) {
    const content = text.replaceAll("'", "''");
    return `'${isKey ? content : folded(content, column + 1, indent, "'")}'`;
  }
  return writeDoubleQuoted(text, column, indent, isKey);
}

const startsDocument = (text: string) => text.startsWith('---') || text.startsWith('...');

const openers = /^[#,[\]{}&*!|>'"%@`]/;
/** A colon, a question mark or a dash followed by a space would be an indicator. */
const indicator = /^[?:-](?:[ \t]|$)|:(?:[ \t]|$)|[ \t\n]#/;

function analyze(text: string): AllowedStyles {
  const isSpecial = unprintable.test(text) || text.includes(' \n');
  const hasBreaks = text.includes('\n');
  const spaceAfterBreak = text.includes('\n ');
  const openEnds = /^[ \n]|[ \n]$/.test(text);
  const indicators = openers.test(text) || indicator.test(text) || startsDocument(text);
  return {
    plain: !(isSpecial || hasBreaks || openEnds || indicators),
    singleQuoted: !(isSpecial || spaceAfterBreak),
    block: !(isSpecial || text.endsWith(' ')),
  };
}

/**
 * Characters that need escaping. go-yaml escapes everything beyond the basic multilingual plane too. Line
 * and paragraph separators would be read as line feeds.
 */
const unprintable = /[^\n\u0020-\u007e\u00a0-\ufefe\uff00-\ufffd]|[\ud800-\udfff\u2028\u2029]/;

/** Folds long lines at single spaces. */
function folded(text: string, column: number, indent: number, quote: string): string {
  if (column + text.length <= foldColumn || !text.includes(' ')) return text;
  let result = '';
  let at = column;
  const characters = [...text];
  let afterSpace = false;
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    const isEnd = quote !== '' && (i === 0 || i === characters.length - 1);
    if (character === ' ' && !afterSpace && at > foldColumn && characters[i + 1] !== ' ' && !isEnd) {
      result += `\n${' '.repeat(indent)}`;
      at = indent;
      afterSpace = true;
      continue;
    }
    result += character;
    at++;
    afterSpace = character === ' ';
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

function writeDoubleQuoted(text: string, column: number, indent: number, isKey: boolean): string {
  let result = '"';
  let at = column + 1;
  let afterSpace = false;
  const characters = [...text];
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i]!;
    if (needsEscape.test(character)) {
      const escaped = escapeOf(character);
      result += escaped;
      at += escaped.length;
      afterSpace = false;
    } else if (character === ' ') {
      if (!isKey && !afterSpace && at > foldColumn && i > 0 && i < characters.length - 1) {
        result += `\n${' '.repeat(indent)}`;
        at = indent;
        if (characters[i + 1] === ' ') {
          result += '\\';
          at++;
        }
      } else {
        result += ' ';
        at++;
      }
      afterSpace = true;
    } else {
      result += character;
      at++;
      afterSpace = false;
    }
  }
  return `${result}"`;
}

function escapeOf(character: string): string {
  const short = escapes[character];
  if (short !== undefined) return `\\${short}`;
  const code = character.codePointAt(0)!;
  const hex = code.toString(16).toUpperCase();
  if (code <= 0xff) return `\\x${hex.padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
}

/** A literal block. Its header indicates the end: one line feed, none (-) or several (+). */
function writeBlock(text: string, indent: number): string {
  const hint = /^[ \n]/.test(text) ? '2' : '';
  const chomp = !text.endsWith('\n') ? '-' : text === '\n' || text.endsWith('\n\n') ? '+' : '';
  const body = text.replace(/^(?=.)/gm, ' '.repeat(indent));
  // The next token starts a new line anyway.
  return `|${hint}${chomp}\n${body.endsWith('\n') ? body.slice(0, -1) : body}`;
}
