// CEL interpreter: RE2 regular expressions with bounded work.
import { RE2JS } from 're2js';
import { fail } from './errors.ts';

/** Cached since most patterns are constants, and compiling takes much longer than matching. */
const compiledPatterns = new Map<string, RE2JS | string>();
const maxCachedPatterns = 1000;
/** Longer patterns are not cached, to limit memory. */
const maxCachedPatternLength = 1000;

/** The compiled pattern, or the message of its syntax error. */
export function compilePattern(pattern: string): RE2JS | string {
  const cached = compiledPatterns.get(pattern);
  if (cached !== undefined) return cached;
  let result: RE2JS | string;
  try {
    result = RE2JS.compile(pattern);
  } catch (error) {
    result = (error as Error).message;
  }
  if (pattern.length <= maxCachedPatternLength) {
    if (compiledPatterns.size >= maxCachedPatterns) compiledPatterns.clear();
    compiledPatterns.set(pattern, result);
  }
  return result;
}

function compileOrFail(pattern: string): RE2JS {
  const result = compilePattern(pattern);
  return typeof result === 'string' ? fail(result) : result;
}

/**
 * Limit of the instructions of a compiled pattern times the characters of a text, which take about ten milliseconds at
 * worst. The CEL cost model knows the length of a pattern, but a short pattern may compile to a thousand instructions.
 */
const maxMatchingWork = 1_000_000;
/**
 * Up to this amount of work, the NFA matcher of RE2JS runs (`matcher`). Above it, its DFA (`test`) is faster, but builds a
 * table in memory.
 */
const smallMatchingWork = 250_000;

/** Limits the work of all matches of one function call, so that it does not block the event loop. */
export class MatchingBudget {
  #work = 0;

  charge(pattern: RE2JS, characters: number): void {
    this.#work += pattern.programSize() * characters;
    if (this.#work > maxMatchingWork) fail('matching takes too long');
  }
}

/** `matches`: whether any part of the text matches. */
export function matches(text: string, pattern: string): boolean {
  const compiled = compileOrFail(pattern);
  if (compiled.programSize() * text.length <= smallMatchingWork) return compiled.matcher(text).find();
  new MatchingBudget().charge(compiled, text.length);
  // Compiled again, so that the cached pattern does not keep the table.
  return RE2JS.compile(pattern).test(text);
}
