import { setTimeout } from 'node:timers/promises';
import type { Random } from '../random.ts';
import type { ObservedObject, ReadConsistency } from '../record.ts';
import { ask } from './ask.ts';
import { type ApiObject, type Collection, collections, observed } from './collections.ts';
import type { Stage } from './stage.ts';

const NAMES = 8;
const PAGE = 3;
const REMEMBERED = 100;

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string };
  readonly items: readonly ApiObject[];
}

/** Gets and lists, with every consistency option, at any server. */
export async function read(stage: Stage, random: Random): Promise<void> {
  // Revisions that this reader has observed, at any server.
  const seen: number[] = [];
  while (stage.isOn) {
    const collection = random.pick(collections);
    const server = stage.pickServer(random);
    const consistency = pickAsked(random, random.isLucky(0.5) ? seen.at(-1) : random.pick(seen));
    if (random.isLucky(0.4))
      await get(stage, collection, server, `thing-${random.between(1, NAMES)}`, consistency);
    else {
      const isPaged = consistency !== 'any' && random.isLucky(0.4);
      const revision = await list(stage, collection, server, consistency, isPaged ? random : undefined);
      if (revision !== undefined) seen.push(revision);
      if (seen.length > REMEMBERED) seen.shift();
    }
    await setTimeout(random.between(5, 80));
  }
}

function pickAsked(random: Random, seen: number | undefined): ReadConsistency {
  const chance = random.next();
  if (seen === undefined || chance < 0.5) return 'newest';
  if (chance < 0.65) return 'any';
  return chance < 0.82 ? { notBefore: seen } : { exactly: seen };
}

const version = (consistency: ReadConsistency) => {
  if (consistency === 'newest') return '';
  if (consistency === 'any') return 'resourceVersion=0';
  return `resourceVersion=${'notBefore' in consistency ? consistency.notBefore : consistency.exactly}`;
};

async function get(
  stage: Stage,
  collection: Collection,
  server: number,
  name: string,
  wanted: ReadConsistency,
): Promise<void> {
  const consistency =
    typeof wanted === 'object' && 'exactly' in wanted ? { notBefore: wanted.exactly } : wanted;
  const began = performance.now();
  const response = await ask(
    stage.urlOf(server),
    'GET',
    `${collection.path}/${name}?${version(consistency)}`,
  );
  if (response.code !== 200 && response.code !== 404) return;
  const object =
    response.code === 200 && 'body' in response
      ? observed(collection, response.body as ApiObject)
      : undefined;
  const seen = {
    collection: collection.name,
    server,
    began,
    ended: performance.now(),
    name,
    consistency,
    object,
  };
  stage.record.gets.push(seen);
}

/** All pages of a list, each at any server if `paging` is given. Returns its revision, if it completed. */
export async function list(
  stage: Stage,
  collection: Collection,
  server: number,
  consistency: ReadConsistency,
  paging?: Random,
): Promise<number | undefined> {
  const match = typeof consistency !== 'object' ? '' : 'exactly' in consistency ? 'Exact' : 'NotOlderThan';
  const query = [version(consistency), match && `resourceVersionMatch=${match}`, paging && `limit=${PAGE}`];
  const began = performance.now();
  const items: ObservedObject[] = [];
  let revision: number | undefined;
  let where = server;
  for (let next = query.filter(Boolean).join('&'); ; ) {
    const response = await ask(stage.urlOf(where), 'GET', `${collection.path}?${next}`);
    if (response.code === 410) {
      const about =
        revision ?? (typeof consistency === 'object' && 'exactly' in consistency ? consistency.exactly : 0);
      const request = { collection: collection.name, server: where, began, ended: performance.now() };
      stage.record.expiries.push({ ...request, revision: about });
    }
    if (response.code !== 200 || !('body' in response)) return undefined;
    const page = response.body as List;
    const at = Number(page.metadata.resourceVersion);
    // A page of another revision is recorded as a list with missing objects.
    if (revision !== undefined && at !== revision) break;
    revision = at;
    items.push(...page.items.map((item) => observed(collection, item)));
    const token = page.metadata.continue ?? '';
    if (!paging || token === '') break;
    next = `limit=${PAGE}&continue=${encodeURIComponent(token)}`;
    where = stage.pickServer(paging);
  }
  stage.record.lists.push({
    collection: collection.name,
    server,
    began,
    ended: performance.now(),
    consistency,
    revision,
    items,
  });
  return revision;
}
