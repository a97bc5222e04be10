// The loads over HTTP/2, which client-go and kubectl use: h2load for gets and lists, and the benchmark's own generator for
// requests that differ from each other.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  churnNamespace,
  configMapsOf,
  largeNamespace,
  leaseNamespace,
  listNamespace,
  nameOf,
  podNamespace,
  selectorNamespace,
} from '../objects.ts';
import type { RowName, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import { http2PortOf, type Side } from '../sides/side.ts';
import { runFanOut, runSelectiveWatches } from './fan-out.ts';
import { Http2Generator, type Http2LoadResult, runHttp2Load } from './http2/generator.ts';
import { type H2loadResult, runH2load } from './http2/h2load.ts';
import type { Workload } from './http2/workloads.ts';
import { fanOutSample, type LoadGroup, responseBytes } from './load-group.ts';
import { seed, seedLeases, seedPodNamespace, seedSelected } from './seed.ts';

/** Connections and the concurrent requests of each: a single caller, a busy client, and several clients. */
const http2Shapes = {
  '1': { connections: 1, streams: 1 },
  '100': { connections: 1, streams: 100 },
  '16x8': { connections: 16, streams: 8 },
} as const;
type ShapeName = keyof typeof http2Shapes;
const shapeNames = Object.keys(http2Shapes) as ShapeName[];

/** Writes per second to the large list while it is read. */
export const writesDuringPages = 100;

const pageLimit = 500;

export function http2Groups(scale: Scale, folder: string): LoadGroup[] {
  let loadCount = 0;
  const listPath = configMapsOf(listNamespace);

  const gets = (shape: ShapeName): LoadGroup => ({
    rows: [`h2-get-${shape}`],
    includesBareServer: true,
    measure: async (side, seconds) => {
      const urlFile = join(folder, `urls-${side.key}.txt`);
      const base = `https://127.0.0.1:${http2PortOf(side)}${listPath}`;
      const urls = Array.from({ length: scale.listObjects }, (_, index) => `${base}/${nameOf(index)}\n`);
      writeFileSync(urlFile, urls.join(''));
      return [h2loadSample(await runH2load(side, { ...http2Shapes[shape], seconds, target: { urlFile } }))];
    },
  });
  const pages = (shape: ShapeName): LoadGroup => ({
    rows: [`h2-page-${shape}`],
    includesBareServer: false,
    measure: async (side, seconds) => {
      const path = `${listPath}?limit=${pageLimit}`;
      const bytesPerResponse = await responseBytes(side, path);
      const result = await runH2load(side, { ...http2Shapes[shape], seconds, target: { path } });
      // A load ends within responses. They are long and few, so that partial responses are counted by their bytes.
      const value = result.bytesPerSecond / bytesPerResponse;
      return [{ ...h2loadSample(result), value, bytesPerResponse }];
    },
  });
  /** The workload is created for each measurement: names must not be used twice. */
  const generated = (
    row: RowName,
    shape: ShapeName,
    workload: () => Workload,
    prepare?: LoadGroup['prepare'],
  ): LoadGroup => ({
    rows: [row],
    includesBareServer: false,
    ...(prepare && { prepare }),
    measure: async (side, seconds) => {
      const load = { ...http2Shapes[shape], workload: workload() };
      return [generatedSample(await runHttp2Load(side, load, seconds))];
    },
  });

  return [
    ...shapeNames.map(gets),
    ...shapeNames.map(pages),
    ...shapeNames.map((shape) =>
      generated(`h2-create-${shape}`, shape, () => ({
        kind: 'create',
        path: configMapsOf(churnNamespace),
        prefix: `h2-${++loadCount}`,
      })),
    ),
    ...shapeNames.map((shape) =>
      generated(`h2-update-${shape}`, shape, () => ({
        kind: 'update',
        path: listPath,
        count: scale.listObjects,
      })),
    ),
    generated(
      'lease-renewals',
      '16x8',
      () => ({
        kind: 'renew',
        path: `/apis/coordination.k8s.io/v1/namespaces/${leaseNamespace}/leases`,
        count: scale.leases,
      }),
      (side, progress) => seedLeases(side, leaseNamespace, scale.leases, progress),
    ),
    generated(
      'pod-churn',
      '16x8',
      () => ({
        kind: 'pods',
        path: `/api/v1/namespaces/${podNamespace}/pods`,
        prefix: `pod-${++loadCount}`,
      }),
      (side, progress) => seedPodNamespace(side, podNamespace, progress),
    ),
    {
      rows: ['h2-fan-out', 'h2-fan-out-delay'],
      includesBareServer: true,
      measure: async (side, seconds) => {
        const { full, steady } = await runFanOut(side, scale.watchers, seconds, { isHttp2: true });
        return [fanOutSample(full, full.eventsPerSecond), fanOutSample(steady, steady.p99)];
      },
    },
    {
      rows: ['watch-selectors'],
      includesBareServer: false,
      prepare: (side, progress) => seedSelected(side, selectorNamespace, scale.selectorWatchers, progress),
      measure: async (side, seconds) => {
        const result = await runSelectiveWatches(side, scale.selectorWatchers, seconds);
        return [fanOutSample(result, result.eventsPerSecond)];
      },
    },
    {
      rows: ['pages-while-writing'],
      includesBareServer: false,
      prepare: (side, progress) => seed(side, largeNamespace, scale.largeListObjects, progress),
      measure: (side, seconds) => pagesWhileWriting(side, seconds, scale.largeListObjects),
    },
  ];
}

async function pagesWhileWriting(side: Side, seconds: number, count: number): Promise<readonly Sample[]> {
  const path = configMapsOf(largeNamespace);
  const writer = await Http2Generator.open(side, {
    ...{ connections: 1, streams: 8, perSecond: writesDuringPages },
    workload: { kind: 'update', path, count },
  });
  try {
    const writing = writer.run(seconds);
    const pages = await runHttp2Load(
      side,
      { connections: 4, streams: 2, workload: { kind: 'pages', path, limit: pageLimit } },
      seconds,
    );
    const writes = await writing;
    return [{ ...generatedSample(pages), failures: pages.failures + writes.failures }];
  } finally {
    await writer.close();
  }
}

function h2loadSample(result: H2loadResult): Sample {
  const { perSecond, bytesPerSecond, failures, serverCores, etcdCores, clientCores, otherCores } = result;
  return {
    value: perSecond,
    bytesPerResponse: bytesPerSecond / perSecond,
    ...{ failures, serverCores, etcdCores, clientCores, otherCores },
  };
}

function generatedSample(result: Http2LoadResult): Sample {
  const { failures, serverCores, etcdCores, clientCores, otherCores } = result;
  return {
    value: result.units / result.seconds,
    p50Milliseconds: result.p50,
    p99Milliseconds: result.p99,
    bytesPerResponse: result.bytes / Math.max(1, result.requests),
    ...{ failures, serverCores, etcdCores, clientCores, otherCores },
  };
}
