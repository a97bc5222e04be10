// CEL interpreter: RE2 regular expressions with bounded work.
import { RE2JS } from 're2js';
import { fail } from './errors.ts';

/** Patterns are mostly constants, and compiling one takes far longer than matching. */
const compiled = new Map<string, RE2JS | string>();
const mostCompiled = 1000;
/** Longer than this a pattern is compiled each time: they would fill the memory. */
const longestKept = 1000;

/** The compiled pattern, or its error. */
export function compilePattern(pattern: string): RE2JS | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  let result: RE2JS | string;
  try {
    result = RE2JS.compile(pattern);
  } catch (error) {
    result = (error as Error).message;
  }
  if (pattern.length <= longestKept) {
    if (compiled.size >= mostCompiled) compiled.clear();
    compiled.set(pattern, result);
  }
  return result;
}

function patternOf(pattern: string): RE2JS {
  const result = compilePattern(pattern);
  return typeof result === 'string' ? fail(result) : result;
}

/**
 * Instructions of a compiled pattern times characters of a text: what is gone through in some ten milliseconds at the worst.
 * What rules may cost knows of the length of a pattern, and not that a short one may stand for a thousand instructions.
 */
const mostMatching = 1_000_000;
/** As much is gone through without further ado; beyond it a table is built that takes memory. */
const littleMatching = 250_000;

/** Counts the work of matching, and stops evaluations that would block the event loop. */
export class Matching {
  #gone = 0;

  goThrough(pattern: RE2JS, characters: number): void {
    this.#gone += pattern.programSize() * characters;
    if (this.#gone > mostMatching) fail('matching takes too long');
  }
}

/** Whether the pattern is found anywhere in the text. */
export function matches(text: string, pattern: string): boolean {
  const compiled = patternOf(pattern);
  if (compiled.programSize() * text.length <= littleMatching) return compiled.matcher(text).find();
  new Matching().goThrough(compiled, text.length);
  return RE2JS.compile(pattern).test(text);
}
