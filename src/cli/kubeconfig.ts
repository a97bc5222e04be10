import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Where a client finds a server and how it proves who it is. */
export interface Access {
  readonly url: string;
  /** PEM; undefined where the server speaks plain HTTP or a CA the machine already trusts. */
  readonly caCertificate: string | undefined;
  readonly credentials:
    | { readonly cert: string; readonly key: string }
    | { readonly token: string }
    | undefined;
}

/** A kubeconfig with one cluster, one user and the context that joins them. */
export function kubeconfig({ url, caCertificate, credentials }: Access): string {
  const cluster = [`server: ${JSON.stringify(reachable(url))}`];
  // @kubernetes/client-node refuses an http URL without this setting, and kubectl refuses a CA beside it.
  if (url.startsWith('http:')) cluster.push('insecure-skip-tls-verify: true');
  else if (caCertificate !== undefined) {
    cluster.push(`certificate-authority-data: ${base64(caCertificate)}`);
  }
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    '- name: orch',
    '  cluster:',
    ...cluster.map((line) => `    ${line}`),
    'users:',
    '- name: admin',
    ...userLines(credentials),
    'contexts:',
    '- name: orch',
    '  context:',
    '    cluster: orch',
    '    user: admin',
    'current-context: orch',
    '',
  ].join('\n');
}

function userLines(credentials: Access['credentials']): string[] {
  if (credentials === undefined) return ['  user: {}'];
  if ('token' in credentials) return ['  user:', `    token: ${JSON.stringify(credentials.token)}`];
  return [
    '  user:',
    `    client-certificate-data: ${base64(credentials.cert)}`,
    `    client-key-data: ${base64(credentials.key)}`,
  ];
}

/** A server that listens on every address is reached, on this machine, on loopback. */
function reachable(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/**
 * Replaces the file in one step; only its owner may read it, for it holds an admin's key. Where it says the same already
 * nothing is written, so that a full disk is no reason not to start.
 */
export function writeKubeconfig(path: string, content: string): void {
  const fresh = `${path}.${process.pid}`;
  try {
    if (existsSync(path) && readFileSync(path, 'utf8') === content) {
      chmodSync(path, ownerOnly);
      return;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(fresh, content, { mode: ownerOnly });
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    // A failed write does not say to which file.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}

const ownerOnly = 0o600;
