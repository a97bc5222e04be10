// Creates the CA, serving certificates and keys in the certificate directory unless they exist.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { covers, identifies, isSignedBy, isUsable, type KeyPair } from './certificates.ts';
import { makeAuthority, makeClient, makeServing } from './issue.ts';

export interface PkiRequest {
  /** The folder that keeps keys and certificates; undefined keeps them in memory only. */
  readonly dir: string | undefined;
  /** The common name of the serving certificate; the authority's is made from it. */
  readonly serverName: string;
  /** DNS names and addresses under which the server is reached. */
  readonly names: readonly string[];
  readonly admin: { readonly user: string; readonly groups: readonly string[] };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface Pki {
  readonly authority: KeyPair;
  readonly serving: KeyPair;
  /** How the administrator proves who they are. */
  readonly admin: KeyPair;
}

/** Finds the authority, the serving and the admin's certificate in the folder, and makes what is missing or worn out. */
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
      : await keepFirst(dir, 'ca', await makeAuthority(`${serverName}-ca`, now), knownAuthority);
  const isGood = (pair: KeyPair | undefined): pair is KeyPair =>
    pair !== undefined && isUsable(pair, now) && isSignedBy(pair, authority);
  const serving =
    isGood(knownServing) && covers(knownServing, names)
      ? knownServing
      : await keep(dir, 'server', await makeServing(authority, { name: serverName, reachedAs: names }, now));
  const client =
    isGood(knownAdmin) && identifies(knownAdmin, admin.user, admin.groups)
      ? knownAdmin
      : await keep(dir, 'admin', await makeClient(authority, admin.user, admin.groups, now));
  return { authority, serving, admin: client };
}

/** By what other servers believe this one whom it speaks for. */
export interface ProxyPki {
  readonly authority: KeyPair;
  readonly client: KeyPair;
}

/** Finds, or makes, an authority that signs nothing else than the certificate of this server as a proxy. */
export async function ensureProxyPki({ dir, serverName, now }: ProxyPkiRequest): Promise<ProxyPki> {
  const [knownAuthority, knownClient] = await Promise.all([
    readPair(dir, 'front-proxy-ca'),
    readPair(dir, 'front-proxy-client'),
  ]);
  const authority =
    knownAuthority && isUsable(knownAuthority, now)
      ? knownAuthority
      : await keepFirst(
          dir,
          'front-proxy-ca',
          await makeAuthority(`${serverName}-front-proxy-ca`, now),
          knownAuthority,
        );
  const isGood =
    knownClient && isUsable(knownClient, now) && isSignedBy(knownClient, authority) ? knownClient : undefined;
  const client =
    isGood ?? (await keep(dir, 'front-proxy-client', await makeClient(authority, proxyName, [], now)));
  return { authority, client };
}

/** The common name of the certificate that this server makes for itself as a proxy. */
export const proxyName = 'front-proxy-client';

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

/** How long another server may take from a key to its certificate. */
const patience = 5_000;

/** Of servers that make the pair of one folder at once, the first does it for all. One that is `wornOut` is replaced. */
async function keepFirst(
  dir: string | undefined,
  name: string,
  pair: KeyPair,
  wornOut: KeyPair | undefined,
): Promise<KeyPair> {
  if (wornOut || dir === undefined) return keep(dir, name, pair);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  try {
    await writeFile(join(dir, `${name}.key`), pair.key, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    return (await untilThere(dir, name)) ?? keep(dir, name, pair);
  }
  await replace(join(dir, `${name}.crt`), pair.certificate, 0o644);
  return pair;
}

/** Undefined where the other has ended halfway. */
async function untilThere(dir: string, name: string): Promise<KeyPair | undefined> {
  for (const end = performance.now() + patience; performance.now() < end; ) {
    const pair = await readPair(dir, name);
    if (pair) return pair;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return undefined;
}

/** Puts a pair on disk, the key first: a certificate is never there without the key to it. */
async function keep(dir: string | undefined, name: string, pair: KeyPair): Promise<KeyPair> {
  if (dir === undefined) return pair;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await replace(join(dir, `${name}.key`), pair.key, 0o600);
  await replace(join(dir, `${name}.crt`), pair.certificate, 0o644);
  return pair;
}

async function replace(path: string, content: string, mode: number): Promise<void> {
  const fresh = `${path}.${randomUUID()}.new`;
  await writeFile(fresh, content, { mode });
  await rename(fresh, path);
}
