// Worker thread of pattern-thread.ts: compiles and matches patterns.
import { parentPort } from 'node:worker_threads';
import { compilePattern } from './compile-pattern.ts';
import type { PatternRequest, PatternResponse } from './pattern-thread.ts';

/** Caches the last pattern, which is often requested again. */
let cached = { pattern: '', compiled: compilePattern('') };

parentPort!.on('message', ({ pattern, text }: PatternRequest) => {
  if (cached.pattern !== pattern) cached = { pattern, compiled: compilePattern(pattern) };
  const { compiled } = cached;
  const response: PatternResponse =
    typeof compiled === 'string' ? { problem: compiled, isFound: false } : { isFound: compiled.test(text) };
  parentPort!.postMessage(response);
});
