// Creates the CA, serving certificates and keys in the certificate directory unless they exist.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isSignedBy, isUsable, isValidForHosts, isValidForUser, type KeyPair } from './certificates.ts';
import { createCA, issueClientCertificate, issueServingCertificate } from './issue.ts';

export interface PkiRequest {
  /** The certificate directory; undefined: keys and certificates stay in memory. */
  readonly dir: string | undefined;
  /** The common name of the serving certificate; the CA is `<serverName>-ca`. */
  readonly serverName: string;
  /** The subject alternative names of the serving certificate. */
  readonly names: readonly string[];
  readonly admin: { readonly user: string; readonly groups: readonly string[] };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Pki {
  readonly authority: KeyPair;
  readonly serving: KeyPair;
  /** The client certificate of the administrator. */
  readonly admin: KeyPair;
}

/** Reads the CA, serving and admin certificates from the directory, and issues those that are missing or due for renewal. */
export async function ensurePki(request: PkiRequest): Promise<Pki> {
  const { dir, serverName, names, admin, now } = request;
  const [knownAuthority, knownServing, knownAdmin] = await Promise.all([
    readPair(dir, 'ca'),
    readPair(dir, 'server'),
    readPair(dir, 'admin'),
  ]);
  const authority =
    knownAuthority && isUsable(knownAuthority, now)
      ? knownAuthority
      : await createOnce(dir, 'ca', await createCA(`${serverName}-ca`, now), knownAuthority);
  const isReusable = (pair: KeyPair | undefined): pair is KeyPair =>
    pair !== undefined && isUsable(pair, now) && isSignedBy(pair, authority);
  const serving =
    isReusable(knownServing) && isValidForHosts(knownServing, names)
      ? knownServing
      : await writePair(
          dir,
          'server',
          await issueServingCertificate(authority, { name: serverName, reachedAs: names }, now),
        );
  const client =
    isReusable(knownAdmin) && isValidForUser(knownAdmin, admin.user, admin.groups)
      ? knownAdmin
      : await writePair(dir, 'admin', await issueClientCertificate(authority, admin.user, admin.groups, now));
  return { authority, serving, admin: client };
}

/** The front-proxy (request header) client certificate and its CA, for aggregated API servers. */
export interface ProxyPki {
  readonly authority: KeyPair;
  readonly client: KeyPair;
}

/** Reads or creates the front-proxy CA, which signs only the client certificate of this server. */
export async function ensureProxyPki({ dir, serverName, now }: ProxyPkiRequest): Promise<ProxyPki> {
  const [knownAuthority, knownClient] = await Promise.all([
    readPair(dir, 'front-proxy-ca'),
    readPair(dir, 'front-proxy-client'),
  ]);
  const authority =
    knownAuthority && isUsable(knownAuthority, now)
      ? knownAuthority
      : await createOnce(
          dir,
          'front-proxy-ca',
          await createCA(`${serverName}-front-proxy-ca`, now),
          knownAuthority,
        );
  const isReusable =
    knownClient && isUsable(knownClient, now) && isSignedBy(knownClient, authority) ? knownClient : undefined;
  const client =
    isReusable ??
    (await writePair(
      dir,
      'front-proxy-client',
      await issueClientCertificate(authority, frontProxyCommonName, [], now),
    ));
  return { authority, client };
}

/** The common name of the front-proxy client certificate. */
export const frontProxyCommonName = 'front-proxy-client';

type ProxyPkiRequest = Pick<PkiRequest, 'dir' | 'serverName' | 'now'>;

async function readPair(dir: string | undefined, name: string): Promise<KeyPair | undefined> {
  if (dir === undefined) return undefined;
  try {
    const [certificate, key] = await Promise.all([
      readFile(join(dir, `${name}.crt`), 'utf8'),
      readFile(join(dir, `${name}.key`), 'utf8'),
    ]);
    return { certificate, key };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** How long to wait for the certificate of a server that has already written its key. */
const peerTimeoutMs = 5_000;

/** Of servers that start concurrently with one directory, the first to create the key wins. An `expired` pair is replaced. */
async function createOnce(
  dir: string | undefined,
  name: string,
  pair: KeyPair,
  expired: KeyPair | undefined,
): Promise<KeyPair> {
  if (expired || dir === undefined) return writePair(dir, name, pair);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(dir, `${name}.key`), pair.key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return (await waitForPair(dir, name)) ?? writePair(dir, name, pair);
  }
  await replaceFile(join(dir, `${name}.crt`), pair.certificate, 0o644);
  return pair;
}

/** Undefined if the other server stopped before it wrote the certificate. */
async function waitForPair(dir: string, name: string): Promise<KeyPair | undefined> {
  for (const end = performance.now() + peerTimeoutMs; performance.now() < end; ) {
    const pair = await readPair(dir, name);
    if (pair) return pair;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

/** Writes the key first: a certificate on disk always has its key. */
async function writePair(dir: string | undefined, name: string, pair: KeyPair): Promise<KeyPair> {
  if (dir === undefined) return pair;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await replaceFile(join(dir, `${name}.key`), pair.key, 0o600);
  await replaceFile(join(dir, `${name}.crt`), pair.certificate, 0o644);
  return pair;
}

async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`;
  await writeFile(temporary, content, { mode });
  await rename(temporary, path);
}
