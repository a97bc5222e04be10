// What becomes of tests, as it is told from one process to another.
import type { TestEvent as NodeEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export type TestEvent =
  | { readonly type: 'begun' | 'over'; readonly file: string }
  | { readonly type: 'passed'; readonly file: string }
  | { readonly type: 'skipped'; readonly file: string; readonly name: string; readonly why: string }
  | { readonly type: 'failed'; readonly file: string; readonly what: string; readonly error: string }
  | {
      readonly type: 'counted';
      readonly file: string;
      readonly passed: number;
      readonly hasFailed: boolean;
      /** Not known of one that shares its process. */
      readonly milliseconds?: number;
    }
  | { readonly type: 'said'; readonly text: string };

/** Undefined for what nobody needs to know. */
export function readEvent({ type, data }: NodeEvent): TestEvent | undefined {
  switch (type) {
    case 'test:dequeue':
    case 'test:complete':
      if (data.file === undefined || data.name !== data.file) return undefined;
      return { type: type === 'test:dequeue' ? 'begun' : 'over', file: data.file };
    case 'test:pass': {
      const { file = '', name } = data;
      const why = data.skip ?? data.todo;
      if (why !== undefined)
        return { type: 'skipped', file, name, why: why === true ? 'no reason given' : String(why) };
      return data.details.type === 'suite' ? undefined : { type: 'passed', file };
    }
    case 'test:fail': {
      const { error } = data.details;
      // A suite that fails only because something in it did is not one more failure.
      if (data.details.type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed')
        return undefined;
      const { file = '', line, name } = data;
      return { type: 'failed', file, what: `${line} ${name}`, error: inspect(error.cause ?? error) };
    }
    case 'test:summary': {
      const { file, counts, success, duration_ms } = data;
      return file === undefined
        ? undefined
        : { type: 'counted', file, passed: counts.passed, hasFailed: !success, milliseconds: duration_ms };
    }
    case 'test:stdout':
    case 'test:stderr':
      return { type: 'said', text: data.message };
    default:
      return undefined;
  }
}
