// Selects the cluster: flags, kubeconfig, environment.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { nearest } from '../../base/nearest.ts';
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';
import { readYaml } from '../../codec/yaml/read.ts';
import { YamlError } from '../../codec/yaml/yaml-error.ts';
import { CommandError } from '../command.ts';
import { type ClusterAccess, type Credentials, isWebAddress, plainAccess } from './access.ts';
import { execCredentials } from './exec-credentials.ts';

export interface ClusterChoice {
  /** URL of a server without authentication. */
  readonly server?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
}

/** Kubeconfigs that `orch dev` and `orch serve` write to the working directory. */
const ownKubeconfig = join('.orch', 'kubeconfig');

/** Selects as kubectl does, but a kubeconfig of a server started in this directory precedes `~/.kube/config`. */
export async function chosenAccess(
  choice: ClusterChoice,
  environment: NodeJS.ProcessEnv,
): Promise<ClusterAccess> {
  if (choice.server !== undefined) return plainAccess(choice.server);
  const parts = kubeconfigPaths(choice, environment).map(readPart);
  const chosen = choice.context ?? first(parts, ({ content }) => textIn(content, 'current-context'));
  if (chosen === undefined) {
    throw new CommandError(`${parts[0]!.path} has no current-context; choose a context with --context`);
  }
  const context = named(parts, 'contexts', 'context', chosen);
  const cluster = named(parts, 'clusters', 'cluster', textIn(context.content, 'cluster') ?? '');
  const userName = textIn(context.content, 'user');
  const user = userName === undefined ? undefined : named(parts, 'users', 'user', userName);
  const url = textIn(cluster.content, 'server');
  if (url === undefined || !isWebAddress(url)) {
    throw new CommandError(`${cluster.path}: the cluster of context ${chosen} has no server with a URL`);
  }
  if (textIn(cluster.content, 'proxy-url') !== undefined) {
    throw new CommandError(`${cluster.path}: proxy-url is not supported`);
  }
  return {
    url,
    caCertificate: fileOrData(cluster, 'certificate-authority'),
    credentials: user && (await credentialsOf(user)),
    serverName: textIn(cluster.content, 'tls-server-name'),
    isUnchecked: cluster.content['insecure-skip-tls-verify'] === true,
    namespace: textIn(context.content, 'namespace') ?? 'default',
  };
}

function kubeconfigPaths(choice: ClusterChoice, environment: NodeJS.ProcessEnv): readonly string[] {
  if (choice.kubeconfig !== undefined) {
    if (existsSync(choice.kubeconfig)) return [choice.kubeconfig];
    throw new CommandError(`--kubeconfig: ${choice.kubeconfig} does not exist`);
  }
  const inVariable = (environment.KUBECONFIG ?? '').split(delimiter).filter((path) => path !== '');
  const usual = join(environment.HOME ?? homedir(), '.kube', 'config');
  const candidates = inVariable.length > 0 ? inVariable : [ownKubeconfig, usual];
  const there = candidates.filter((path) => existsSync(path));
  if (there.length > 0) return inVariable.length > 0 ? there : there.slice(0, 1);
  throw new CommandError(
    inVariable.length > 0
      ? `no kubeconfig at ${inVariable.join(' or ')} (from $KUBECONFIG)`
      : `no kubeconfig: neither ${ownKubeconfig} nor ${usual} exists; start a server with orch dev, or use --kubeconfig or --server`,
  );
}

interface Part {
  readonly path: string;
  readonly content: JsonObject;
}

/** Limit of the file size. */
const mostBytes = 16 << 20;

function readPart(path: string): Part {
  let value: JsonValue;
  try {
    const bytes = readFileSync(path);
    if (bytes.length > mostBytes) throw new CommandError(`${path} is too large to be a kubeconfig`);
    value = readYaml(bytes).value;
  } catch (error) {
    if (error instanceof YamlError) throw new CommandError(`${path} is not YAML: ${error.message}`);
    if (error instanceof Error && 'code' in error) {
      throw new CommandError(`cannot read ${path}: ${error.message}`);
    }
    throw error;
  }
  if (!isObject(value)) throw new CommandError(`${path} is not a kubeconfig`);
  return { path, content: value };
}

/** The first file with an entry of this name wins, as in kubectl. */
function named(parts: readonly Part[], list: string, what: string, name: string): Part {
  const entries = parts.flatMap(({ path, content }) => {
    const items = content[list];
    return (Array.isArray(items) ? items.filter(isObject) : []).map((item) => ({ path, item }));
  });
  const found = entries.find(({ item }) => item.name === name);
  const content = found?.item[what];
  if (found && (isObject(content) || content === undefined || content === null)) {
    return { path: found.path, content: isObject(content) ? content : {} };
  }
  const names = entries.flatMap(({ item }) => textIn(item, 'name') ?? []);
  const meant = nearest(name, names);
  const there = meant ? `did you mean ${meant}?` : `available: ${names.slice(0, 10).join(', ') || 'none'}`;
  throw new CommandError(
    `${parts.map(({ path }) => path).join(', ')}: no ${what} ${JSON.stringify(name)} (${there})`,
  );
}

function first<T, R>(items: readonly T[], look: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function textIn(object: JsonObject, key: string): string | undefined {
  const value = object[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** PEM from a `…-data` field or from a file. */
function fileOrData({ path, content }: Part, key: string): string | undefined {
  const data = textIn(content, `${key}-data`);
  if (data !== undefined) return Buffer.from(data, 'base64').toString();
  const file = textIn(content, key);
  return file === undefined ? undefined : readNamed(path, file);
}

/** Relative to the directory of the kubeconfig. */
function readNamed(kubeconfig: string, file: string): string {
  try {
    return readFileSync(resolve(dirname(kubeconfig), file), 'utf8');
  } catch (error) {
    throw new CommandError(
      `cannot read ${file} (from ${kubeconfig}): ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function credentialsOf(user: Part): Promise<Credentials | undefined> {
  const { path, content } = user;
  const cert = fileOrData(user, 'client-certificate');
  const key = fileOrData(user, 'client-key');
  if (cert !== undefined && key !== undefined) return { cert, key };
  const tokenFile = textIn(content, 'tokenFile');
  const token = tokenFile === undefined ? textIn(content, 'token') : readNamed(path, tokenFile).trim();
  if (token !== undefined) return { token };
  const [username, password] = [textIn(content, 'username'), textIn(content, 'password')];
  if (username !== undefined && password !== undefined) return { username, password };
  if (isObject(content.exec)) return execCredentials(path, content.exec);
  if (isObject(content['auth-provider'])) {
    throw new CommandError(`${path}: auth-provider is not supported; use exec, a token or a certificate`);
  }
  return undefined;
}
