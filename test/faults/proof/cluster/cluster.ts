import { TestEtcd } from '../../../../src/store/etcd/etcd.fixture.ts';
import { EtcdClient } from '../../../../src/store/etcd/rpc/etcd-client.ts';
import type { Scope } from '../../../support/server-process.ts';
import { smallDisk } from '../../small-disk.ts';
import type { RunRecord } from '../record.ts';
import { FaultyServer } from './server.ts';
import { TcpProxy } from './tcp-proxy.ts';

export const SERVERS_ON_ETCD = 3;
export const MEMBERS = 3;
const DISK_MEGABYTES = 96;
/** Shorter than the default, so that a plan contains changes of leadership. */
const terms = [
  ['--leader-elect-lease-duration', '5s'],
  ['--leader-elect-renew-deadline', '4s'],
  ['--leader-elect-retry-period', '500ms'],
].flat();

export interface ClusterOptions {
  readonly storage: 'lmdb' | 'etcd';
  /** The etcd program, for that storage. */
  readonly etcd: string;
  /** A checkout to run the servers from, if not this one. */
  readonly root: string | undefined;
  /** Of each server on lmdb. */
  readonly servingThreads: number;
  /** Whether disks will be filled: data is then on small tmpfs mounts. */
  readonly hasFullDisks: boolean;
  readonly record: RunRecord;
  readonly say: (line: string) => void;
}

/** The servers of a run and, for etcd, its members, with a TCP proxy between each server and each member. */
export class Cluster {
  readonly servers: readonly FaultyServer[];
  readonly members: readonly TestEtcd[];

  private constructor(servers: readonly FaultyServer[], members: readonly TestEtcd[]) {
    this.servers = servers;
    this.members = members;
  }

  static async start(scope: Scope, options: ClusterOptions): Promise<Cluster> {
    const { storage, etcd } = options;
    const members = storage === 'etcd' ? await TestEtcd.startMembers(etcd, MEMBERS) : [];
    scope.after(async () => {
      await Promise.all(members.map((member) => member.stop()));
    });
    // The first server creates the shared keys.
    const first = await startServer(scope, options, members, 0);
    const others = Array.from({ length: storage === 'etcd' ? SERVERS_ON_ETCD - 1 : 0 }, (_, i) =>
      startServer(scope, options, members, i + 1),
    );
    return new Cluster([first, ...(await Promise.all(others))], members);
  }

  /** The current leader of etcd, if the members agree on one. */
  async leadingMember(): Promise<TestEtcd | undefined> {
    for (const member of this.members) {
      const { header, leader } = await statusOf(member).catch(() => ({ header: undefined, leader: '0' }));
      if (header?.member_id === leader) return member;
    }
    return undefined;
  }

  /** Compacts the history of etcd up to now. */
  async compact(): Promise<void> {
    const client = new EtcdClient({ servers: this.members.map(({ url }) => url), timeoutMs: 60_000 });
    try {
      const { header } = await client.range({ key: 'anything' });
      await client.compact(header.revision);
    } finally {
      client.close();
    }
  }
}

interface Status {
  readonly header?: { readonly member_id: string };
  readonly leader: string;
}

/** Uses the JSON gateway of etcd. */
async function statusOf({ url }: TestEtcd): Promise<Status> {
  const signal = AbortSignal.timeout(1_000);
  const response = await fetch(`${url}/v3/maintenance/status`, { method: 'POST', body: '{}', signal });
  return (await response.json()) as Status;
}

async function startServer(
  scope: Scope,
  { storage, root, servingThreads, hasFullDisks, record, say }: ClusterOptions,
  members: readonly TestEtcd[],
  number: number,
): Promise<FaultyServer> {
  const proxies = await Promise.all(members.map(({ url }) => TcpProxy.open(url)));
  scope.after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });
  const skip = (why: string) => say(`${'!'.repeat(20)} ${why}`);
  const after = scope.after.bind(scope);
  const disk = hasFullDisks ? await smallDisk({ after, skip }, DISK_MEGABYTES) : undefined;
  const onEtcd = [
    '--etcd-servers',
    proxies.map(({ url }) => url).join(','),
    '--etcd-compaction-interval',
    '0s',
    ...terms,
  ];
  return FaultyServer.start(scope, {
    number,
    root,
    flags: [
      '--storage',
      storage,
      ...(storage === 'etcd' ? onEtcd : ['--serving-threads', String(servingThreads)]),
    ],
    proxies,
    disk,
    record,
  });
}
