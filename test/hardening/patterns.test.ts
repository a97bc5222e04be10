// Expensive patterns of CRD schemas run on one worker thread, which users share fairly.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { definitions, HostileDefinitions, objectsOf, spec, times } from './hostile-definitions.ts';

const kinds = new HostileDefinitions();
const { server } = kinds;

/** Takes a worker thread some hundred milliseconds, with `text`. */
const pattern = `^(?:${'a?'.repeat(2_000)})$`;
const text = 'a'.repeat(10_000);

/** One request runs and 32 wait: the others are too many. */
const requestCount = 60;

/** Sends a request as this user, who may do everything. The request ends without a response when the signal aborts. */
async function postAs(user: string, path: string, body: string, signal?: AbortSignal): Promise<number> {
  const { code } = await server.post(path, body, {
    headers: { 'impersonate-user': user, 'impersonate-group': 'system:masters' },
    ...(signal && { signal }),
  });
  return code;
}

/** Alice sends requests until she gets 429 and disconnects; Bob and the next request of Alice are not affected. */
async function holdsForBoth(path: string, makeBody: (i: number) => string): Promise<void> {
  const client = new AbortController();
  const codes: number[] = [];
  let onTooMany = () => {};
  const tooMany = new Promise<void>((resolve) => {
    onTooMany = resolve;
  });
  const alice = times(requestCount, async (i) => {
    const code = await postAs('alice', path, makeBody(i), client.signal);
    codes.push(code);
    if (code === 429) onTooMany();
  });
  await Promise.race([tooMany, Promise.all(alice)]);
  assert.ok(codes.includes(429), `${codes}`);
  assert.equal(await postAs('bob', path, makeBody(requestCount)), 422);
  assert.ok(codes.length < requestCount, 'bob does not wait for all requests of alice');
  client.abort();
  await Promise.allSettled(alice);
  assert.ok(codes.length < requestCount, `${codes}`);
  assert.equal(await postAs('alice', path, makeBody(requestCount)), 422);
}

test('users take turns to match expensive patterns', async () => {
  const { plural } = await kinds.define({ schema: spec({ type: 'string', pattern }) });
  await holdsForBoth(objectsOf(plural), (i) => kinds.write(plural, `o${i}`, { spec: text }));
});

test('users take turns to create CRDs with expensive patterns', async () => {
  const schema = spec({ type: 'string', pattern, default: text });
  await holdsForBoth(definitions, (i) => kinds.writeDefinition(`patterns${i}s`, { schema }));
});
