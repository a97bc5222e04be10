import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyPair } from '../../src/pki/certificates.ts';
import { createCA, issueServingCertificate } from '../../src/pki/issue.ts';
import { defaultOptions, type ServerOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';
import { PortsClient } from './http.ts';

export interface BackendStart {
  readonly host: string;
  readonly pairs: readonly KeyPair[];
}

/** A request as the backend received it. */
export interface ProxiedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The values of X-Remote-Group. */
  readonly groups: readonly string[];
  /** The subject of the client certificate; '' without one. */
  readonly client: string;
}

/** An extension API server in another process, with HTTPS on a loopback address that Services can have as cluster IP. */
export interface Backend {
  readonly port: number;
  /** The port with a certificate for another name. */
  readonly misnamedPort: number;
  /** The CA of its certificate, as base64 of PEM. */
  readonly caBundle: string;
  /** The requests since the last call, without those of the server's own controllers. */
  seen(): Promise<ProxiedRequest[]>;
  become(state: 'well' | 'failing' | 'silent'): Promise<void>;
  stop(): Promise<void>;
}

const range = '127.77.3.0/24';
/** In the band of addresses that no Service gets unasked: tests may take 127.77.3.2 to 127.77.3.15. */
const address = '127.77.3.7';
const namespace = 'behind';

export async function startBackend(host = address): Promise<Backend> {
  const authority = await createCA('backends', Date.now());
  const make = (...hostNames: string[]) =>
    issueServingCertificate(authority, { name: 'backend', hostNames }, Date.now());
  const pairs = [
    await make(`backend.${namespace}.svc`, `clusterip.${namespace}.svc`),
    await make('other.example.com'),
  ];
  const child = fork(join(import.meta.dirname, 'aggregated-server-process.ts'));
  const ask = async <T>(message: BackendStart | string): Promise<T> => {
    child.send(message);
    return ((await once(child, 'message')) as [T])[0];
  };
  const [port, misnamedPort] = await ask<[number, number]>({ host, pairs });
  return {
    port,
    misnamedPort,
    caBundle: Buffer.from(authority.certificate).toString('base64'),
    seen: async () => {
      const all = await ask<ProxiedRequest[]>('seen');
      return all.filter(({ headers }) => !/^system:[\w-]+$/.test(String(headers['x-remote-user'])));
    },
    become: (state) => ask(state),
    async stop() {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

interface Condition {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
}

/** A server with APIServices, some of which have a backend. */
export class AggregatingServer extends PortsClient {
  readonly #folder: string;
  readonly #options: Partial<ServerOptions>;
  server!: RunningServer;

  private constructor(folder: string, options: Partial<ServerOptions>) {
    super();
    this.#folder = folder;
    this.#options = options;
  }

  static async start(options: Partial<ServerOptions> = {}): Promise<AggregatingServer> {
    const started = new AggregatingServer(await mkdtemp(join(tmpdir(), 'orch-aggregation-')), options);
    await started.open();
    return started;
  }

  async open(): Promise<void> {
    this.server = await runServer(
      {
        ...defaultOptions,
        storage: 'lmdb',
        dataDir: this.#folder,
        certDir: join(this.#folder, 'pki'),
        httpPort: 0,
        securePort: 0,
        serviceClusterIpRange: [range],
        ...this.#options,
      },
      { logger: silentLogger },
    );
    this.plainPort = Number(new URL(this.server.url).port);
    this.securePort = Number(new URL(this.server.secureUrl!).port);
  }

  get folder(): string {
    return this.#folder;
  }

  get #apiServices(): string {
    return this.#options.dialect === 'kubernetes' ? apiServices.replace('orch.io', 'k8s.io') : apiServices;
  }

  get ca(): string {
    return this.server.caCertificate!;
  }

  async close(): Promise<void> {
    await this.server.stop();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Sends a request as administrator. */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ code: number; text: string; body: T }> {
    const { code, text } = await this.ask(path, {
      method,
      plain: true,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
      }),
    });
    const isJson = text.startsWith('{');
    return { code, text, body: (isJson ? JSON.parse(text) : undefined) as T };
  }

  /** Creates the Service of a backend with its address as cluster IP, of a type that needs no endpoints. */
  async addService(name: string, port: number): Promise<void> {
    await this.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
    const clusterIP = name === 'backend' ? { clusterIP: address } : {};
    await this.call('POST', `/api/v1/namespaces/${namespace}/services`, {
      metadata: { name },
      spec: { type: 'NodePort', ...clusterIP, ports: [{ port }] },
    });
  }

  async addApiService(group: string, spec: object, version = 'v1'): Promise<string> {
    const name = `${version}.${group}`;
    const made = await this.call('POST', this.#apiServices, {
      metadata: { name },
      spec: { group, version, groupPriorityMinimum: 1000, versionPriority: 10, ...spec },
    });
    if (made.code !== 201) throw new Error(made.text);
    return name;
  }

  async condition(name: string): Promise<Condition | undefined> {
    const { body } = await this.call<{ status: { conditions?: Condition[] } }>(
      'GET',
      `${this.#apiServices}/${name}`,
    );
    return body.status?.conditions?.[0];
  }

  /** Waits until the first condition of an APIService has this reason. */
  async until(name: string, reason: string): Promise<Condition> {
    return poll(`${name} is ${reason}`, async () => {
      const found = await this.condition(name);
      return found?.reason === reason ? found : undefined;
    });
  }
}

export const apiServices = '/apis/apiregistration.orch.io/v1/apiservices';

/** The service of a backend, as APIServices name it. */
export const serviceOf = (port: number, name = 'backend') => ({ service: { namespace, name, port } });

/** Polls until the result is not undefined. */
export async function poll<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let time = 0; time < 400; time++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it never came that ${what}`);
}
