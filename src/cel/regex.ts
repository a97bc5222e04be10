import { RE2JS } from 're2js';
import { fail } from './errors.ts';

/** Patterns are mostly constants, and compiling one takes far longer than matching. */
const compiled = new Map<string, RE2JS | string>();
const mostCompiled = 1000;
/** Longer than this a pattern is compiled each time: they would fill the memory. */
const longestKept = 1000;

/** A pattern, or what is wrong with it. */
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

export function patternOf(pattern: string): RE2JS {
  const result = compilePattern(pattern);
  return typeof result === 'string' ? fail(result) : result;
}

/** Whether the pattern is found anywhere in the text. */
export function matches(text: string, pattern: string): boolean {
  return patternOf(pattern).matcher(text).find();
}
