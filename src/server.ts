import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtinKinds } from './api/index.ts';
import { type Authenticator, AuthenticatorChain } from './auth/authenticator.ts';
import { ClientCertificates } from './auth/client-certificate.ts';
import { TokenFile } from './auth/token-file.ts';
import { GroupsAuthorizer } from './auth/groups-authorizer.ts';
import { Client } from './client/client.ts';
import { type Clock, systemClock } from './clock.ts';
import { dialects } from './dialect/index.ts';
import { sendNoSuchPage } from './http/answer.ts';
import { HttpServer } from './http/http-server.ts';
import { handleResource } from './http/resources/handle.ts';
import { watchFormats } from './http/resources/watch.ts';
import type { ServerOptions } from './options.ts';
import type { Api } from './resource/api.ts';
import { ensureSystemNamespaces } from './resource/bootstrap.ts';
import { Registry } from './resource/registry.ts';
import { Lists } from './store/lists.ts';
import { LmdbStore } from './store/lmdb/lmdb-store.ts';
import { MemoryStore } from './store/memory/memory-store.ts';
import type { Store } from './store/store.ts';
import { WatchHub } from './store/watch-hub.ts';
import { createLogger, type Logger } from './telemetry/log.ts';

/** A server that is up. */
export interface RunningServer {
  /** The plain address if there is one, else the secure one. */
  readonly url: string;
  readonly secureUrl: string | undefined;
  /** PEM of the CA that signed the serving certificate. */
  readonly caCertificate: string | undefined;
  /** How the administrator proves who they are; for a kubeconfig. */
  readonly adminCredentials:
    | { readonly cert: string; readonly key: string }
    | { readonly token: string }
    | undefined;
  /** The API without HTTP. */
  readonly client: Client;
  /** Lets requests finish, ends watches, closes the store. */
  stop(): Promise<void>;
}

/** What an embedding program brings itself. */
export interface ServerParts {
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly store?: Store;
}

/** How long requests under way may take once the server is told to stop. */
const drainPatience = 10_000;

export async function runServer(options: ServerOptions, parts: ServerParts = {}): Promise<RunningServer> {
  const clock = parts.clock ?? systemClock;
  const logger = parts.logger ?? createLogger({ verbosity: options.verbosity });
  const dialect = dialects[options.dialect];
  const store = parts.store ?? openStore(options, clock);
  const registry = new Registry(builtinKinds(dialect), dialect);
  const lists = new Lists(store);
  const hub = new WatchHub(store, clock);
  if (store instanceof MemoryStore) {
    store.onReset(() => {
      lists.reset();
      hub.reset();
    });
  }
  const api: Api = {
    dialect,
    metaGroup: dialect.groupName('meta'),
    registry,
    store,
    lists,
    hub,
    clock,
    eventTtl: options.eventTtl,
    storageHealth: async () => ({ healthy: true, message: 'ok' }),
  };
  const context = { api, minRequestTimeout: options.minRequestTimeout, formatOf: watchFormats(api) };
  const http = new HttpServer({
    authenticators: new AuthenticatorChain(authenticators(options)),
    authorizer: new GroupsAuthorizer(),
    clock,
    logger,
    observers: [],
    requestTimeout: options.requestTimeout,
    maxRequestsInflight: options.maxRequestsInflight,
    maxMutatingRequestsInflight: options.maxMutatingRequestsInflight,
    bearerProtocolPrefix: dialect.headers.bearerProtocolPrefix,
    handleResource: (exchange) => handleResource(context, exchange),
    handlePath: sendNoSuchPage,
  });
  await ensureSystemNamespaces(api);
  let url = '';
  if (options.httpPort !== undefined) {
    const { port } = await http.listenPlain('127.0.0.1', options.httpPort);
    url = `http://127.0.0.1:${port}`;
  }
  let secureUrl: string | undefined;
  if (options.securePort !== undefined) {
    const { port } = await http.listenSecure(options.bindAddress, options.securePort, {
      certificate: readFileSync(options.tlsCertFile ?? '', 'utf8'),
      key: readFileSync(options.tlsPrivateKeyFile ?? '', 'utf8'),
      clientCa: options.clientCaFile === undefined ? undefined : readFileSync(options.clientCaFile, 'utf8'),
    });
    secureUrl = `https://${options.bindAddress}:${port}`;
    url ||= secureUrl;
  }
  return {
    url,
    secureUrl,
    caCertificate: undefined,
    adminCredentials: undefined,
    client: new Client(api),
    async stop() {
      hub.close();
      await http.drain(drainPatience);
      lists.close();
      await store.close();
    },
  };
}

function authenticators({ tokenAuthFile }: ServerOptions): Authenticator[] {
  const chain: Authenticator[] = [new ClientCertificates()];
  if (tokenAuthFile !== undefined) {
    chain.push(new TokenFile(readFileSync(tokenAuthFile, 'utf8'), tokenAuthFile));
  }
  return chain;
}

function openStore(options: ServerOptions, clock: Clock): Store {
  if (options.storage === 'memory') return new MemoryStore({ clock });
  return LmdbStore.open({ dir: join(options.dataDir, 'store'), clock, dialect: options.dialect });
}
