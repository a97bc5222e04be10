// Path and method tricks: clients without permission try to reach protected objects by other spellings of their paths.
import { once } from 'node:events';
import type { Answer, Server } from '../parity/client.ts';
import { type Attack, type AttackClass, attackOfTries } from './attack.ts';
import { dial, Http2Client, send, setUp } from './client.ts';
import { headerTricks, spellings, unusualMethods, writeMethods } from './path-tricks.ts';

const openNamespace = 'attack-open';
const closedNamespace = 'attack-closed';
const secretValue = 'nobody may read this';
/** None of these may be in a response. */
const protectedTexts = [
  secretValue,
  Buffer.from(secretValue).toString('base64'),
  'apiserver_request_total',
  '"kind":"ClusterRole"',
  '"kind":"NamespaceList"',
];

const closedPath = `/api/v1/namespaces/${closedNamespace}`;
const protectedPaths = [
  `${closedPath}/secrets/hidden`,
  `${closedPath}/secrets`,
  '/api/v1/secrets',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles/cluster-admin',
  '/api/v1/namespaces',
  '/metrics',
];

interface Client {
  readonly name: string;
  readonly token?: string;
  readonly isHttp2: boolean;
}

interface Try {
  readonly client: Client;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const paths: AttackClass = {
  name: 'path tricks',
  sides: ['orch', 'reference'],
  async prepare({ server, undo }) {
    undo.push(async () => {
      for (const name of [openNamespace, closedNamespace])
        await send(server, 'DELETE', `/api/v1/namespaces/${name}`);
    });
    const http2 = new Http2Client(server);
    undo.push(async () => http2.close());
    const answers = new Map<string, number>();
    const clients = await createClients(server);
    const state = () => protectedState(server);
    const before = await state();
    const tries = triesOf(clients);
    const attacks = [...tries].map(([name, ofName]): Attack => {
      const attack = attackOfTries(name, ofName, async (one) => {
        const answer = await (one.client.isHttp2 ? overHttp2(http2, one) : overHttp1(server, one));
        answers.set(nameOf(one), answer.status);
        assertHeld(one, answer);
      });
      return {
        ...attack,
        async run() {
          await attack.run();
          if ((await state()) !== before) throw new Error('a protected object was changed');
        },
      };
    });
    return { target: server, attacks, answers };
  },
};

async function createClients(server: Server): Promise<Client[]> {
  for (const name of [openNamespace, closedNamespace]) {
    const path = `/api/v1/namespaces/${name}`;
    await setUp(server, 'POST', '/api/v1/namespaces', { metadata: { name } });
    await setUp(server, 'POST', `${path}/serviceaccounts`, { metadata: { name: 'client' } });
    const stringData = { key: name === closedNamespace ? secretValue : 'open' };
    await setUp(server, 'POST', `${path}/secrets`, { metadata: { name: 'hidden' }, stringData });
  }
  const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${openNamespace}`;
  const rules = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];
  await setUp(server, 'POST', `${rbac}/roles`, { metadata: { name: 'all' }, rules });
  await setUp(server, 'POST', `${rbac}/rolebindings`, {
    metadata: { name: 'all' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'all' },
    subjects: [{ kind: 'ServiceAccount', name: 'client', namespace: openNamespace }],
  });
  const tenant = await tokenOf(server, openNamespace);
  const nobody = await tokenOf(server, closedNamespace);
  // Without this the attacks would prove nothing.
  const { body } = await setUp(server, 'GET', protectedPaths[0]!);
  if (!protectedTexts.some((text) => body.includes(text)))
    throw new Error('an admin does not read the Secret');
  return [
    { name: 'tenant', token: tenant, isHttp2: false },
    { name: 'tenant', token: tenant, isHttp2: true },
    { name: 'nobody', token: nobody, isHttp2: false },
    { name: 'nobody', token: nobody, isHttp2: true },
    { name: 'anonymous', isHttp2: false },
  ];
}

async function tokenOf(server: Server, namespace: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/client/token`;
  const { body } = await setUp(server, 'POST', path, { spec: {} });
  return (JSON.parse(body) as { status: { token: string } }).status.token;
}

/** The tries by class of trick. */
function triesOf(clients: readonly Client[]): Map<string, Try[]> {
  const from = `/api/v1/namespaces/${openNamespace}/secrets`;
  const tries = new Map<string, Try[]>();
  const [secretPath] = protectedPaths as [string];
  const add = (name: string, ofName: (client: Client) => Omit<Try, 'client'>[]) =>
    tries.set(
      name,
      clients.flatMap((client) => ofName(client).map((each) => ({ client, ...each }))),
    );
  for (const path of protectedPaths) {
    add(`spellings of ${path}`, () =>
      spellings(path, from).map((spelling) => ({ method: 'GET', path: spelling })),
    );
  }
  add('writes', () =>
    spellings(secretPath, from)
      .slice(0, 300)
      .map((path, index) => ({ method: writeMethods[index % 4]!, path })),
  );
  add('methods', () => protectedPaths.flatMap((path) => unusualMethods.map((method) => ({ method, path }))));
  add('headers', () =>
    ['/version', secretPath, `${from}/hidden`].flatMap((path) =>
      headerTricks(secretPath).map((headers) => ({ method: 'GET', path, headers })),
    ),
  );
  return tries;
}

const nameOf = ({ client, method, path, headers = {} }: Try) =>
  [
    client.name,
    client.isHttp2 ? 'HTTP/2' : 'HTTP/1.1',
    method,
    path,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
    .join(' ')
    .slice(0, 300);

function assertHeld(one: Try, { status, body }: Result): void {
  if (protectedTexts.some((text) => body.includes(text))) {
    throw new Error(`${nameOf(one)} was answered with protected content`);
  }
  if (status >= 200 && status < 300 && namespacesIn(body).some((name) => name !== openNamespace)) {
    throw new Error(`${nameOf(one)} was answered with an object of another namespace`);
  }
}

const namespacesIn = (body: string) =>
  [...body.matchAll(/"namespace":\s*"([^"]*)"/g)].map(([, name]) => name!);

type Result = Pick<Answer, 'status' | 'body'>;
const timeoutMs = 10_000;

/** Sends the bytes as they are, whatever a client library thinks of them. */
async function overHttp1(server: Server, { client, method, path, headers }: Try): Promise<Result> {
  const socket = await dial(server);
  const fields = {
    host: server.url.host,
    ...(client.token && { authorization: `Bearer ${client.token}` }),
    ...headers,
    connection: 'close',
  };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.setTimeout(timeoutMs, () => socket.destroy());
  socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return { status: Number(/^HTTP\/1\.[01] (\d{3})/.exec(text)?.[1] ?? 0), body: text };
}

async function overHttp2(http2: Http2Client, { client, method, path, headers }: Try): Promise<Result> {
  const { host, ...others } = headers ?? {};
  return http2.request({
    ':method': method,
    ':path': path,
    ...(host !== undefined && { ':authority': host }),
    ...(client.token && { authorization: `Bearer ${client.token}` }),
    ...others,
  });
}

/** A digest of what the clients may not change. */
async function protectedState(server: Server): Promise<string> {
  const lists = await Promise.all(
    [
      `${closedPath}/secrets`,
      `${closedPath}/configmaps`,
      '/api/v1/namespaces',
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
    ].map((path) => send(server, 'GET', path)),
  );
  const items = lists.map(({ body }) => (JSON.parse(body) as { items: unknown[] }).items);
  return JSON.stringify(items);
}
