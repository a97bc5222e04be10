// Opens the storage backend that the options select.
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { readCABundle, readServingFiles } from '../pki/serving-files.ts';
import type { EtcdCredentials } from '../store/etcd/rpc/connection.ts';
import { LmdbStore } from '../store/lmdb/lmdb-store.ts';
import { MemoryStore } from '../store/memory/memory-store.ts';
import type { Store } from '../store/store.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ServerOptions } from './options.ts';
import type { Sharing } from './server-parts.ts';

/** Loads the etcd client only if etcd is selected. `sharing` is set if several threads use the store. */
export async function openStore(
  options: ServerOptions,
  clock: Clock,
  logger: Logger,
  sharing?: Pick<Sharing, 'onSpaceChange'>,
): Promise<Store> {
  const { storage, dialect } = options;
  const onFailure = (error: Error) => logger.error({ err: error }, 'failed to write to storage');
  if (storage === 'memory') return new MemoryStore({ clock });
  const onSpaceChange = (problem: string | undefined) => {
    if (problem === undefined) logger.info({}, 'storage has space again');
    else logger.error({ err: new Error(problem) }, 'storage is out of space');
    sharing?.onSpaceChange?.(problem);
  };
  if (storage === 'lmdb') {
    const quotaBytes = options.storageQuotaBytes;
    return LmdbStore.open({
      dir: storeDirectory(options),
      clock,
      dialect,
      onFailure,
      quotaBytes,
      onSpaceChange,
      isShared: sharing !== undefined,
    });
  }
  const { EtcdStore } = await import('../store/etcd/etcd-store.ts');
  return EtcdStore.open({
    dir: storeDirectory(options),
    clock,
    dialect,
    onFailure,
    servers: options.etcdServers,
    credentials: await readEtcdCredentials(options),
    prefix: options.etcdPrefix,
    compactionIntervalMs: options.etcdCompactionInterval,
    onWatchLost: (error) => logger.warn({ err: error }, 'etcd watch failed, retrying'),
    onWatchRestored: () => logger.info({}, 'etcd watch resumed'),
  });
}

/** The directory of the LMDB store, or of the local replica of etcd. */
export const storeDirectory = ({ dataDir, storage }: Pick<ServerOptions, 'dataDir' | 'storage'>) =>
  join(dataDir, storage === 'etcd' ? 'copy' : 'store');

export async function readEtcdCredentials({
  etcdCafile,
  etcdCertfile,
  etcdKeyfile,
}: Pick<ServerOptions, 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile'>): Promise<EtcdCredentials> {
  const clientCertificate =
    etcdCertfile === undefined || etcdKeyfile === undefined
      ? undefined
      : await readServingFiles(etcdCertfile, etcdKeyfile);
  return {
    ...(etcdCafile !== undefined && { ca: await readCABundle(etcdCafile) }),
    ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
  };
}
