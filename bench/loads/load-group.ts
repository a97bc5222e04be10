// A load of the benchmark: the rows that it measures, and how.
import type { Progress } from '../progress.ts';
import type { RowName, Sample } from '../rows.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import type { FanOutResult } from './fan-out.ts';

/** Rows that are measured together, on servers with the objects of `listNamespace`. */
export interface LoadGroup {
  readonly rows: readonly RowName[];
  /** Also measured on the bare server, which shows the limit of the load generator. */
  readonly includesBareServer: boolean;
  /** Creates the other objects that the rows need, once per server. */
  prepare?(side: Side, progress: Progress): Promise<void>;
  measure(side: Side, seconds: number): Promise<readonly Sample[]>;
}

export function fanOutSample(result: FanOutResult, value: number): Sample {
  return {
    value,
    p50Milliseconds: result.p50,
    p99Milliseconds: result.p99,
    serverCores: result.serverCores,
    etcdCores: result.etcdCores,
    clientCores: result.clientCores,
    otherCores: result.otherCores,
  };
}

/** The size of the response to a GET. */
export async function responseBytes(side: Side, path: string, accept?: string): Promise<number> {
  const client = new ApiClient(side, 1);
  try {
    const headers = accept === undefined ? {} : { accept };
    return (await client.expect([200], 'GET', path, undefined, headers)).bytes;
  } finally {
    client.close();
  }
}
