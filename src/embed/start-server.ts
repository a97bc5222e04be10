// Starts a server in the calling process.
import { join } from 'node:path';
import { MovableClock } from '../base/clock.ts';
import { type ClusterAccess, plainAccess } from '../cli/cluster/access.ts';
import type { Impersonation } from '../cli/cluster/http-client.ts';
import { kubeconfig } from '../cli/kubeconfig.ts';
import { dialects } from '../dialect/index.ts';
import { defaultOptions, type ServerOptions } from '../server/options.ts';
import { runServer } from '../server/server.ts';
import type { PreparedState, RunningServer } from '../server/server-parts.ts';
import { verifyBackup } from '../store/backup/read-backup.ts';
import { writeBackup } from '../store/backup/write-backup.ts';
import { readSnapshot, snapshotSource } from '../store/memory/backup.ts';
import { type MemorySnapshot, MemoryStore } from '../store/memory/memory-store.ts';
import { silentLogger } from '../telemetry/log.ts';
import { FunctionPlugin } from './admission-functions.ts';
import { ApiClient } from './api-client.ts';
import {
  type EmbeddedUser,
  type EmbedderOptions,
  type EmbedOptions,
  parseEmbedOptions,
} from './embed-options.ts';
import { toDefinition, toPlugin } from './kind-definition.ts';
import { Manifests } from './manifests.ts';
import { RequestSender } from './request-sender.ts';
import { runtimeConfigOf } from './served-groups.ts';

/** The state of all objects at one moment. */
export type Snapshot = MemorySnapshot;

/** The access of one user. */
export interface UserAccess {
  readonly client: ApiClient;
  /** A kubeconfig, as text. */
  readonly kubeconfig: string;
}

/** A server in this process. Its plain HTTP URL needs no credentials. Snapshots need a server without `dataDir`. */
export interface EmbeddedServer extends UserAccess {
  /** The plain HTTP URL, or the HTTPS URL if there is no other. */
  readonly url: string;
  /** The HTTPS URL; undefined without `securePort`. */
  readonly secureUrl: string | undefined;
  readonly clock: MovableClock;
  /** The access of another user, by impersonation. */
  as(user: EmbeddedUser): UserAccess;
  snapshot(): Snapshot;
  /** Restores a snapshot. Watches end and must be restarted; revisions never decrease. */
  restore(snapshot: Snapshot): void;
  /** Writes a snapshot to a new file, in the format of `orch store backup`. */
  saveSnapshot(file: string): Promise<void>;
  /** Restores a snapshot from a file. */
  loadSnapshot(file: string): Promise<void>;
  /** Restores the state after the start. */
  reset(): void;
  /** Starts an independent server from the current state, with a clock of its own. */
  fork(): Promise<EmbeddedServer>;
  stop(): Promise<void>;
}

/** Resolves once the server is ready. Any number of servers can run at once. */
export async function startServer(options: Partial<EmbedOptions> = {}): Promise<EmbeddedServer> {
  const { flags, embedder } = parseEmbedOptions(options);
  const isOnDisk = flags.dataDir !== undefined;
  const hasDefinitions = [embedder.kinds, embedder.crds].some((list) => list && list.length > 0);
  const common: ServerOptions = {
    ...defaultOptions,
    storage: isOnDisk ? 'lmdb' : 'memory',
    httpPort: 0,
    securePort: undefined,
    certDir: flags.dataDir === undefined ? undefined : join(flags.dataDir, 'pki'),
    ...flags,
  };
  const serverOptions = embedder.groups
    ? { ...common, runtimeConfig: runtimeConfigOf(embedder.groups, common, { hasDefinitions }) }
    : common;
  if (common.httpPort === undefined && common.securePort === undefined) {
    throw new TypeError('startServer: set httpPort or securePort, so that clients can connect');
  }
  const clock = embedder.clock ?? new MovableClock();
  const store = isOnDisk ? undefined : new MemoryStore({ clock });
  const prepare = (access: AdminAccess) => applyObjects(access, embedder, serverOptions);
  return launch({ serverOptions, embedder, clock, store, prepare });
}

interface Launch {
  readonly serverOptions: ServerOptions;
  readonly embedder: Partial<EmbedderOptions>;
  readonly clock: MovableClock;
  readonly store: MemoryStore | undefined;
  /** Of the server that is forked. */
  readonly prepared?: PreparedState;
  /** Creates the objects that the options name. */
  prepare(access: AdminAccess): Promise<void>;
}

async function launch(start: Launch): Promise<EmbeddedServer> {
  const { serverOptions, embedder, clock, store, prepared, prepare } = start;
  const kindPlugins = (embedder.kinds ?? []).flatMap((kind) => toPlugin(kind) ?? []);
  const plugins = [...kindPlugins, ...(embedder.plugins ?? [])].map((plugin) => new FunctionPlugin(plugin));
  const server = await runServer(serverOptions, {
    clock,
    logger: silentLogger,
    plugins,
    staticTokens: Object.entries(embedder.auth?.tokens ?? {}).map(([token, user]) => ({
      token,
      ...toUser(user),
    })),
    ...(store && { store }),
    ...(prepared && { prepared }),
  });
  const admin = new AdminAccess(server);
  try {
    await prepare(admin);
  } catch (error) {
    admin.close();
    await server.stop();
    throw error;
  }
  const memory = () => {
    if (store) return store;
    throw new Error('a server with dataDir has no snapshots: back it up with orch store backup');
  };
  const initial = store?.snapshot();
  return {
    url: server.url,
    secureUrl: server.secureUrl,
    clock,
    ...admin.as(undefined),
    as: (user) => admin.as(toUser(user)),
    snapshot: () => memory().snapshot(),
    restore: (snapshot) => memory().restore(snapshot),
    async saveSnapshot(file) {
      await writeBackup(file, snapshotSource(memory().snapshot(), serverOptions.dialect), () => {});
    },
    async loadSnapshot(file) {
      const backup = await verifyBackup(file, () => {});
      if (backup.dialect !== serverOptions.dialect) {
        throw new Error(
          `${file} has objects of dialect ${backup.dialect}: start the server with { dialect: '${backup.dialect}' }`,
        );
      }
      memory().restore(await readSnapshot(backup));
    },
    reset: () => memory().restore(initial!),
    fork() {
      const forkedClock = clock.fork();
      return launch({
        // A port is in use by this server.
        serverOptions: {
          ...serverOptions,
          ...(serverOptions.httpPort !== undefined && { httpPort: 0 }),
          ...(serverOptions.securePort !== undefined && { securePort: 0 }),
        },
        embedder,
        clock: forkedClock,
        store: memory().fork({ clock: forkedClock }),
        prepared: server.prepared,
        prepare: async () => {},
      });
    },
    async stop() {
      admin.close();
      await server.stop();
    },
  };
}

/** Applies the definitions and manifests of the options. */
async function applyObjects(
  access: AdminAccess,
  { kinds = [], crds = [], manifests = [] }: Partial<EmbedderOptions>,
  { dialect }: ServerOptions,
): Promise<void> {
  const definitions = kinds.map((kind) => toDefinition(kind, dialects[dialect]));
  const sources = [...definitions, ...crds, ...manifests];
  if (sources.length > 0) await access.manifests.apply(sources);
}

/** The admin's connection to the server, on which requests of other users are sent by impersonation. */
class AdminAccess {
  readonly #access: ClusterAccess;
  readonly #senders: RequestSender[] = [];
  readonly #kubeconfigAccess: Parameters<typeof kubeconfig>[0];

  constructor(server: RunningServer) {
    const { url, secureUrl, caCertificate, adminCredentials: credentials } = server;
    // The plain URL is faster.
    this.#access = { ...plainAccess(url), ...(url === secureUrl && { caCertificate, credentials }) };
    this.#kubeconfigAccess = { url: secureUrl ?? url, caCertificate, credentials };
  }

  /** Undefined is the admin. */
  as(user: Impersonation | undefined): UserAccess {
    return {
      client: new ApiClient(this.#newSender(user)),
      kubeconfig: kubeconfig(this.#kubeconfigAccess, user),
    };
  }

  get manifests(): Manifests {
    const sender = this.#newSender(undefined);
    return new Manifests(new ApiClient(sender), sender.mapping);
  }

  close(): void {
    for (const sender of this.#senders) sender.close();
  }

  #newSender(user: Impersonation | undefined): RequestSender {
    const sender = new RequestSender(this.#access, user);
    this.#senders.push(sender);
    return sender;
  }
}

function toUser(user: EmbeddedUser): Impersonation {
  const { name, groups = [] } = typeof user === 'string' ? { name: user } : user;
  return { user: name, groups };
}
