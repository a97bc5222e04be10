// Certificates and TLS: forged, expired and misused client certificates, names with tricks, old protocols, resumed sessions.
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConnectionOptions, TLSSocket } from 'node:tls';
import {
  id_kp_clientAuth as clientAuth,
  id_kp_codeSigning as codeSigning,
  id_kp_serverAuth as serverAuth,
} from '@peculiar/asn1-x509';
import type { KeyPair } from '../../src/pki/certificates.ts';
import { createCA } from '../../src/pki/issue.ts';
import { makeCertificate, type Shown } from '../parity/certificates.ts';
import type { StartedServer } from '../parity/servers.ts';
import { issueUnusual, makeIntermediate } from '../support/unusual-certificates.ts';
import { type AttackClass, attackOfTries } from './attack.ts';
import { dial } from './client.ts';

const masters = 'system:masters';
const protectedPath = '/api/v1/namespaces/kube-system/secrets';

export const certificates: AttackClass = {
  name: 'certificates and TLS',
  sides: ['orch', 'reference'],
  async prepare({ server }) {
    const answers = new Map<string, number>();
    const genuine = makeCertificate(server, { names: ['admin'], groups: [masters] });
    // Without this the attacks would prove nothing.
    if ((await statusOf(server, genuine)) !== 200) throw new Error('a genuine certificate is rejected');
    const tries = Object.entries({ ...(await forged(server)), ...named(server), ...connectionsOf(genuine) });
    const rejected = attackOfTries(
      'certificates and connections that must not be accepted',
      tries,
      async ([what, options]) => {
        const status = await statusOf(server, options);
        answers.set(what, status);
        if (status === 200) throw new Error(`${what}: the request was served`);
      },
    );
    const resumed = attackOfTries(
      'resumed sessions',
      Object.entries(resumptions(server)),
      async ([what, run]) => {
        const status = await run();
        answers.set(what, status);
        if (status === 200) throw new Error(`${what}: the request was served`);
      },
    );
    const costly = attackOfTries('costly chains', await costlyChains(server), async (options) => {
      await statusOf(server, options);
    });
    return { target: server, attacks: [rejected, resumed, costly], answers };
  },
};

/** The status of a GET of protected objects on one connection; 0 if the server closes it. */
async function statusOf(
  server: StartedServer,
  options: ConnectionOptions,
  onSession?: (session: Buffer) => void,
): Promise<number> {
  const socket = await dial(server, options).catch(() => undefined);
  if (!socket) return 0;
  if (onSession) socket.on('session', onSession);
  return statusOn(server, socket);
}

function statusOn({ url }: StartedServer, socket: TLSSocket): Promise<number> {
  return new Promise((resolve) => {
    let text = '';
    socket.setTimeout(10_000, () => socket.destroy());
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    socket.once('close', () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0)));
    socket.write(`GET ${protectedPath} HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`);
  });
}

const chainOf = (...chain: KeyPair[]): ConnectionOptions => ({
  cert: chain.map((each) => each.certificate).join('\n'),
  key: chain[0]!.key,
});

/** Certificates of a cluster admin that the client CA has not issued to a client. */
async function forged(server: StartedServer): Promise<Record<string, ConnectionOptions>> {
  const root: KeyPair = {
    certificate: readFileSync(server.clientAuthority.certificate, 'utf8'),
    key: readFileSync(server.clientAuthority.key, 'utf8'),
  };
  const admin = { names: ['admin'], groups: [masters] };
  const simple: Record<string, Shown> = {
    'signed by another key in the name of the CA': { ...admin, foreign: true },
    'for servers': { ...admin, forServers: true },
    expired: { ...admin, valid: [-7200, -3600] },
    'not yet valid': { ...admin, valid: [3600, 7200] },
    'with an end before its start': { ...admin, valid: [60, -60] },
  };
  const leaf = (authority: KeyPair, extendedKeyUsage = [clientAuth]) =>
    issueUnusual(authority, 'admin', { groups: [masters], extendedKeyUsage });
  const stranger = await createCA('strangers', Date.now());
  const namesake = await createCA(
    /CN=([^\n]*)/.exec(new X509Certificate(root.certificate).subject)?.[1] ?? '',
    Date.now(),
  );
  const department = await makeIntermediate(root, 'department');
  const theirs = await makeIntermediate(stranger, 'department');
  const client = await issueUnusual(root, 'mallory', { extendedKeyUsage: [clientAuth] });
  const last = await issueUnusual(root, 'last', { isCa: true, pathLength: 0 });
  const below = await issueUnusual(last, 'below', { isCa: true });
  const unfit = {
    'expired intermediate': { isCa: true, hours: [-3, -1] },
    'future intermediate': { isCa: true, hours: [1, 24] },
    'intermediate that is no CA': {},
    'intermediate that may not sign certificates': { isCa: true, keyUsage: 1 },
    'intermediate for servers': { isCa: true, keyUsage: 32, extendedKeyUsage: [serverAuth] },
  } as const;
  const tries: Record<string, ConnectionOptions> = {
    ...Object.fromEntries(
      Object.entries(simple).map(([what, shown]) => [what, makeCertificate(server, shown)]),
    ),
    'of a CA of strangers': chainOf(await leaf(stranger)),
    'of a CA of strangers, with its certificate': chainOf(await leaf(stranger), stranger),
    'of a CA with the name of the CA': chainOf(await leaf(namesake), namesake),
    'of a CA with the name of the CA, with both certificates': chainOf(await leaf(namesake), namesake, root),
    'self-signed, as its own CA': chainOf(stranger),
    'for signing code': chainOf(await leaf(root, [codeSigning])),
    'without its intermediate': chainOf(await leaf(department)),
    'of an intermediate of strangers': chainOf(await leaf(theirs), theirs),
    'of an intermediate of strangers, with ours': chainOf(await leaf(theirs), department, root),
    'signed by a client certificate': chainOf(await leaf(client), client),
    'signed by a client certificate, with the CA': chainOf(await leaf(client), client, root),
    'with a path that is too long': chainOf(await leaf(below), below, last),
    'with a changed subject': tampered(
      makeCertificate(server, { names: ['mallory'], groups: ['system:mastery'] }),
    ),
  };
  for (const [what, properties] of Object.entries(unfit)) {
    const intermediate = await issueUnusual(root, what, properties);
    tries[`of an ${what}`] = chainOf(await leaf(intermediate), intermediate);
  }
  return tries;
}

/** The group in the certificate becomes system:masters; its signature is then wrong. */
function tampered({ cert, key }: { cert: string; key: string }): ConnectionOptions {
  const der = Buffer.from(cert.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  const at = der.indexOf('system:mastery');
  der.write(masters, at);
  return { cert: `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`, key };
}

/** Genuine certificates, whose names only resemble those of an admin. */
function named(server: StartedServer): Record<string, ConnectionOptions> {
  const groups = [
    'system:masters\0',
    'system:masters\0x',
    '\0system:masters',
    ' system:masters',
    'system:masters ',
    'system:masters\n',
    'System:Masters',
    'SYSTEM:MASTERS',
    'system:masters,system:masters',
    'system:masters;',
    'O=system:masters',
    'system:masterѕ',
    'system：masters',
    'system:%6dasters',
    'ſystem:masters',
    'x\nO=system:masters',
    'x, O=system:masters',
    'x/O=system:masters',
    'x+O=system:masters',
    '',
    '*',
    '__proto__',
  ];
  const names = [
    'admin',
    'admin\0',
    'admin\0.example.com',
    '\0admin',
    'x/O=system:masters',
    'x\nO=system:masters',
    'x,O=system:masters',
    'x+O=system:masters',
    'system:masters',
    'system:apiserver',
    'system:admin',
    'system:anonymous',
    '__proto__',
    'constructor',
    '',
    '*',
    'ａdmin',
  ];
  return {
    ...Object.fromEntries(
      groups.map((group) => [
        `the group ${JSON.stringify(group)}`,
        makeCertificate(server, { names: ['mallory'], groups: [group] }),
      ]),
    ),
    ...Object.fromEntries(
      names.map((name) => [`the name ${JSON.stringify(name)}`, makeCertificate(server, { names: [name] })]),
    ),
    'two names': makeCertificate(server, { names: ['mallory', 'admin'] }),
    'no name': makeCertificate(server, { groups: ['x'] }),
  };
}

/** Connections of an admin with protocols and ciphers that are too weak. */
function connectionsOf({ cert, key }: { cert: string; key: string }): Record<string, ConnectionOptions> {
  const own = { cert, key };
  const weak = ['aNULL', 'eNULL', 'RC4', '3DES', 'DES', 'MD5', 'PSK', 'SRP', 'CAMELLIA', 'SEED', 'IDEA'];
  return {
    'TLS 1.0': { ...own, minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'ALL@SECLEVEL=0' },
    'TLS 1.1': { ...own, minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' },
    ...Object.fromEntries(
      weak.map((cipher) => [
        `the ciphers ${cipher}`,
        { ...own, maxVersion: 'TLSv1.2', ciphers: `${cipher}@SECLEVEL=0` } as const,
      ]),
    ),
  };
}

const shortLifeMs = 4_000;

/** Sessions of one client that another resumes, or the same one after its certificate has expired. */
function resumptions(server: StartedServer): Record<string, () => Promise<number>> {
  const admin = { names: ['admin'], groups: [masters] };
  const forgery = () => makeCertificate(server, { ...admin, foreign: true });
  const versions = ['TLSv1.2', 'TLSv1.3'] as const;
  return Object.fromEntries(
    versions.flatMap((maxVersion) => {
      const resume = async (first: ConnectionOptions, second: ConnectionOptions, waitMs = 0) => {
        let session: Buffer | undefined;
        await statusOf(server, { ...first, maxVersion }, (received) => {
          session = received;
        });
        await sleep(waitMs);
        return statusOf(server, { ...second, maxVersion, ...(session && { session }) });
      };
      return [
        [`${maxVersion}: of nobody, with a forged certificate`, () => resume({}, forgery())],
        [`${maxVersion}: of a forged certificate, without one`, () => resume(forgery(), {})],
        [`${maxVersion}: of a forged certificate, with another`, () => resume(forgery(), forgery())],
        [
          `${maxVersion}: of a user, with a forged certificate`,
          () => resume(makeCertificate(server, { names: ['mallory'] }), forgery()),
        ],
        [
          `${maxVersion}: of a certificate that has expired meanwhile`,
          () =>
            resume(
              makeCertificate(server, { ...admin, valid: [-3600, shortLifeMs / 1000 - 1] }),
              {},
              shortLifeMs,
            ),
        ],
      ] as const;
    }),
  );
}

/** Chains that take long to verify: many CAs, CAs of one name, large keys. */
async function costlyChains(server: StartedServer): Promise<ConnectionOptions[]> {
  const root: KeyPair = await createCA('strangers', Date.now());
  const namesakes = await Promise.all(Array.from({ length: 60 }, () => makeIntermediate(root, 'strangers')));
  const loop = chainOf(await issueUnusual(namesakes[0]!, 'admin', { groups: [masters] }), ...namesakes);
  const groups = Array.from({ length: 3_000 }, (_, index) => `group-${index}`);
  const manyGroups = makeCertificate(server, { names: ['mallory'], groups });
  return Array.from({ length: 50 }, () => [loop, manyGroups]).flat();
}
