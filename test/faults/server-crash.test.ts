import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDirectory } from '../../src/store/lmdb/check.ts';
import type { WatchEvent, WatchReader } from '../support/client.ts';
import type { ProgramResult } from '../support/program.ts';
import { ServerProcess } from '../support/server-process.ts';
import { WriteLoad } from './server-write-load.ts';

const KILLS = 10;
const CLIENTS = 16;
/** The server is killed after at most this many writes, at random. */
const MOST_WRITES = 400;

interface Seen {
  readonly type: string;
  readonly name: string;
  readonly revision: number;
  readonly content: string | undefined;
}

function seen({ type, object }: WatchEvent): Seen {
  const { name, resourceVersion } = object.metadata;
  return { type, name, revision: Number(resourceVersion), content: object.data?.content };
}

/** All events until the connection breaks. */
async function untilBroken(watch: WatchReader): Promise<Seen[]> {
  const events: Seen[] = [];
  try {
    for (let event = await watch.next(); event; event = await watch.next()) events.push(seen(event));
  } catch {
    return events;
  }
  return assert.fail('the watch ended as if nothing had happened');
}

/** The events after one revision up to another, which is that of the last change. */
async function eventsBetween(
  server: ServerProcess,
  path: string,
  after: number,
  last: number,
): Promise<Seen[]> {
  const events: Seen[] = [];
  const watch = await server.watch(`${path}?watch=1&resourceVersion=${after}`);
  while ((events.at(-1)?.revision ?? after) < last) events.push(seen((await watch.next())!));
  watch.close();
  return events;
}

/** The objects at the revision, by name. */
interface State {
  readonly revision: number;
  readonly objects: ReadonlyMap<string, string>;
}

async function stateOf(server: ServerProcess, path: string): Promise<State> {
  const { body } = await server.get(path);
  const objects = new Map(body.items.map(({ metadata, data }) => [metadata.name, data?.content ?? '']));
  return { revision: Number(body.metadata.resourceVersion), objects };
}

/** Applies the events to the state `before`: none is missing, repeated or out of order, and the result is `after`. */
function assertLeads(before: State, events: readonly Seen[], after: State): void {
  assert.deepEqual(
    events.map(({ revision }) => revision),
    Array.from({ length: after.revision - before.revision }, (_, i) => before.revision + 1 + i),
  );
  const objects = new Map(before.objects);
  for (const { type, name, revision, content } of events) {
    assert.equal(type === 'ADDED', !objects.has(name), `${type} ${name} at revision ${revision}`);
    if (type === 'DELETED') {
      assert.equal(content, objects.get(name), `${name} is deleted as it last was`);
      objects.delete(name);
    } else objects.set(name, content ?? '');
  }
  assert.deepEqual(objects, after.objects);
}

test(`a server killed ${KILLS} times while clients write loses no acknowledged write and no event`, async (t) => {
  const server = await ServerProcess.prepare(t);
  // One graceful stop, so that certificates and compiled code are kept.
  await server.start();
  const path = await server.namespace();
  const load = new WriteLoad(server, path, CLIENTS);
  await load.prepare();
  let state = await stateOf(server, path);
  assert.equal((await server.end('SIGTERM')).code, 0);

  await server.start();
  let [acknowledged, made] = [0, 0];
  for (let kill = 1; kill <= KILLS; kill++) {
    const watching = untilBroken(await server.watch(`${path}?watch=1&resourceVersion=${state.revision}`));
    let killed: Promise<ProgramResult> | undefined;
    await load.run(kill, 1 + Math.floor(Math.random() * MOST_WRITES), () => {
      killed = server.end('SIGKILL');
    });
    assert.equal((await killed)?.signal, 'SIGKILL');
    assert.ok(load.unanswered > 0, 'nothing was under way');
    const live = await watching;
    if (kill % 5 === 0) assert.deepEqual((await checkDirectory(server.storeDir)).findings, []);

    await server.start();
    const after = await stateOf(server, path);
    load.reconcile(after.objects);
    const replayed = await eventsBetween(server, path, state.revision, after.revision);
    assertLeads(state, replayed, after);
    const resumeAt = live.at(-1)?.revision ?? state.revision;
    assert.deepEqual([...live, ...(await eventsBetween(server, path, resumeAt, after.revision))], replayed);
    const byRevision = new Map(replayed.map((event) => [event.revision, event]));
    for (const [revision, { name, content }] of load.acknowledged) {
      const event = byRevision.get(revision);
      assert.deepEqual([event?.name, event?.content], [name, content], `acknowledged revision ${revision}`);
    }
    acknowledged += load.acknowledged.size;
    load.acknowledged.clear();
    made += replayed.length;
    state = after;
  }
  assert.equal((await server.end('SIGTERM')).code, 0);
  const { findings, revision } = await checkDirectory(server.storeDir);
  assert.deepEqual(findings, []);
  assert.equal(revision, state.revision);
  t.diagnostic(`${acknowledged} creations and updates acknowledged, ${made} changes made`);
});
