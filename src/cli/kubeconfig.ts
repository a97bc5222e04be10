// Writes the kubeconfig with which the cluster admin connects to a started server.
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Impersonation } from './cluster/http-client.ts';

export interface KubeconfigAccess {
  readonly url: string;
  /** PEM; undefined with plain HTTP, or if the machine trusts the CA already. */
  readonly caCertificate: string | undefined;
  readonly credentials:
    | { readonly cert: string; readonly key: string }
    | { readonly token: string }
    | undefined;
}

/** One cluster, one user and one context. Requests are sent as the impersonated user, if there is one. */
export function kubeconfig(
  { url, caCertificate, credentials }: KubeconfigAccess,
  impersonated?: Impersonation,
): string {
  const cluster = [`server: ${JSON.stringify(connectableUrl(url))}`];
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
    ...userLines([...credentialLines(credentials), ...impersonationLines(impersonated)]),
    'contexts:',
    '- name: orch',
    '  context:',
    '    cluster: orch',
    '    user: admin',
    'current-context: orch',
    '',
  ].join('\n');
}

const userLines = (lines: readonly string[]) =>
  lines.length === 0 ? ['  user: {}'] : ['  user:', ...lines.map((line) => `    ${line}`)];

function credentialLines(credentials: KubeconfigAccess['credentials']): string[] {
  if (credentials === undefined) return [];
  if ('token' in credentials) return [`token: ${JSON.stringify(credentials.token)}`];
  return [
    `client-certificate-data: ${base64(credentials.cert)}`,
    `client-key-data: ${base64(credentials.key)}`,
  ];
}

function impersonationLines(impersonated: Impersonation | undefined): string[] {
  if (!impersonated) return [];
  const { user, groups } = impersonated;
  return [
    `as: ${JSON.stringify(user)}`,
    ...(groups.length > 0 ? [`as-groups: ${JSON.stringify(groups)}`] : []),
  ];
}

/** A URL that clients can connect to: the loopback address in place of the wildcard address. */
function connectableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

const ownerOnly = 0o600;

/**
 * Replaces the file atomically, readable by its owner only, as it contains the admin's key. An unchanged file is not
 * written, so that a full disk does not prevent a start.
 */
export function writeKubeconfig(path: string, content: string): void {
  const temporaryPath = `${path}.${process.pid}`;
  try {
    if (existsSync(path) && readFileSync(path, 'utf8') === content) {
      chmodSync(path, ownerOnly);
      return;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporaryPath, content, { mode: ownerOnly });
    renameSync(temporaryPath, path);
  } catch (error) {
    rmSync(temporaryPath, { force: true });
    // A write error does not name the file.
    throw error instanceof Error ? Object.assign(error, { path }) : error;
  }
}
