// The events of Node's test runner that the reporter needs, in a form that can be sent between processes.
import type { TestEvent as NodeEvent } from 'node:test/reporters';
import { inspect } from 'node:util';

export type TestEvent =
  | { readonly type: 'started' | 'finished'; readonly file: string }
  | { readonly type: 'passed'; readonly file: string }
  | { readonly type: 'skipped'; readonly file: string; readonly name: string; readonly reason: string }
  | { readonly type: 'failed'; readonly file: string; readonly test: string; readonly error: string }
  | {
      readonly type: 'summary';
      readonly file: string;
      readonly passed: number;
      readonly hasFailed: boolean;
      /** Absent for a file that shares its process with others. */
      readonly durationMs?: number;
    }
  | { readonly type: 'output'; readonly text: string };

/** Returns undefined for events that are not reported. */
export function convertEvent({ type, data }: NodeEvent): TestEvent | undefined {
  switch (type) {
    case 'test:dequeue':
    case 'test:complete':
      if (data.file === undefined || data.name !== data.file) return undefined;
      return { type: type === 'test:dequeue' ? 'started' : 'finished', file: data.file };
    case 'test:pass': {
      const { file = '', name } = data;
      const reason = data.skip ?? data.todo;
      if (reason !== undefined)
        return { type: 'skipped', file, name, reason: reason === true ? 'no reason given' : String(reason) };
      return data.details.type === 'suite' ? undefined : { type: 'passed', file };
    }
    case 'test:fail': {
      const { error } = data.details;
      // A suite that fails only because one of its tests fails is not counted again.
      if (data.details.type === 'suite' && 'failureType' in error && error.failureType === 'subtestsFailed')
        return undefined;
      const { file = '', line, name } = data;
      return { type: 'failed', file, test: `${line} ${name}`, error: inspect(error.cause ?? error) };
    }
    case 'test:summary': {
      const { file, counts, success, duration_ms } = data;
      return file === undefined
        ? undefined
        : { type: 'summary', file, passed: counts.passed, hasFailed: !success, durationMs: duration_ms };
    }
    case 'test:stdout':
    case 'test:stderr':
      return { type: 'output', text: data.message };
    default:
      return undefined;
  }
}
