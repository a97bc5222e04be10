// Storage: the options of the store. Durations are in milliseconds.

/** The values of `--storage`. */
export const storageBackends = ['lmdb', 'memory', 'etcd'] as const;

export interface StorageOptions {
  readonly storage: (typeof storageBackends)[number];
  /** Client URLs, CA bundle and client certificate of the shared etcd. */
  readonly etcdServers: readonly string[];
  readonly etcdCafile: string | undefined;
  readonly etcdCertfile: string | undefined;
  readonly etcdKeyfile: string | undefined;
  /** Prefix of all keys in etcd. */
  readonly etcdPrefix: string;
  /** Interval of etcd compaction; 0 disables it. */
  readonly etcdCompactionInterval: number;
  /** Maximum size of the data in LMDB, in bytes; 0 for none. */
  readonly storageQuotaBytes: number;
  /** Directory of the LMDB database, or of the local replica of etcd. Not used by `memory`. */
  readonly dataDir: string;
}

export const defaultStorageOptions: StorageOptions = {
  storage: 'lmdb',
  etcdServers: [],
  etcdCafile: undefined,
  etcdCertfile: undefined,
  etcdKeyfile: undefined,
  etcdPrefix: '/registry',
  etcdCompactionInterval: 300_000,
  storageQuotaBytes: 0,
  dataDir: '.orch',
};
