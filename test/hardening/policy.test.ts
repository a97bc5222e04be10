// Nothing is served without authorization. This test requests every resource and subresource of the registry, with every verb
// in each scope, and every other path over HTTP: as a user without permissions, as a user with exactly that permission, as a
// user with all other permissions, and without credentials. It prints the number of requests.
import assert from 'node:assert/strict';
import https from 'node:https';
import { describe, test } from 'node:test';
import { builtinKinds } from '../../src/apis/index.ts';
import { ServedApis } from '../../src/apis/served-apis.ts';
import { orch } from '../../src/dialect/index.ts';
import { FeatureGates } from '../../src/kind/features/gates.ts';
import { Registry } from '../../src/kind/registry.ts';
import { RealServer, tokens } from './real-server.ts';

const featureGates = { AllAlpha: true, AllBeta: true };
const runtimeConfig = { 'api/all': true };
const features = new FeatureGates(featureGates);
const kinds = builtinKinds({ dialect: orch, features, allowPrivileged: false });
const registry = new Registry(kinds, orch, new ServedApis(runtimeConfig, kinds, orch, features));

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'] as const;
type Verb = (typeof verbs)[number];

const methodOf: Readonly<Record<Verb, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
};

/** A request, and the one rule that allows it. */
interface Ask {
  readonly method: string;
  readonly path: string;
  readonly rule: Rule;
  /** '' for a cluster-wide permission. */
  readonly namespace: string;
}

interface Rule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

const home = 'policy';
const elsewhere = 'policy-elsewhere';

function requestsIn(namespace: string): Ask[] {
  return registry.resources.flatMap(({ group, version, definition }) => {
    const { plural, namespaced, subresources } = definition;
    if (namespace !== '' && !namespaced) return [];
    const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const collection = `${root}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}`;
    // Without a namespace, a namespaced resource has only list and watch.
    const ownVerbs = namespaced && namespace === '' ? (['list', 'watch'] as const) : verbs;
    const ask = (verb: Verb, resource: string, path: string): Ask => ({
      method: methodOf[verb],
      path,
      rule: { verbs: [verb], apiGroups: [group], resources: [resource] },
      namespace,
    });
    const own = ownVerbs.map((verb) => {
      const isCollectionItem =
        verb === 'list' || verb === 'watch' || verb === 'create' || verb === 'deletecollection';
      const query = verb === 'watch' ? 'watch=1' : methodOf[verb] === 'GET' ? '' : 'dryRun=All';
      return ask(verb, plural, `${collection}${isCollectionItem ? '' : '/x'}?${query}`);
    });
    if (namespaced && namespace === '') return own;
    const parts = Object.keys(subresources).flatMap((subresource) =>
      (['get', 'create', 'update', 'patch', 'delete'] as const).map((verb) =>
        ask(verb, `${plural}/${subresource}`, `${collection}/x/${subresource}?dryRun=All`),
      ),
    );
    const oldWatch = ask('watch', plural, `${root}/watch${collection.slice(root.length)}/x`);
    return [...own, ...parts, oldWatch];
  });
}

const requests = ['', home].flatMap(requestsIn);

/** Every authenticated user may do these. */
const openToKnown = [
  'create selfsubjectaccessreviews',
  'create selfsubjectrulesreviews',
  'create selfsubjectreviews',
  'get clustertrustbundles',
  'list clustertrustbundles',
  'watch clustertrustbundles',
];
const openPathsToKnown =
  /^\/(api|apis|openapi|healthz|livez|readyz|version)$|^\/(api|apis|openapi)\/|^\/version\/$/;
/** Anonymous requests may do these. */
const openPaths = ['/healthz', '/livez', '/readyz', '/version', '/version/'];

const isOpenToKnown = ({ rule }: Ask) => openToKnown.includes(`${rule.verbs[0]} ${rule.resources?.[0]}`);

const rightOf = (index: number) => `right-${index}`;

/** One user for each request, with exactly the permission for it, and some with nearly all permissions. */
async function grant(server: RealServer, paths: readonly string[]): Promise<void> {
  const apiGroup = orch.groupName('rbac.authorization');
  const apiVersion = `${apiGroup}/v1`;
  const { client } = server.running;
  const give = async (user: string, rules: readonly Rule[], namespace = '') => {
    await client.create({ apiVersion, kind: 'ClusterRole', metadata: { name: user }, rules });
    await client.create({
      apiVersion,
      kind: namespace === '' ? 'ClusterRoleBinding' : 'RoleBinding',
      metadata: { name: user, ...(namespace !== '' && { namespace }) },
      roleRef: { apiGroup, kind: 'ClusterRole', name: user },
      subjects: [{ apiGroup, kind: 'User', name: user }],
    });
  };
  for (const name of [home, elsewhere]) {
    await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await inParts(requests, ({ rule, namespace }, index) => give(rightOf(index), [rule], namespace));
  await inParts(paths, (path, index) => give(`path-${index}`, [{ verbs: ['get'], nonResourceURLs: [path] }]));
  const parents = [...new Set(registry.resources.map(({ definition }) => definition.plural))];
  await give('parents', [{ verbs: ['*'], apiGroups: ['*'], resources: parents }]);
  const other = [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'] }];
  await give('elsewhere', other, elsewhere);
}

async function inParts<T>(
  all: readonly T[],
  each: (one: T, index: number) => Promise<void>,
  atOnce = 16,
): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < all.length; index = next++) await each(all[index]!, index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}

let paths: readonly string[] = [];
const server = new RealServer({ featureGates, runtimeConfig, maxRequestsInflight: 0 }, async (server) => {
  const { text } = await server.ask('/');
  paths = ['/', ...(JSON.parse(text).paths as string[])];
  await grant(server, paths);
});
const agent = new https.Agent({ keepAlive: true, maxSockets: 16 });

type Who = { readonly user: string } | { readonly token: string | undefined };

/** The status code of the response; a watch is closed as soon as it is known. */
function codeFor({ method, path }: Pick<Ask, 'method' | 'path'>, who: Who): Promise<number> {
  const token = 'user' in who ? tokens.admin : who.token;
  const body = method === 'GET' || method === 'DELETE' ? '' : '{}';
  return new Promise((resolve, reject) => {
    const request = https.request(
      {
        host: '127.0.0.1',
        port: server.securePort,
        method,
        path,
        agent,
        ca: server.ca,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...('user' in who && { 'impersonate-user': who.user }),
          ...(body && {
            'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json',
            'content-length': '2',
          }),
        },
      },
      (response) => {
        resolve(response.statusCode ?? 0);
        if (response.statusCode === 200 && path.includes('watch')) response.destroy();
        else response.resume();
        response.on('error', () => {});
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

const say = ({ method, path }: Pick<Ask, 'method' | 'path'>) => `${method} ${path}`;

/** Sends all requests, and lists those with an unexpected status code. */
async function wrong<T extends Pick<Ask, 'method' | 'path'>>(
  asked: readonly T[],
  who: (ask: T, index: number) => Who,
  isRight: (code: number, ask: T) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  await inParts(asked, async (ask, index) => {
    const code = await codeFor(ask, who(ask, index));
    if (!isRight(code, ask)) found.push(`${code} for ${say(ask)}`);
  });
  return found;
}

describe('nothing is served without authorization', () => {
  test('the test covers every resource, subresource and verb, and prints how many', () => {
    const resources = registry.resources.length;
    const parts = registry.resources.flatMap(({ definition }) => Object.keys(definition.subresources)).length;
    console.log(
      `walked: ${resources} resources, ${parts} subresources, ${requests.length} requests, ${paths.length} other paths`,
    );
    for (const { group, definition } of registry.resources) {
      for (const verb of verbs) {
        const isWalked = requests.some(
          ({ rule }) =>
            rule.verbs[0] === verb &&
            rule.apiGroups?.[0] === group &&
            rule.resources?.[0] === definition.plural,
        );
        assert.ok(isWalked, `${verb} ${definition.plural} in ${group}`);
      }
    }
    assert.ok(resources > 80 && parts > 40 && requests.length > 1_000 && paths.length > 40);
  });

  test('every resource × verb is 403 for an authenticated user without permissions, except public ones', async () => {
    const nobody = () => ({ token: tokens.nobody });
    assert.deepEqual(await wrong(requests, nobody, (code, ask) => (code === 403) !== isOpenToKnown(ask)), []);
  });

  test('every resource × verb is 403 without credentials', async () => {
    assert.deepEqual(
      await wrong(
        requests,
        () => ({ token: undefined }),
        (code) => code === 403,
      ),
      [],
    );
  });

  test('every resource × verb is 401 with invalid credentials', async () => {
    assert.deepEqual(
      await wrong(
        requests,
        () => ({ token: 'wrong' }),
        (code) => code === 401,
      ),
      [],
    );
  });

  test('every resource × verb is allowed for a user with exactly that permission', async () => {
    const owner = (_: Ask, index: number) => ({ user: rightOf(index) });
    assert.deepEqual(await wrong(requests, owner, (code) => code !== 403 && code !== 401), []);
    assert.deepEqual(
      server.log.filter((line) => line.includes('request failed with an internal error')),
      [],
    );
  });

  test('a permission does not include another resource or verb', async () => {
    const neighbour = (_: Ask, index: number) => ({ user: rightOf((index + 1) % requests.length) });
    const isSame = (a: Ask, b: Ask) =>
      JSON.stringify(a.rule) === JSON.stringify(b.rule) &&
      (b.namespace === '' || b.namespace === a.namespace);
    const apart = requests.filter((ask, index) => !isSame(ask, requests[(index + 1) % requests.length]!));
    const at = new Map(requests.map((ask, index) => [ask, index]));
    const refused = (code: number, ask: Ask) => (code === 403) !== isOpenToKnown(ask);
    assert.ok(apart.length > 1_000);
    assert.deepEqual(await wrong(apart, (ask) => neighbour(ask, at.get(ask)!), refused), []);
  });

  test('a permission on every resource does not include subresources', async () => {
    const parts = requests.filter(({ rule }) => rule.resources?.[0]?.includes('/'));
    assert.ok(parts.length > 200);
    assert.deepEqual(
      await wrong(
        parts,
        () => ({ user: 'parents' }),
        (code) => code === 403,
      ),
      [],
    );
  });

  test('every permission in one namespace grants nothing in another, nor cluster-wide', async () => {
    const refused = (code: number, ask: Ask) => (code === 403) !== isOpenToKnown(ask);
    assert.deepEqual(await wrong(requests, () => ({ user: 'elsewhere' }), refused), []);
  });

  test('unserved resources are 403 as well, so that they cannot be probed', async () => {
    const unknown = [
      '/api/v1/nothing',
      '/api/v2/pods',
      '/apis/no.such.group/v1/things',
      '/api/v1/namespaces/policy/nothing/x',
      '/api/v1/namespaces/policy/pods/x/nothing',
      '/nothing',
      '/debug/pprof/heap',
      '/logs/',
      '/metrics/nothing',
    ].map((path) => ({ method: 'GET', path }));
    for (const token of [tokens.nobody, undefined]) {
      assert.deepEqual(
        await wrong(
          unknown,
          () => ({ token }),
          (code) => code === 403,
        ),
        [],
      );
    }
  });

  test('every non-resource path is 403 for an authenticated user, except discovery, health and version', async () => {
    const gets = paths.map((path) => ({ method: 'GET', path }));
    const open = (code: number, { path }: { path: string }) => (code === 403) !== openPathsToKnown.test(path);
    assert.deepEqual(await wrong(gets, () => ({ token: tokens.nobody }), open), []);
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const writes = paths.map((path) => ({ method, path }));
      assert.deepEqual(
        await wrong(
          writes,
          () => ({ token: tokens.nobody }),
          (code) => code === 403,
        ),
        [],
      );
    }
  });

  test('every non-resource path is 403 without credentials, except health and version', async () => {
    const gets = paths.map((path) => ({ method: 'GET', path }));
    const open = (code: number, { path }: { path: string }) => (code === 403) !== openPaths.includes(path);
    assert.deepEqual(await wrong(gets, () => ({ token: undefined }), open), []);
    assert.deepEqual(
      await wrong(
        gets,
        () => ({ token: 'wrong' }),
        (code) => code === 401,
      ),
      [],
    );
  });

  test('every non-resource path is allowed for a user with exactly that permission', async () => {
    const gets = paths.map((path) => ({ method: 'GET', path }));
    const owner = (_: unknown, index: number) => ({ user: `path-${index}` });
    assert.deepEqual(await wrong(gets, owner, (code) => code !== 403 && code !== 401), []);
  });

  test('other verbs need their own permission: impersonation and the methods of a proxy', async () => {
    for (const header of [
      'impersonate-user',
      'impersonate-group',
      'impersonate-uid',
      'impersonate-extra-x',
    ]) {
      const headers = { 'impersonate-user': 'someone', [header]: 'admin' };
      const { code } = await server.ask('/api/v1/namespaces', { token: tokens.nobody, headers });
      assert.equal(code, 403, header);
    }
    for (const method of ['OPTIONS', 'HEAD']) {
      const { code } = await server.ask('/api/v1/nodes/x/proxy/', { method, token: tokens.nobody });
      assert.equal(code, 403, method);
    }
  });
});
