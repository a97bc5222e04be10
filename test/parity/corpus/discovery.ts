import { ask, get, type Json, type JsonObject, subject } from '../case.ts';

const ours =
  /^(namespaces|configmaps|secrets|limitranges|endpoints|events|componentstatuses|controllerrevisions|leases)(\/|$)/;
const groups = ['apps', 'coordination.k8s.io', 'events.k8s.io'];

/** Of a group version's document, the resources that both servers have. */
const resources = {
  pick: (body: JsonObject): Json => ({ ...body, resources: named(body.resources, 'name') }),
};

/** Of the list of groups, the groups both servers have, without versions still to come. */
const groupList = {
  pick: (body: JsonObject): Json => ({
    ...body,
    groups: list(body.groups)
      .filter((group) => groups.includes(String(group.name)))
      .map(withoutBeta),
  }),
};
const oneGroup = { pick: withoutBeta };

function withoutBeta(group: JsonObject): JsonObject {
  return Array.isArray(group.versions)
    ? { ...group, versions: list(group.versions).filter(({ version }) => version === 'v1') }
    : group;
}

/** Of an aggregated document, the same. */
const aggregated = (accept: string) => ({
  headers: { accept },
  pick: (body: JsonObject): Json => ({
    ...body,
    items: list(body.items)
      .filter(
        ({ metadata }) =>
          groups.includes(String((metadata as JsonObject | undefined)?.name)) ||
          metadata === undefined ||
          !(metadata as JsonObject).name,
      )
      .map((group) => ({
        ...group,
        versions: list(group.versions)
          .filter(({ version }) => version === 'v1')
          .map((version) => ({ ...version, resources: named(version.resources, 'resource') })),
      })),
  }),
});

function named(items: Json | undefined, key: string): Json {
  return list(items).filter((item) => ours.test(String(item[key])));
}

function list(items: Json | undefined): JsonObject[] {
  return Array.isArray(items) ? (items as JsonObject[]) : [];
}

const v2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const v2beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList';

export const discovery = subject('discovery', [
  ask('the core versions', get('/api'), get('/api/')),
  ask(
    'the groups',
    get('/apis', groupList),
    get('/apis/', groupList),
    groups.map((group) => get(`/apis/${group}`, oneGroup)),
  ),
  ask(
    'the resources',
    ['/api/v1', '/api/v1/', ...groups.map((group) => `/apis/${group}/v1`)].map((path) =>
      get(path, resources),
    ),
  ),
  ask(
    'aggregated',
    [v2, v2beta1, `${v2},${v2beta1},application/json`].flatMap((accept) => [
      get('/api', aggregated(accept)),
      get('/apis', aggregated(accept)),
    ]),
    get('/apis', {
      ...groupList,
      headers: { accept: 'application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList' },
    }),
    get('/apis', aggregated(`application/json,${v2}`)),
  ),
  ask(
    'unchanged since',
    ['/api', '/apis'].flatMap((path) => [
      get(path, { ...aggregated(v2), as: 'before' }),
      get(path, { headers: { accept: v2, 'if-none-match': '{before.etag}' } }),
      get(path, { headers: { accept: v2, 'if-none-match': '*' }, pick: ({ kind }) => kind ?? null }),
      get(path, { headers: { accept: v2, 'if-none-match': '"nope"' }, pick: ({ kind }) => kind ?? null }),
    ]),
  ),
]);
