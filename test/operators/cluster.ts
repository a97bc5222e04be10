import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, exchange, type Server } from '../parity/client.ts';
import type { Definition, Manifest } from './manifests.ts';

const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const patienceMs = 30_000;

/** A server on which CRDs are installed and objects created. */
export class Cluster {
  readonly #server: Server;
  readonly #tellsOfItsLoop: boolean;

  constructor(server: Server, tellsOfItsLoop: boolean) {
    this.#server = server;
    this.#tellsOfItsLoop = tellsOfItsLoop;
  }

  /** Installs a CRD; resolves to the milliseconds until its objects are served. */
  async install(definition: Definition): Promise<number> {
    const from = performance.now();
    const made = await this.#send('POST', `${definitionsPath}?fieldValidation=Strict`, definition);
    if (made.status !== 201) throw new Error(told(made));
    const { name } = definition.metadata;
    await this.#until(`${name} is established`, async () => {
      const { body } = await this.#send('GET', `${definitionsPath}/${name}`);
      const { status } = JSON.parse(body) as { status?: { conditions?: { type: string; status: string }[] } };
      return !!status?.conditions?.some((each) => each.type === 'Established' && each.status === 'True');
    });
    const version = definition.spec.versions.find(({ served }) => served)!;
    await this.#until(`${name} is served`, async () => {
      const { status } = await this.#send('GET', `${collectionOf(definition, version.name, '')}?limit=1`);
      return status === 200;
    });
    return performance.now() - from;
  }

  async addNamespace(name: string): Promise<void> {
    const made = await this.#send('POST', '/api/v1/namespaces', { metadata: { name } });
    if (made.status !== 201) throw new Error(told(made));
  }

  /** Creates an object and deletes it again. Resolves to the reason of a rejection, undefined if there is none. */
  async tryObject(object: Manifest, definition: Definition, namespace: string): Promise<string | undefined> {
    const isNamespaced = definition.spec.scope === 'Namespaced';
    const [, version] = object.apiVersion.split('/') as [string, string];
    const path = collectionOf(definition, version, isNamespaced ? namespace : '');
    const metadata = { ...object.metadata, ...(isNamespaced && { namespace }) };
    // As kubectl does it.
    const made = await this.#send('POST', `${path}?fieldValidation=Strict`, { ...object, metadata });
    if (made.status !== 201) return told(made);
    const { name } = (JSON.parse(made.body) as { metadata: { name: string } }).metadata;
    const gone = await this.#send('DELETE', `${path}/${name}`);
    return gone.status === 200 ? undefined : told(gone);
  }

  /** The maximum event loop delay since the last call, in milliseconds; undefined if the server does not report it. */
  async longestBlock(): Promise<number | undefined> {
    if (!this.#tellsOfItsLoop) return undefined;
    const { body } = await this.#send('GET', '/metrics');
    const [, seconds] = /^nodejs_eventloop_lag_seconds\{quantile="1"\} (\S+)$/m.exec(body) ?? [];
    return seconds === undefined ? undefined : Number(seconds) * 1000;
  }

  async #until(what: string, isSo: () => Promise<boolean>): Promise<void> {
    const end = performance.now() + patienceMs;
    while (!(await isSo())) {
      if (performance.now() > end) throw new Error(`never came: ${what}`);
      await sleep(5);
    }
  }

  #send(method: string, path: string, object?: object): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#server.token}` };
    if (!object) return exchange(this.#server, { method, path, headers });
    headers['content-type'] = 'application/json';
    return exchange(this.#server, { method, path, headers, body: Buffer.from(JSON.stringify(object)) });
  }
}

function collectionOf({ spec }: Definition, version: string, namespace: string): string {
  const scope = namespace === '' ? '' : `namespaces/${namespace}/`;
  return `/apis/${spec.group}/${version}/${scope}${spec.names.plural}`;
}

function told({ status, body }: Answer): string {
  try {
    return `${status} ${(JSON.parse(body) as { message?: string }).message ?? body}`;
  } catch {
    return `${status} ${body}`;
  }
}
