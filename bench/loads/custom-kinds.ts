import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf, definition, definitionsPath, groupOf, instance } from '../custom-kinds.ts';
import type { Progress } from '../progress.ts';
import type { Results, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { memoryAfterSettling } from './footprint.ts';

const connections = 8;
/** One kind of so many has an object. */
const perObject = 10;

/** What custom kinds cost: how fast they come, what memory they hold, how long a start takes with them. Leaves the side stopped. */
export async function measureCustomKinds(
  side: Side,
  scale: Scale,
  results: Results,
  progress: Progress,
): Promise<void> {
  const { customKinds: count, settleSeconds } = scale;
  const client = new ApiClient(side, connections);
  const memoryForEach = async (row: 'crds-memory' | 'crds-reopened', empty: Sample): Promise<void> => {
    const { value, etcdMB = 0 } = await memoryAfterSettling(side, settleSeconds);
    const each = (1024 * (value - empty.value)) / count;
    const etcdEach = (1024 * (etcdMB - (empty.etcdMB ?? 0))) / count;
    results.add(row, side.key, { value: each });
    progress.step(
      `${row}, ${side.title}: ${each.toFixed(0)} KB each, ${etcdEach.toFixed(0)} of them etcd's, ${value.toFixed(0)} MB in all`,
    );
  };
  try {
    await side.startEmpty();
    await client.expect([200], 'GET', '/openapi/v2');
    const empty = await memoryAfterSettling(side, settleSeconds);
    const from = performance.now();
    await inLanes(count, async (index) => {
      await client.expect([201], 'POST', definitionsPath, definition(index));
      await untilServed(client, index);
      if (index % 50 === 0) progress.part(`${side.title}: making custom kinds,`, index, count);
    });
    const perSecond = (1000 * count) / (performance.now() - from);
    results.add('crds-create', side.key, { value: perSecond });
    progress.step(`crds-create, ${side.title}: ${perSecond.toFixed(1)} kinds/s`);
    for (const index of withObjects(count)) {
      await client.expect([201], 'POST', collectionOf(index), instance(index));
    }
    await lookAround(client, count);
    await memoryForEach('crds-memory', empty);
    await side.stop();
    const seconds = (await side.start()) / 1000;
    results.add('crds-start', side.key, { value: seconds });
    progress.step(`crds-start, ${side.title}: ${seconds.toFixed(2)} s`);
    await lookAround(client, count);
    await memoryForEach('crds-reopened', empty);
    await side.stop();
  } finally {
    client.close();
  }
}

function withObjects(count: number): number[] {
  return Array.from({ length: Math.ceil(count / perObject) }, (_, index) => index * perObject);
}

async function inLanes(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, lane));
}

/** Until objects can be asked for and clients find the kind. */
async function untilServed(client: ApiClient, index: number): Promise<void> {
  for (const path of [collectionOf(index), `/apis/${groupOf(index)}/v1`]) {
    while ((await client.send('GET', path)).status !== 200) await sleep(5);
  }
}

/** What a client with many kinds asks for first, and the objects there are. */
async function lookAround(client: ApiClient, count: number): Promise<void> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  await client.expect([200], 'GET', '/apis', undefined, { accept });
  await client.expect([200], 'GET', '/openapi/v3');
  // Right after a start the reference does not know of all its kinds.
  await untilServed(client, count - 1);
  while ((await client.send('GET', `/openapi/v3/apis/${groupOf(0)}/v1`)).status !== 200) await sleep(50);
  for (const index of withObjects(count)) {
    await untilServed(client, index);
    await client.expect([200], 'GET', collectionOf(index));
  }
}
