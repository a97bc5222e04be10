// The IPC messages between the benchmark and the HTTP/2 load generator, which is a process of its own.
import type { Workload } from './workloads.ts';

export interface LoadSettings {
  readonly port: number;
  readonly token: string;
  readonly connections: number;
  /** Concurrent requests of each connection. */
  readonly streams: number;
  readonly workload: Workload;
  /** Requests per second of all slots together. Absent: as fast as the server responds. */
  readonly perSecond?: number;
}

export type ToGenerator = { readonly type: 'start'; readonly seconds: number };

export interface GeneratorResult {
  readonly type: 'result';
  readonly units: number;
  readonly failures: number;
  /** The status code and body of the first failed request. */
  readonly firstFailure: string | undefined;
  readonly seconds: number;
  readonly bytes: number;
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
}

export type FromGenerator = { readonly type: 'ready' } | GeneratorResult;
