// The real helm: builds it from the Go module proxy, and runs its commands on a server.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const maxBuffer = 64 * 1024 * 1024;

/** The last release whose client libraries are those of Kubernetes 1.33. */
const version = 'v3.18.6';

/** Builds helm, once, and returns the path of the program. */
export async function buildHelm(go: string): Promise<string> {
  const folder = join(tmpdir(), 'orch-clients-go', `helm-${version}`);
  const program = join(folder, 'helm');
  if (existsSync(program)) return program;
  console.log(`building helm ${version}, which takes minutes the first time`);
  const env = { ...process.env, GOBIN: folder };
  await run(go, ['install', '-p', '1', `helm.sh/helm/v3/cmd/helm@${version}`], { env, maxBuffer });
  return program;
}

export interface HelmResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export class Helm {
  readonly #program: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(program: string, kubeconfig: string, folder: string) {
    this.#program = program;
    this.#env = {
      ...process.env,
      KUBECONFIG: kubeconfig,
      HOME: folder,
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
  }

  /** Runs a command, whatever it exits with. */
  async try(...args: string[]): Promise<HelmResult> {
    try {
      const { stdout, stderr } = await run(this.#program, args, { env: this.#env, maxBuffer });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const { code, stdout = '', stderr = '' } = error as Partial<HelmResult>;
      if (typeof code !== 'number') throw error;
      return { code, stdout, stderr };
    }
  }

  /** Runs a command that must succeed, and returns what it prints. */
  async run(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.try(...args);
    if (code !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`);
    return stdout;
  }

  async json<T>(...args: string[]): Promise<T> {
    return JSON.parse(await this.run(...args, '-o', 'json')) as T;
  }
}
