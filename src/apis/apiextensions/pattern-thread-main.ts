// The thread of pattern-thread.ts.
import { parentPort } from 'node:worker_threads';
import { compilePattern } from './compile-pattern.ts';
import type { PatternAnswer, PatternQuestion } from './pattern-thread.ts';

/** The last compiled pattern, which is often requested again. */
let last = { pattern: '', compiled: compilePattern('') };

parentPort!.on('message', ({ pattern, text }: PatternQuestion) => {
  if (last.pattern !== pattern) last = { pattern, compiled: compilePattern(pattern) };
  const { compiled } = last;
  const answer: PatternAnswer =
    typeof compiled === 'string' ? { problem: compiled, isFound: false } : { isFound: compiled.test(text) };
  parentPort!.postMessage(answer);
});
