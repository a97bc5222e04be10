/**
 * Test fixture: a real etcd, found on the PATH, in the reference kit (the upstream programs that ORCH_REFERENCE points
 * to), or installed from Debian's package.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { EtcdCredentials } from './rpc/connection.ts';
import { EtcdClient } from './rpc/etcd-client.ts';

/** The path of the binary, or the reason to skip. */
export function findEtcd(): { readonly program: string } | { readonly missing: string } {
  const program = onPath() ?? inKit() ?? installed();
  return program === undefined
    ? { missing: 'NO ETCD: it is not on the PATH, ORCH_REFERENCE has none, and it cannot be installed' }
    : { program };
}

function onPath(): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'etcd'))
    .find(existsSync);
}

function inKit(): string | undefined {
  const kit = process.env.ORCH_REFERENCE;
  if (kit === undefined || !existsSync(join(kit, 'unpack'))) return undefined;
  const program = join(execFileSync(join(kit, 'unpack'), { encoding: 'utf8' }).trim(), 'etcd');
  return existsSync(program) ? program : undefined;
}

/** Test processes run in parallel; apt-get's lock serializes the installations. */
function installed(): string | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return undefined;
  try {
    const options = ['-y', '-q', '-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends'];
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['install', ...options, 'etcd-server'], {
      env,
      stdio: 'ignore',
      timeout: 180_000,
    });
  } catch {
    return undefined;
  }
  return onPath();
}

/** Certificates of mutual TLS, as files for etcd and as PEM for the client. */
export interface MutualTls {
  readonly files: { readonly ca: string; readonly cert: string; readonly key: string };
  readonly credentials: EtcdCredentials;
}

/** Additional flags of etcd. */
type EtcdFlags = Readonly<Record<string, string>>;

/** Addresses of a member. */
interface MemberAddress {
  readonly name: string;
  readonly url: string;
  readonly peerUrl: string;
}

export class TestEtcd {
  readonly url: string;
  readonly #program: string;
  readonly #dir: string;
  readonly #address: MemberAddress;
  readonly #initialCluster: string;
  readonly #tls: MutualTls | undefined;
  readonly #flags: EtcdFlags;
  #process: ChildProcess | undefined;

  private constructor(
    program: string,
    dir: string,
    address: MemberAddress,
    clusterAddresses: readonly MemberAddress[],
    tls: MutualTls | undefined,
    flags: EtcdFlags,
  ) {
    this.#tls = tls;
    this.#flags = flags;
    this.#program = program;
    this.#dir = dir;
    this.#address = address;
    this.#initialCluster = clusterAddresses.map(({ name, peerUrl }) => `${name}=${peerUrl}`).join(',');
    this.url = address.url;
  }

  static async start(program: string, tls?: MutualTls, flags?: EtcdFlags): Promise<TestEtcd> {
    const [member] = await TestEtcd.startMembers(program, 1, tls, flags);
    return member!;
  }

  /** Starts the members of one cluster. */
  static async startMembers(
    program: string,
    count: number,
    tls?: MutualTls,
    flags: EtcdFlags = {},
  ): Promise<TestEtcd[]> {
    const ports = await freePorts(count * 2);
    const authority = (portIndex: number) => `://127.0.0.1:${ports[portIndex]}`;
    const addresses = Array.from({ length: count }, (_, i) => ({
      name: `member-${i}`,
      url: `${tls ? 'https' : 'http'}${authority(2 * i)}`,
      peerUrl: `http${authority(2 * i + 1)}`,
    }));
    const members: TestEtcd[] = [];
    for (const address of addresses) {
      const dir = await mkdtemp(join(tmpdir(), 'orch-etcd-'));
      members.push(new TestEtcd(program, dir, address, addresses, tls, flags));
    }
    await Promise.all(members.map((member) => member.launch()));
    return members;
  }

  /** Starts or restarts the member, and waits until it answers. */
  async launch(): Promise<void> {
    const { name, url, peerUrl } = this.#address;
    const flags = {
      name,
      'data-dir': join(this.#dir, 'data'),
      'listen-client-urls': url,
      'advertise-client-urls': url,
      'listen-peer-urls': peerUrl,
      'initial-advertise-peer-urls': peerUrl,
      'initial-cluster': this.#initialCluster,
      'log-level': 'error',
      // The conformance suite writes larger objects than etcd accepts by default.
      'max-request-bytes': '16777216',
      'unsafe-no-fsync': 'true',
      ...this.#flags,
      ...(this.#tls && {
        'cert-file': this.#tls.files.cert,
        'key-file': this.#tls.files.key,
        'trusted-ca-file': this.#tls.files.ca,
        'client-cert-auth': 'true',
      }),
    };
    const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
    const child = spawn(this.#program, args, { stdio: 'ignore' });
    this.#process = child;
    // etcd must not outlive a test process that exits early.
    const killChild = () => child.kill('SIGKILL');
    process.once('exit', killChild);
    child.once('exit', () => process.off('exit', killChild));
    const client = new EtcdClient({
      servers: [url],
      timeoutMs: 30_000,
      ...(this.#tls && { credentials: this.#tls.credentials }),
    });
    try {
      await client.range({ key: 'anything' });
    } finally {
      client.close();
    }
  }

  /** Copies the data directory while the member is stopped. Returns the function that restores it. */
  async saveData(): Promise<() => Promise<void>> {
    const [data, saved] = [join(this.#dir, 'data'), join(this.#dir, 'saved')];
    await cp(data, saved, { recursive: true });
    return async () => {
      await rm(data, { recursive: true });
      await cp(saved, data, { recursive: true });
    };
  }

  /** SIGKILL simulates a crash. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    this.#process = undefined;
    if (!child || child.exitCode !== null) return;
    const exited = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await exited;
  }

  /** Suspends the process: it answers nothing, but its connections stay open. */
  pause(): void {
    this.#process?.kill('SIGSTOP');
  }

  resume(): void {
    this.#process?.kill('SIGCONT');
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#dir, { recursive: true, force: true });
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = servers.map(
    (server) =>
      new Promise<number>((resolve, reject) => {
        server.once('error', reject);
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : 0);
        });
      }),
  );
  const freed = await Promise.all(ports);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return freed;
}
