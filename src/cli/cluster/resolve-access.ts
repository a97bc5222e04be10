// Resolves the cluster and user of a command from --server, --kubeconfig, --context, $KUBECONFIG and ~/.kube/config.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { nearest } from '../../base/nearest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { decodeYaml } from '../../codec/yaml/decode.ts';
import { YamlError } from '../../codec/yaml/yaml-error.ts';
import { CommandError } from '../command.ts';
import { type ClusterAccess, type Credentials, isHttpUrl, plainAccess } from './access.ts';
import { runCredentialPlugin } from './exec-credentials.ts';

export interface ClusterSettings {
  /** URL of a server without authentication. */
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** The kubeconfig that `orch dev` and `orch serve` write with the default --data-dir. */
const orchKubeconfig = join('.orch', 'kubeconfig');

/**
 * The order is that of kubectl, but `.orch/kubeconfig` of the working directory precedes `~/.kube/config`. Nobody has
 * named that file, and it may come with a cloned repository: it must not run commands or read other files.
 */
export async function resolveClusterAccess(
  settings: ClusterSettings,
  environment: NodeJS.ProcessEnv,
): Promise<ClusterAccess> {
  if (settings.server !== undefined) return plainAccess(settings.server);
  const isNamed = settings.kubeconfig !== undefined || (environment.KUBECONFIG ?? '') !== '';
  const kubeconfigs = kubeconfigPaths(settings, environment).map((path) =>
    readKubeconfig(path, isNamed || path !== orchKubeconfig),
  );
  const contextName =
    settings.context ??
    kubeconfigs
      .map(({ content }) => nonEmptyText(content, 'current-context'))
      .find((name) => name !== undefined);
  if (contextName === undefined) {
    throw new CommandError(`${kubeconfigs[0]!.path} has no current-context; choose a context with --context`);
  }
  const context = findEntry(kubeconfigs, 'contexts', 'context', contextName);
  const cluster = findEntry(
    kubeconfigs,
    'clusters',
    'cluster',
    nonEmptyText(context.content, 'cluster') ?? '',
  );
  const userName = nonEmptyText(context.content, 'user');
  const user = userName === undefined ? undefined : findEntry(kubeconfigs, 'users', 'user', userName);
  const url = nonEmptyText(cluster.content, 'server');
  if (url === undefined || !isHttpUrl(url)) {
    throw new CommandError(`${cluster.path}: the cluster of context ${contextName} has no server with a URL`);
  }
  if (nonEmptyText(cluster.content, 'proxy-url') !== undefined) {
    throw new CommandError(`${cluster.path}: proxy-url is not supported`);
  }
  return {
    url,
    caCertificate: readDataOrFile(cluster, 'certificate-authority'),
    credentials: user && (await resolveCredentials(user)),
    serverName: nonEmptyText(cluster.content, 'tls-server-name'),
    skipTlsVerify: cluster.content['insecure-skip-tls-verify'] === true,
    namespace: nonEmptyText(context.content, 'namespace') ?? 'default',
  };
}

function kubeconfigPaths(settings: ClusterSettings, environment: NodeJS.ProcessEnv): readonly string[] {
  if (settings.kubeconfig !== undefined) {
    if (existsSync(settings.kubeconfig)) return [settings.kubeconfig];
    throw new CommandError(`--kubeconfig: ${settings.kubeconfig} does not exist`);
  }
  const fromVariable = (environment.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  const defaultPath = join(environment.HOME ?? homedir(), '.kube', 'config');
  const candidates = fromVariable.length > 0 ? fromVariable : [orchKubeconfig, defaultPath];
  const existing = candidates.filter((path) => existsSync(path));
  // $KUBECONFIG names files that are merged; of the default paths only the first is used.
  if (existing.length > 0) return fromVariable.length > 0 ? existing : existing.slice(0, 1);
  throw new CommandError(
    fromVariable.length > 0
      ? `no kubeconfig at ${fromVariable.join(' or ')} (from $KUBECONFIG)`
      : `no kubeconfig: neither ${orchKubeconfig} nor ${defaultPath} exists; start a server with orch dev, or use --kubeconfig or --server`,
  );
}

/** A kubeconfig, or an entry of one, with the path of its file for error messages and relative paths. */
interface KubeconfigPart {
  readonly path: string;
  /** Whether it may run credential plugins and read other files. */
  readonly isTrusted: boolean;
  readonly content: JsonObject;
}

const maxBytes = 16 << 20;

function readKubeconfig(path: string, isTrusted: boolean): KubeconfigPart {
  let value: JsonValue;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > maxBytes) throw new CommandError(`${path} is too large to be a kubeconfig`);
    value = decodeYaml(bytes).value;
  } catch (error) {
    if (error instanceof YamlError) throw new CommandError(`${path} is not YAML: ${error.message}`);
    if (error instanceof Error && 'code' in error) {
      throw new CommandError(`cannot read ${path}: ${error.message}`);
    }
    throw error;
  }
  if (!isObject(value)) throw new CommandError(`${path} is not a kubeconfig`);
  return { path, isTrusted, content: value };
}

/** The first file with an entry of this name wins, as in kubectl. */
function findEntry(
  kubeconfigs: readonly KubeconfigPart[],
  list: string,
  field: string,
  name: string,
): KubeconfigPart {
  const entries = kubeconfigs.flatMap(({ path, isTrusted, content }) => {
    const items = content[list];
    return (Array.isArray(items) ? items.filter(isObject) : []).map((item) => ({ path, isTrusted, item }));
  });
  const entry = entries.find(({ item }) => item.name === name);
  const content = entry?.item[field];
  if (entry && (isObject(content) || content === undefined || content === null)) {
    const { path, isTrusted } = entry;
    return { path, isTrusted, content: isObject(content) ? content : {} };
  }
  const names = entries.flatMap(({ item }) => nonEmptyText(item, 'name') ?? []);
  const suggestion = nearest(name, names);
  const hint = suggestion
    ? `did you mean ${suggestion}?`
    : `available: ${names.slice(0, 10).join(', ') || 'none'}`;
  throw new CommandError(
    `${kubeconfigs.map(({ path }) => path).join(', ')}: no ${field} ${JSON.stringify(name)} (${hint})`,
  );
}

function nonEmptyText(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** PEM from a `…-data` field or from the file that the field names; undefined without either. */
function readDataOrFile(part: KubeconfigPart, key: string): string | undefined {
  const { content } = part;
  const data = nonEmptyText(content, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  const file = nonEmptyText(content, key);
  return file === undefined ? undefined : readReferencedFile(part, file);
}

/** Reads a file whose path is relative to the directory of the kubeconfig. */
function readReferencedFile(part: KubeconfigPart, file: string): string {
  assertTrusted(part, `names the file ${file}`);
  try {
    return readFileSync(resolve(dirname(part.path), file), 'utf8');
  } catch (error) {
    throw new CommandError(
      `cannot read ${file} (from ${part.path}): ${error instanceof Error ? error.message : error}`,
    );
  }
}

function assertTrusted({ path, isTrusted }: KubeconfigPart, problem: string): void {
  if (isTrusted) return;
  throw new CommandError(
    `${path} ${problem}, which is only used if you name the kubeconfig: --kubeconfig ${path}`,
  );
}

/** The first of certificate, token, password and exec plugin that the user has; undefined without any of them. */
async function resolveCredentials(user: KubeconfigPart): Promise<Credentials | undefined> {
  const { path, content } = user;
  const cert = readDataOrFile(user, 'client-certificate');
  const key = readDataOrFile(user, 'client-key');
  if (cert !== undefined && key !== undefined) return { cert, key };
  const tokenFile = nonEmptyText(content, 'tokenFile');
  const token =
    tokenFile === undefined ? nonEmptyText(content, 'token') : readReferencedFile(user, tokenFile).trim();
  if (token !== undefined) return { token };
  const username = nonEmptyText(content, 'username');
  const password = nonEmptyText(content, 'password');
  if (username !== undefined && password !== undefined) return { username, password };
  if (isObject(content.exec)) {
    assertTrusted(user, 'has an exec credential plugin');
    return runCredentialPlugin(path, content.exec);
  }
  if (isObject(content['auth-provider'])) {
    throw new CommandError(`${path}: auth-provider is not supported; use exec, a token or a certificate`);
  }
  return undefined;
}
