// The public API of the package: embeds a server in a Node process.
import { MovableClock } from './base/clock.ts';
import { kubeconfig } from './cli/kubeconfig.ts';
import type { Client } from './client/client.ts';
import { type EmbedOptions, parseEmbedOptions } from './server/embed-options.ts';
import { defaultOptions } from './server/options.ts';
import { runServer } from './server/server.ts';
import { type MemorySnapshot, MemoryStore } from './store/memory/memory-store.ts';
import { silentLogger } from './telemetry/log.ts';

export { MovableClock } from './base/clock.ts';
export { type ClusterAccess, plainAccess } from './cli/cluster/access.ts';
export { Connection } from './cli/cluster/connection.ts';
export { ClusterReader } from './cli/volume/cluster-reader.ts';
export { Client, type ListRequest, type Manifest, type Reference } from './client/client.ts';
export { ApiError, type WireStatus } from './errors/status.ts';
export type { ApiObject, ObjectMetadata } from './kind/api-object.ts';
export type { EmbedOptions } from './server/embed-options.ts';
export { type KeepOptions, type KeptVolume, keepVolume } from './volumes/keep-volume.ts';
export { renderVolume } from './volumes/render-volume.ts';
export { TokenKeeper } from './volumes/token-keeper.ts';
export { type RenderedVolume, type VolumeFile, VolumeProblem } from './volumes/volume-files.ts';
export type { VolumeReader } from './volumes/volume-reader.ts';
export { writeVolume } from './volumes/write-volume.ts';

/** The state of all objects at one moment. */
export type Snapshot = MemorySnapshot;

/** A server in this process. It stores everything in memory, and its plain HTTP URL needs no credentials. */
export interface EmbeddedServer {
  readonly url: string;
  /** A kubeconfig, as text. */
  readonly kubeconfig: string;
  /** The API without HTTP. */
  readonly client: Client;
  /** The clock of the server. `clock.advance(ms)` moves it ahead. */
  readonly clock: MovableClock;
  snapshot(): Snapshot;
  /** Restores a snapshot. Watches end and must be restarted; revisions never decrease. */
  restore(snapshot: Snapshot): void;
  /** Restores the state after the start. */
  reset(): void;
  stop(): Promise<void>;
}

/** Resolves once the server is ready. Any number of servers can run at once. */
export async function startServer(options: Partial<EmbedOptions> = {}): Promise<EmbeddedServer> {
  const clock = new MovableClock();
  const store = new MemoryStore({ clock });
  const server = await runServer(
    {
      ...defaultOptions,
      storage: 'memory',
      httpPort: 0,
      securePort: undefined,
      certDir: undefined,
      ...parseEmbedOptions(options),
    },
    { clock, store, logger: silentLogger },
  );
  const start = store.snapshot();
  return {
    url: server.url,
    kubeconfig: kubeconfig({
      url: server.url,
      caCertificate: server.caCertificate,
      credentials: server.adminCredentials,
    }),
    client: server.client,
    clock,
    snapshot: () => store.snapshot(),
    restore: (snapshot) => store.restore(snapshot),
    reset: () => store.restore(start),
    stop: () => server.stop(),
  };
}
