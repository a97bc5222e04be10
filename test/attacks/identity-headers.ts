// Headers that name another user: those of authenticating proxies without the proxy's certificate, and impersonation
// without permission.

import { makeCertificate } from '../parity/certificates.ts';
import { exchange, type Request } from '../parity/client.ts';
import {
  createProxies,
  type ProxiedServer,
  referenceKit,
  type StartedReference,
  startProxiedOrch,
  startProxiedReference,
} from '../parity/servers.ts';
import { type AttackClass, attackOfTries } from './attack.ts';
import { Http2Client } from './client.ts';

const masters = 'system:masters';
const protectedPath = '/api/v1/namespaces/kube-system/secrets';

export const identityHeaders: AttackClass = {
  name: 'identity headers',
  sides: ['orch', 'reference'],
  async prepare({ side, server, undo }) {
    const proxies = await createProxies(undo);
    const target =
      side === 'orch'
        ? await startProxiedOrch('defaults', proxies, undo)
        : await startProxiedReference(referenceKit()!, server as StartedReference, proxies, undo);
    const http2 = new Http2Client(target);
    undo.push(async () => {
      http2.close();
      target.agent.destroy();
    });
    const genuine = makeCertificate(target, { names: ['front'], ofProxy: true });
    const byProxy = await statusOf(target, {
      headers: { 'X-Remote-User': 'admin', 'X-Remote-Group': masters },
      certificate: genuine,
    });
    // Without this the attacks would prove nothing.
    if (byProxy !== 200) throw new Error('a proxy with a genuine certificate is rejected');
    const answers = new Map<string, number>();
    const tries = triesOn(target);
    const note = (what: string, status: number) => {
      answers.set(what, status);
      if (status === 200) throw new Error(`${what}: the request was served`);
    };
    const attacks = [
      attackOfTries('over HTTP/1.1', tries, async ({ what, ...request }) =>
        note(what, await statusOf(target, request)),
      ),
      attackOfTries(
        'over HTTP/2',
        tries.filter(({ certificate }) => !certificate),
        async ({ what, headers }) => {
          const { status } = await http2.request({ ':path': protectedPath, ...headers });
          note(`HTTP/2 ${what}`, status);
        },
      ),
    ];
    return { target, attacks, answers };
  },
};

type Sent = Pick<Request, 'headers' | 'certificate'>;

const statusOf = (server: ProxiedServer, sent: Sent) =>
  exchange(server, { method: 'GET', path: protectedPath, ...sent }).then(
    ({ status }) => status,
    () => 0,
  );

/** Every way to name an admin, by every client that may not. */
function triesOn(server: ProxiedServer): (Sent & { what: string })[] {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const shown = (certificate: Request['certificate'] & object) => ({ headers: {}, certificate });
  const clients: Record<string, Sent> = {
    anonymous: { headers: {} },
    'a user': bearer('alice-token'),
    'a wrong token': bearer('wrong'),
    'an empty token': bearer(''),
    'a client certificate': shown(makeCertificate(server, { names: ['mallory'] })),
    "a client certificate with the proxy's name": shown(makeCertificate(server, { names: ['front'] })),
    'a proxy with another name': shown(makeCertificate(server, { names: ['back'], ofProxy: true })),
    'a proxy with two names': shown(makeCertificate(server, { names: ['front', 'back'], ofProxy: true })),
    'a proxy with a null in its name': shown(makeCertificate(server, { names: ['front\0'], ofProxy: true })),
    'a proxy with its name as group': shown(makeCertificate(server, { groups: ['front'], ofProxy: true })),
    'an expired proxy': shown(
      makeCertificate(server, { names: ['front'], ofProxy: true, valid: [-7200, -60] }),
    ),
    'a forged proxy': shown(makeCertificate(server, { names: ['front'], ofProxy: true, foreign: true })),
    "a proxy with a server's certificate": shown(
      makeCertificate(server, { names: ['front'], ofProxy: true, forServers: true }),
    ),
  };
  return Object.entries(clients).flatMap(([client, sent]) =>
    headerSets().map((headers) => ({
      ...sent,
      what: `${client}: ${JSON.stringify(headers)}`,
      headers: { ...sent.headers, ...headers },
    })),
  );
}

/** Headers that name a cluster admin. */
function headerSets(): Record<string, string | string[]>[] {
  const proxied = [
    ['X-Remote-User', 'X-Remote-Group'],
    ['x-remote-user', 'x-remote-group'],
    ['X-REMOTE-USER', 'X-REMOTE-GROUP'],
    ['X-User', 'X-Group'],
    ['X_Remote_User', 'X_Remote_Group'],
    ['X-Forwarded-User', 'X-Forwarded-Groups'],
    ['Impersonate-User', 'Impersonate-Group'],
    ['impersonate-user', 'impersonate-group'],
    ['Impersonate_User', 'Impersonate_Group'],
  ] as const;
  const values: readonly (readonly [user: string | string[], group: string | string[]])[] = [
    ['admin', masters],
    ['admin', [masters, 'x']],
    [['alice', 'admin'], masters],
    [
      ['admin', 'admin'],
      [masters, masters],
    ],
    ['alice', masters],
    ['system:apiserver', masters],
    ['', masters],
    [' ', masters],
    ['admin,alice', `x,${masters}`],
    ['system:serviceaccount:kube-system:default', masters],
    ['system:node:x', 'system:nodes'],
    ['system:anonymous', masters],
    ['%61dmin', 'system%3Amasters'],
    ['"admin"', `"${masters}"`],
  ];
  const more: Record<string, string | string[]>[] = [
    { 'Impersonate-Group': masters },
    { 'Impersonate-Uid': 'admin-uid' },
    { 'Impersonate-Extra-Scopes': 'x' },
    { 'Impersonate-User': 'admin', 'Impersonate-Uid': 'admin-uid' },
    { 'Impersonate-User': 'admin', 'Impersonate-Extra-x%2fy': 'z' },
    { 'X-Remote-User': 'admin', 'Impersonate-User': 'admin', 'Impersonate-Group': masters },
    { 'X-Remote-User': 'admin', 'X-Remote-Uid': 'admin-uid', 'X-Remote-Extra-Scopes': masters },
    { 'X-Remote-Group': masters },
    { 'X-Forwarded-Client-Cert': 'Subject="O=system:masters,CN=admin"' },
    { 'X-SSL-Client-S-DN': 'O=system:masters,CN=admin', 'X-SSL-Client-Verify': 'SUCCESS' },
    { Cookie: 'user=admin; token=admin-token' },
    { 'Proxy-Authorization': 'Bearer admin-token' },
    { 'X-Auth-Token': 'admin-token' },
    { 'Sec-WebSocket-Protocol': 'base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4' },
  ];
  return [
    ...proxied.flatMap(([user, group]) =>
      values.map(([name, groups]) => ({ [user]: name, [group]: groups })),
    ),
    ...more,
  ];
}
