// The benchmark loads that run on seeded servers: gets, lists, writes and watches.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deployment, deploymentsPath, initialTag, tagTemplate } from '../deployments.ts';
import {
  churnNamespace,
  configMapsOf,
  configMapTemplate,
  listNamespace,
  nameOf,
  nameTemplate,
  selectTenth,
} from '../objects.ts';
import type { RowName, Sample } from '../rows.ts';
import type { Scale } from '../scale.ts';
import type { Side } from '../sides/side.ts';
import { runFanOut } from './fan-out.ts';
import { http2Groups } from './http2-groups.ts';
import { fanOutSample, type LoadGroup, responseBytes } from './load-group.ts';
import { createPolicies, withPolicyBindings } from './policies.ts';
import { applyRequest, seedDeployments } from './seed.ts';
import { type LoadResult, type ObjectWalk, runLoad } from './wrk.ts';

const writeConnections = 64;

export function loadGroups(scale: Scale, folder: string): LoadGroup[] {
  const bodyFile = join(folder, 'configmap.json');
  writeFileSync(bodyFile, configMapTemplate());
  const listPath = configMapsOf(listNamespace);
  const listedObject = { path: `${listPath}/${nameTemplate()}`, count: scale.listObjects };

  let loadCount = 0;

  const repeatedGet = (
    row: RowName,
    connections: number,
    path: string,
    { includesBareServer = false, accept }: { includesBareServer?: boolean; accept?: string } = {},
  ): LoadGroup => ({
    rows: [row],
    includesBareServer,
    measure: async (side, seconds) => {
      const bytesPerResponse = await responseBytes(side, path, accept);
      const result = await runLoad(side, { connections, seconds, target: path, accept });
      // A load ends within responses. They are long and few, so that partial responses are counted by their bytes.
      return [{ ...loadSample(result), value: result.bytesPerSecond / bytesPerResponse, bytesPerResponse }];
    },
  });
  const overObjects = (
    row: RowName,
    method: string,
    walk: { bodyFile?: string },
    includesBareServer = false,
  ): LoadGroup => ({
    rows: [row],
    includesBareServer,
    measure: async (side, seconds) => {
      const target = { method, ...listedObject, ...walk };
      return [loadSample(await runLoad(side, { connections: writeConnections, seconds, target }))];
    },
  });
  /** Each row has its own Deployments, so that the writes of other rows do not change them. */
  const onDeployments = (
    row: RowName,
    method: string,
    bodyOf: (name: string) => string,
    { query = '', contentType }: { query?: string; contentType?: string } = {},
  ): LoadGroup => {
    const rowBodyFile = join(folder, `${row}.json`);
    writeFileSync(rowBodyFile, bodyOf(nameTemplate(row)));
    const path = `${deploymentsPath}/${nameTemplate(row)}${query === '' ? '' : `?${query}`}`;
    const target: ObjectWalk = {
      ...{ method, path, bodyFile: rowBodyFile, count: scale.deployments },
      ...(contentType !== undefined && { contentType }),
    };
    return {
      rows: [row],
      includesBareServer: false,
      prepare: (side, progress) =>
        seedDeployments(side, (index) => nameOf(index, row), scale.deployments, progress),
      measure: async (side, seconds) => [
        loadSample(await runLoad(side, { connections: writeConnections, seconds, target })),
      ],
    };
  };

  return [
    overObjects('get', 'GET', {}, true),
    repeatedGet('list-all', 4, listPath, { includesBareServer: true }),
    repeatedGet('list-page', 16, `${listPath}?limit=500`),
    repeatedGet('list-label', 8, `${listPath}?${selectTenth}`),
    repeatedGet('list-protobuf', 4, listPath, { accept: 'application/vnd.kubernetes.protobuf' }),
    repeatedGet('list-table', 4, listPath, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }),
    repeatedGet('list-yaml', 4, listPath, { accept: 'application/yaml' }),
    {
      rows: ['create', 'delete'],
      includesBareServer: false,
      measure: (side, seconds) => {
        // A load stops with requests in flight, which may leave an object behind: no name is used twice.
        const prefix = `churn-${++loadCount}`;
        return createAndDelete(side, seconds, prefix, join(folder, `${prefix}.json`));
      },
    },
    {
      rows: ['create-policies', 'create-no-policies', 'create-policies-ratio'],
      includesBareServer: false,
      prepare: createPolicies,
      measure: async (side, seconds) => {
        const load = async (): Promise<Sample> => {
          const prefix = `policed-${++loadCount}`;
          const [created] = await createAndDelete(side, seconds, prefix, join(folder, `${prefix}.json`));
          return created!;
        };
        const free = await load();
        const policed = await withPolicyBindings(side, load);
        return [policed, free, { value: (100 * policed.value) / free.value }];
      },
    },
    overObjects('update', 'PUT', { bodyFile }),
    onDeployments('update-deployment', 'PUT', (name) => deployment(name, tagTemplate)),
    onDeployments('patch-label', 'PATCH', () => labelPatch(tagTemplate), {
      contentType: 'application/json-patch+json',
    }),
    onDeployments('apply-same', 'PATCH', (name) => deployment(name, initialTag), applyRequest),
    onDeployments('apply-change', 'PATCH', (name) => deployment(name, tagTemplate), applyRequest),
    {
      rows: ['fan-out', 'fan-out-delay'],
      includesBareServer: true,
      measure: async (side, seconds) => {
        const { full, steady } = await runFanOut(side, scale.watchers, seconds, { isHttp2: false });
        return [fanOutSample(full, full.eventsPerSecond), fanOutSample(steady, steady.p99)];
      },
    },
    ...http2Groups(scale, folder),
  ];
}

const labelPatch = (value: string): string =>
  JSON.stringify([{ op: 'replace', path: '/metadata/labels/revision', value }]);

const unlimited = 10 ** 8;

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
    target: { method: 'POST', path: collection, bodyFile, count: unlimited },
  });
  // The last requests of the create load may not have been executed.
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
    bytesPerResponse: result.bytesPerRequest,
    failures: result.failures,
  };
}
