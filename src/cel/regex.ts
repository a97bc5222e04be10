// CEL interpreter: RE2 regular expressions with bounded work.
import { RE2JS } from 're2js';
import { flatCopy } from '../base/flat-copy.ts';
import { entryBytes, LruCache } from '../base/lru-cache.ts';
import { fail } from './errors.ts';

/** Approximate memory of a compiled pattern; measured: at most 220 bytes per instruction. */
const bytesPerInstruction = 256;
const bytesPerPattern = 2_000;
const maxCachedBytes = 16 * 1024 * 1024;
/** Longer patterns are not cached. */
const maxCachedPatternLength = 1000;

/** Cached since most patterns are constants, and compiling takes much longer than matching. */
const compiledPatterns = new LruCache<RE2JS | string>({
  maxWeight: maxCachedBytes,
  weightOf: (compiled, pattern) =>
    entryBytes +
    bytesPerPattern +
    2 * pattern.length +
    (typeof compiled === 'string' ? 2 * compiled.length : compiled.programSize() * bytesPerInstruction),
});

/** The compiled pattern, or the message of its syntax error. */
export function compilePattern(pattern: string): RE2JS | string {
  if (pattern.length > maxCachedPatternLength) return compile(pattern);
  const cached = compiledPatterns.get(pattern);
  if (cached !== undefined) return cached;
  const key = flatCopy(pattern);
  const compiled = compile(key);
  compiledPatterns.set(key, compiled);
  return compiled;
}

function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    return (error as Error).message;
  }
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
