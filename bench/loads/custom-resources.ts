// Benchmark of CustomResourceDefinitions: time to create them, memory for each, and start time with them.
import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf, definition, definitionsPath, groupOf, instance } from '../custom-resources.ts';
import type { Progress } from '../progress.ts';
import type { Results, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { memoryAfterSettling } from './footprint.ts';

const connections = 8;
/** One of this many kinds has an object. */
const kindsPerObject = 10;

/** Leaves the server stopped. */
export async function measureCustomResources(
  side: Side,
  scale: Scale,
  results: Results,
  progress: Progress,
): Promise<void> {
  const { customKinds: count, settleSeconds } = scale;
  const client = new ApiClient(side, connections);
  const addMemoryPerKind = async (row: 'crds-memory' | 'crds-reopened', empty: Sample): Promise<void> => {
    const { value, etcdMB = 0 } = await memoryAfterSettling(side, settleSeconds);
    const perKindKB = (1024 * (value - empty.value)) / count;
    const etcdPerKindKB = (1024 * (etcdMB - (empty.etcdMB ?? 0))) / count;
    results.add(row, side.key, { value: perKindKB });
    progress.step(
      `${row}, ${side.title}: ${perKindKB.toFixed(0)} KB each, ${etcdPerKindKB.toFixed(0)} of them etcd's, ${value.toFixed(0)} MB in all`,
    );
  };
  try {
    await side.startEmpty();
    await client.expect([200], 'GET', '/openapi/v2');
    const empty = await memoryAfterSettling(side, settleSeconds);
    const startMs = performance.now();
    await concurrently(count, async (index) => {
      await client.expect([201], 'POST', definitionsPath, definition(index));
      await untilServed(client, index);
      if (index % 50 === 0) progress.update(`${side.title}: creating custom resources,`, index, count);
    });
    const perSecond = (1000 * count) / (performance.now() - startMs);
    results.add('crds-create', side.key, { value: perSecond });
    progress.step(`crds-create, ${side.title}: ${perSecond.toFixed(1)} kinds/s`);
    for (const index of withObjects(count)) {
      await client.expect([201], 'POST', collectionOf(index), instance(index));
    }
    await discoverAndList(client, count);
    await addMemoryPerKind('crds-memory', empty);
    await side.stop();
    const seconds = (await side.start()) / 1000;
    results.add('crds-start', side.key, { value: seconds });
    progress.step(`crds-start, ${side.title}: ${seconds.toFixed(2)} s`);
    await discoverAndList(client, count);
    await addMemoryPerKind('crds-reopened', empty);
    await side.stop();
  } finally {
    client.close();
  }
}

function withObjects(count: number): number[] {
  return Array.from({ length: Math.ceil(count / kindsPerObject) }, (_, index) => index * kindsPerObject);
}

async function concurrently(count: number, work: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: connections }, worker));
}

/** Waits until objects of the kind can be listed and discovery has the kind. */
async function untilServed(client: ApiClient, index: number): Promise<void> {
  for (const path of [collectionOf(index), `/apis/${groupOf(index)}/v1`]) {
    while ((await client.send('GET', path)).status !== 200) await sleep(5);
  }
}

/** Sends the discovery and OpenAPI requests of a client, and lists the objects. */
async function discoverAndList(client: ApiClient, count: number): Promise<void> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  await client.expect([200], 'GET', '/apis', undefined, { accept });
  await client.expect([200], 'GET', '/openapi/v3');
  // Right after a start the reference does not serve all kinds yet.
  await untilServed(client, count - 1);
  while ((await client.send('GET', `/openapi/v3/apis/${groupOf(0)}/v1`)).status !== 200) await sleep(50);
  for (const index of withObjects(count)) {
    await untilServed(client, index);
    await client.expect([200], 'GET', collectionOf(index));
  }
}
