// Two users share a worker thread: one sends more tasks than may wait and disconnects, the other must not notice.
import assert from 'node:assert/strict';
import { times } from './hostile-definitions.ts';
import type { RealServer } from './real-server.ts';

/** One task runs and 32 wait: the others are too many. */
const requestCount = 60;

interface FairRequests {
  readonly path: string;
  makeBody(i: number): string;
  /** The expected status code of a request that is carried out. */
  readonly code: number;
}

/** Sends a request as this user, who may do everything. The client disconnects when the signal aborts. */
async function postAs(
  user: string,
  server: RealServer,
  { path, makeBody }: FairRequests,
  i: number,
  signal?: AbortSignal,
): Promise<number> {
  const { code } = await server.post(path, makeBody(i), {
    headers: { 'impersonate-user': user, 'impersonate-group': 'system:masters' },
    ...(signal && { signal }),
  });
  return code;
}

/** Alice sends requests until she gets 429 and disconnects; Bob and the next request of Alice are not affected. */
export async function assertUsersTakeTurns(server: RealServer, requests: FairRequests): Promise<void> {
  const client = new AbortController();
  const codes: number[] = [];
  let onTooMany = () => {};
  const tooMany = new Promise<void>((resolve) => {
    onTooMany = resolve;
  });
  const alice = times(requestCount, async (i) => {
    const code = await postAs('alice', server, requests, i, client.signal);
    codes.push(code);
    if (code === 429) onTooMany();
  });
  await Promise.race([tooMany, Promise.all(alice)]);
  assert.ok(codes.includes(429), `${codes}`);
  assert.equal(await postAs('bob', server, requests, requestCount), requests.code);
  assert.ok(codes.length < requestCount, 'bob does not wait for all requests of alice');
  client.abort();
  await Promise.allSettled(alice);
  assert.ok(codes.length < requestCount, `${codes}`);
  assert.equal(await postAs('alice', server, requests, requestCount), requests.code);
}
