// Creates the CA, serving and client certificates in the certificate directory unless they exist and are valid.
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
  readonly hostNames: readonly string[];
  readonly admin: { readonly user: string; readonly groups: readonly string[] };
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Of a server that runs: its CA stays, and so do certificates in memory until they are due for renewal. */
  readonly current?: Pki | undefined;
}

export interface Pki {
  readonly ca: KeyPair;
  readonly serving: KeyPair;
  /** The client certificate of the administrator. */
  readonly admin: KeyPair;
}

/** Reads the CA, serving and admin certificates from the directory. Issues those missing or due for renewal. */
export async function ensurePki(request: PkiRequest): Promise<Pki> {
  const { dir, serverName, hostNames, admin, now, current } = request;
  const [existingCA, servingOnDisk, adminOnDisk] = await Promise.all([
    readPair(dir, 'ca'),
    readPair(dir, 'server'),
    readPair(dir, 'admin'),
  ]);
  const ca = current?.ca ?? (await reuseOrCreateCA(dir, 'ca', existingCA, `${serverName}-ca`, now));
  const isReusable = (pair: KeyPair | undefined): pair is KeyPair =>
    pair !== undefined && isUsable(pair, now) && isSignedBy(pair, ca);
  const serving =
    [servingOnDisk, current?.serving].filter(isReusable).find((pair) => isValidForHosts(pair, hostNames)) ??
    (await writePair(dir, 'server', await issueServingCertificate(ca, { name: serverName, hostNames }, now)));
  const client =
    [adminOnDisk, current?.admin]
      .filter(isReusable)
      .find((pair) => isValidForUser(pair, admin.user, admin.groups)) ??
    (await writePair(dir, 'admin', await issueClientCertificate(ca, admin.user, admin.groups, now)));
  return { ca, serving, admin: client };
}

/** The front-proxy (request header) client certificate and its CA, for aggregated API servers. */
export interface ProxyPki {
  readonly ca: KeyPair;
  readonly client: KeyPair;
}

/** Reads or creates the front-proxy CA, which signs only the client certificate of this server. */
export async function ensureProxyPki(request: ProxyPkiRequest): Promise<ProxyPki> {
  const { dir, serverName, now, current } = request;
  const [existingCA, clientOnDisk] = await Promise.all([
    readPair(dir, 'front-proxy-ca'),
    readPair(dir, 'front-proxy-client'),
  ]);
  const name = 'front-proxy-ca';
  const ca = current?.ca ?? (await reuseOrCreateCA(dir, name, existingCA, `${serverName}-${name}`, now));
  const existing = [clientOnDisk, current?.client].find(
    (pair) => pair && isUsable(pair, now) && isSignedBy(pair, ca),
  );
  if (existing) return { ca, client: existing };
  const client = await issueClientCertificate(ca, frontProxyCommonName, [], now);
  return { ca, client: await writePair(dir, 'front-proxy-client', client) };
}

/** The common name of the front-proxy client certificate. */
export const frontProxyCommonName = 'front-proxy-client';

type ProxyPkiRequest = Pick<PkiRequest, 'dir' | 'serverName' | 'now'> & {
  readonly current?: ProxyPki | undefined;
};

async function reuseOrCreateCA(
  dir: string | undefined,
  fileName: string,
  existing: KeyPair | undefined,
  commonName: string,
  now: number,
): Promise<KeyPair> {
  if (existing && isUsable(existing, now)) return existing;
  return createOnce(dir, fileName, await createCA(commonName, now), existing);
}

/** Undefined without a directory, or if one of the files does not exist. */
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

/** Of several servers that start with one directory, the first to create the key wins. Replaces an `expired` pair. */
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

/**
 * Writes the key first: a certificate on disk always has its key. If the directory is read-only, such as a mounted Secret with the
 * CA, the certificate stays in memory.
 */
async function writePair(dir: string | undefined, name: string, pair: KeyPair): Promise<KeyPair> {
  if (dir === undefined) return pair;
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await replaceFile(join(dir, `${name}.key`), pair.key, 0o600);
    await replaceFile(join(dir, `${name}.crt`), pair.certificate, 0o644);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'EROFS' && code !== 'EACCES') throw error;
  }
  return pair;
}

/** Replaces a file atomically. */
async function replaceFile(path: string, content: string, mode: number): Promise<void> {
  const temporary = `${path}.${randomUUID()}.new`;
  await writeFile(temporary, content, { mode });
  await rename(temporary, path);
}
