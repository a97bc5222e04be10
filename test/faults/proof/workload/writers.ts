import { setTimeout } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { Outcome, RecordedWrite } from '../record.ts';
import { type Answer, ask, type Sent } from './ask.ts';
import { type ApiObject, type Collection, collections, observed } from './collections.ts';
import type { Stage } from './stage.ts';

const NAMES = 8;
const bulk = 'x'.repeat(300);

type Planned = Pick<RecordedWrite, 'id' | 'verb' | 'name' | 'expected'> & { readonly collection: Collection };

/** Creates, updates, patches and deletes, with and without preconditions, at any server. */
export async function write(stage: Stage, number: number, random: Random): Promise<void> {
  for (let count = 0; stage.isOn; count++) {
    const answered = await send(stage, plan(stage, `w${number}-${count}`, random), random);
    // Without a response, the client waits a moment before it uses the server again.
    await setTimeout(answered ? random.between(2, 40) : random.between(30, 150));
  }
}

function plan(stage: Stage, id: string, random: Random): Planned {
  const collection = random.pick(collections);
  const name = `thing-${random.between(1, NAMES)}`;
  const known = stage.known(collection, name);
  const common = { id, collection, name };
  if (!known) return { ...common, verb: 'create' };
  const expected = random.isLucky(0.7) ? known.revision : undefined;
  const chance = random.next();
  if (chance < 0.15) return { ...common, verb: 'delete', expected };
  if (chance < 0.45) return { ...common, verb: 'patch' };
  return { ...common, verb: 'update', expected };
}

async function send(stage: Stage, planned: Planned, random: Random): Promise<boolean> {
  const { id, verb, name, expected, collection } = planned;
  const server = stage.pickServer(random);
  const began = performance.now();
  const answer = await request(stage.urlOf(server), planned);
  const ended = performance.now();
  const outcome = outcomeOf(answer, stage);
  const object =
    outcome === 'done' && verb !== 'delete' ? ((answer as { body: unknown }).body as ApiObject) : undefined;
  const seen = object && observed(collection, object);
  stage.record.writes.push({
    collection: collection.name,
    server,
    began,
    ended,
    id,
    verb,
    name,
    expected,
    outcome,
    code: answer.code,
    object: seen,
    ...(verb === 'delete' && outcome === 'done' && { uid: deletedUid(answer) }),
  });
  if (outcome === 'done') stage.learn(collection, name, seen);
  else if (outcome === 'refused' && answer.code >= 400) await lookAgain(stage, collection, name, server);
  return answer.code !== 0;
}

function request(url: string, { id, verb, name, expected, collection }: Planned): Promise<Answer> {
  const { path, field, header } = collection;
  const own = `${path}/${name}`;
  const object = {
    ...header,
    metadata: { name, ...(expected !== undefined && { resourceVersion: String(expected) }) },
    [field]: { token: id, bulk },
  };
  switch (verb) {
    case 'create':
      return ask(url, 'POST', path, { body: object });
    case 'update':
      return ask(url, 'PUT', own, { body: object });
    case 'patch':
      return ask(url, 'PATCH', own, {
        body: { [field]: { patch: id } },
        contentType: 'application/merge-patch+json',
      });
    case 'delete':
      return ask(url, 'DELETE', own, deleteOptions(expected));
  }
}

const deleteOptions = (expected: number | undefined): Sent =>
  expected === undefined
    ? {}
    : {
        body: {
          kind: 'DeleteOptions',
          apiVersion: 'v1',
          preconditions: { resourceVersion: String(expected) },
        },
      };

function outcomeOf(answer: Answer, { storage }: Stage): Outcome {
  if (answer.code === 0) return 'sent' in answer && !answer.sent ? 'refused' : 'unknown';
  if (answer.code < 300) return 'done';
  if (answer.code < 500) return 'refused';
  // With LMDB the process knows the outcome of a write; an etcd transaction may still be committed later.
  const { message = '' } = ('body' in answer ? answer.body : {}) as { message?: string };
  return storage === 'lmdb' && message.includes('could not be made durable') ? 'refused' : 'unknown';
}

/** The response is the deleted object, or a Status that names it. */
function deletedUid(answer: Answer): string | undefined {
  const { metadata, details } = (answer as { body: unknown }).body as {
    metadata?: { uid?: string };
    details?: { uid?: string };
  };
  return details?.uid ?? metadata?.uid;
}

async function lookAgain(stage: Stage, collection: Collection, name: string, server: number): Promise<void> {
  const answer = await ask(stage.urlOf(server), 'GET', `${collection.path}/${name}`);
  if (answer.code === 404) stage.learn(collection, name, undefined);
  else if (answer.code === 200 && 'body' in answer)
    stage.learn(collection, name, observed(collection, answer.body as ApiObject));
}
