// Worker thread of pattern-thread.ts: compiles and matches patterns.
import { parentPort } from 'node:worker_threads';
import { compilePattern } from './compile-pattern.ts';
import type { PatternRequest, PatternResponse } from './pattern-thread.ts';

/** Caches the last pattern, which is often requested again. */
let last = { pattern: '', compiled: compilePattern('') };

parentPort!.on('message', ({ pattern, text }: PatternRequest) => {
  if (last.pattern !== pattern) last = { pattern, compiled: compilePattern(pattern) };
  const { compiled } = last;
  const response: PatternResponse =
    typeof compiled === 'string' ? { problem: compiled, isFound: false } : { isFound: compiled.test(text) };
  parentPort!.postMessage(response);
});
