import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployment, deploymentsPath, firstMark, markTemplate } from '../deployments.ts';
import {
  churnNamespace,
  configMapsOf,
  configMapTemplate,
  listNamespace,
  nameOf,
  nameTemplate,
  selectTenth,
} from '../objects.ts';
import type { Progress } from '../progress.ts';
import type { RowName, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import type { Side } from '../sides/side.ts';
import { ApiClient } from './api-client.ts';
import { type FanOutResult, runFanOut } from './fan-out.ts';
import { makePolicies, underPolicies } from './policies.ts';
import { applied, seedDeployments } from './seed.ts';
import { type LoadResult, runLoad, type Walk } from './wrk.ts';

/** Rows that are measured together, on servers that run and hold the objects of the list. */
export interface Group {
  readonly rows: readonly RowName[];
  /** Also the bare server can answer it, which shows what the load generator could take. */
  readonly bare: boolean;
  /** Makes what the rows need beside the objects of the list, once for every side. */
  prepare?(side: Side, progress: Progress): Promise<void>;
  measure(side: Side, seconds: number): Promise<readonly Sample[]>;
}

const writeConnections = 64;

export function loadGroups(scale: Scale, folder: string): Group[] {
  const bodyFile = join(folder, 'configmap.json');
  writeFileSync(bodyFile, configMapTemplate());
  const listed = configMapsOf(listNamespace);
  const listedObject = { path: `${listed}/${nameTemplate()}`, count: scale.listObjects };

  let churns = 0;

  const repeated = (
    row: RowName,
    connections: number,
    path: string,
    { bare = false, accept }: { bare?: boolean; accept?: string } = {},
  ): Group => ({
    rows: [row],
    bare,
    measure: async (side, seconds) => {
      const bytesPerAnswer = await answerLength(side, path, accept);
      const result = await runLoad(side, { connections, seconds, target: path, accept });
      // A load ends in the middle of answers. They are long and few, so parts of them count as parts.
      return [{ ...loadSample(result), value: result.bytesPerSecond / bytesPerAnswer, bytesPerAnswer }];
    },
  });
  const walked = (row: RowName, method: string, walk: { bodyFile?: string }, bare = false): Group => ({
    rows: [row],
    bare,
    measure: async (side, seconds) => {
      const target = { method, ...listedObject, ...walk };
      return [loadSample(await runLoad(side, { connections: writeConnections, seconds, target }))];
    },
  });
  /** On Deployments of the row's own, so that no write of another row is in the way. */
  const onDeployments = (
    row: RowName,
    method: string,
    bodyOf: (name: string) => string,
    { query = '', contentType }: { query?: string; contentType?: string } = {},
  ): Group => {
    const ownBody = join(folder, `${row}.json`);
    writeFileSync(ownBody, bodyOf(nameTemplate(row)));
    const path = `${deploymentsPath}/${nameTemplate(row)}${query === '' ? '' : `?${query}`}`;
    const target: Walk = {
      ...{ method, path, bodyFile: ownBody, count: scale.deployments },
      ...(contentType !== undefined && { contentType }),
    };
    return {
      rows: [row],
      bare: false,
      prepare: (side, progress) =>
        seedDeployments(side, (index) => nameOf(index, row), scale.deployments, progress),
      measure: async (side, seconds) => [
        loadSample(await runLoad(side, { connections: writeConnections, seconds, target })),
      ],
    };
  };

  return [
    walked('get', 'GET', {}, true),
    repeated('list-all', 4, listed, { bare: true }),
    repeated('list-page', 16, `${listed}?limit=500`),
    repeated('list-label', 8, `${listed}?${selectTenth}`),
    repeated('list-protobuf', 4, listed, { accept: 'application/vnd.kubernetes.protobuf' }),
    repeated('list-table', 4, listed, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    repeated('list-yaml', 4, listed, { accept: 'application/yaml' }),
    {
      rows: ['create', 'delete'],
      bare: false,
      measure: (side, seconds) => {
        // A load stops with requests under way, so a name may be left over: no name is used twice.
        const prefix = `churn-${++churns}`;
        return createAndDelete(side, seconds, prefix, join(folder, `${prefix}.json`));
      },
    },
    {
      rows: ['create-policed', 'create-free', 'create-kept'],
      bare: false,
      prepare: makePolicies,
      measure: async (side, seconds) => {
        const load = async (): Promise<Sample> => {
          const prefix = `policed-${++churns}`;
          const [created] = await createAndDelete(side, seconds, prefix, join(folder, `${prefix}.json`));
          return created!;
        };
        const free = await load();
        const policed = await underPolicies(side, load);
        return [policed, free, { value: (100 * policed.value) / free.value }];
      },
    },
    walked('update', 'PUT', { bodyFile }),
    onDeployments('update-deployment', 'PUT', (name) => deployment(name, markTemplate)),
    onDeployments('patch-label', 'PATCH', () => labelPatch(markTemplate), {
      contentType: 'application/json-patch+json',
    }),
    onDeployments('apply-same', 'PATCH', (name) => deployment(name, firstMark), applied),
    onDeployments('apply-change', 'PATCH', (name) => deployment(name, markTemplate), applied),
    {
      rows: ['fan-out', 'fan-out-delay'],
      bare: true,
      measure: async (side, seconds) => {
        const { full, steady } = await runFanOut(side, scale.watchers, seconds);
        return [fanOutSample(full, full.eventsPerSecond), fanOutSample(steady, steady.p99)];
      },
    },
  ];
}

const labelPatch = (value: string): string =>
  JSON.stringify([{ op: 'replace', path: '/metadata/labels/revision', value }]);

async function answerLength(side: Side, path: string, accept?: string): Promise<number> {
  const client = new ApiClient(side, 1);
  try {
    const headers = accept === undefined ? {} : { accept };
    return (await client.expect([200], 'GET', path, undefined, headers)).bytes;
  } finally {
    client.close();
  }
}

const endless = 10 ** 8;

async function createAndDelete(
  side: Side,
  seconds: number,
  prefix: string,
  bodyFile: string,
): Promise<readonly Sample[]> {
  writeFileSync(bodyFile, configMapTemplate(prefix));
  const collection = configMapsOf(churnNamespace);
  const created = await runLoad(side, {
    connections: writeConnections,
    seconds,
    target: { method: 'POST', path: collection, bodyFile, count: endless },
  });
  // The last requests of the load before may not have been carried out.
  const count = Math.max(1, created.issued - writeConnections);
  const deleted = await runLoad(side, {
    connections: writeConnections,
    seconds: seconds * 4,
    target: {
      method: 'DELETE',
      path: `${collection}/${nameTemplate(prefix)}`,
      count,
      once: true,
    },
  });
  return [loadSample(created), loadSample(deleted)];
}

function loadSample(result: LoadResult): Sample {
  return {
    value: result.perSecond,
    p50Milliseconds: result.p50Milliseconds,
    p99Milliseconds: result.p99Milliseconds,
    serverCores: result.serverCores,
    etcdCores: result.etcdCores,
    clientCores: result.clientCores,
    otherCores: result.otherCores,
    bytesPerAnswer: result.bytesPerRequest,
    failures: result.failures,
  };
}

function fanOutSample(result: FanOutResult, value: number): Sample {
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
