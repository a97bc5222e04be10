import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientTarget } from './target.ts';

/** The reason why the tests with kubectl cannot run; undefined if they can. */
export const kubectlSkipReason: string | undefined = (() => {
  const kit = process.env.ORCH_REFERENCE;
  if (!kit)
    return 'ORCH_REFERENCE is not set: it names the folder of the reference kit, which carries kubectl';
  if (!existsSync(join(kit, 'unpack'))) return `ORCH_REFERENCE is ${kit}, where there is no reference kit`;
  return undefined;
})();

/** The folder of the real kubectl. */
export function unpackKubectl(): string {
  return execFileSync(join(process.env.ORCH_REFERENCE ?? '', 'unpack'), { encoding: 'utf8' }).trim();
}

export interface KubectlResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Additions to the environment of kubectl, for example its editor. */
export type Environment = Readonly<Record<string, string>>;

/** The real kubectl, configured for one server. */
export class Kubectl {
  readonly #program: string;
  readonly #target: ClientTarget;

  constructor(target: ClientTarget) {
    this.#program = join(unpackKubectl(), 'kubectl');
    this.#target = target;
  }

  /** Runs it to its end, with any exit code. */
  try(args: readonly string[], input = '', more: Environment = {}): Promise<KubectlResult> {
    const child = this.#start(args, more);
    child.stdin.end(input);
    return new Promise((resolve, reject) => {
      let stdout = '';
      let stderr = '';
      child.stdout.on('data', (text) => {
        stdout += text;
      });
      child.stderr.on('data', (text) => {
        stderr += text;
      });
      child.on('error', reject);
      child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
    });
  }

  /** Asserts success and returns standard output. */
  async run(args: readonly string[], input = '', more: Environment = {}): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, input, more);
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')} failed with ${code}: ${stderr}`);
    return stdout;
  }

  /** Asserts failure and returns standard error. */
  async fail(args: readonly string[], input = '', more: Environment = {}): Promise<string> {
    const { code, stdout, stderr } = await this.try(args, input, more);
    if (code === 0) throw new Error(`kubectl ${args.join(' ')} succeeded: ${stdout}`);
    return stderr;
  }

  /** Starts it in the background. */
  follow(args: readonly string[]): RunningKubectl {
    return new RunningKubectl(this.#start(args, {}));
  }

  #start(args: readonly string[], more: Environment): ChildProcessWithoutNullStreams {
    const { kubeconfig, folder } = this.#target;
    // HOME: kubectl caches discovery there. TMPDIR: kubectl keeps unsaved edits there.
    const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, KUBECONFIG: kubeconfig, ...more };
    const child = spawn(this.#program, args, { env, stdio: 'pipe' });
    child.stdout.setEncoding('utf8');
    child.stderr.setEncoding('utf8');
    return child;
  }
}

/** A kubectl that is still running. */
export class RunningKubectl {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #ended: Promise<unknown>;
  #printed = '';
  #onMore = () => {};

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.#ended = once(child, 'close');
    child.stdout.on('data', (text) => {
      this.#printed += text;
      this.#onMore();
    });
    child.on('close', () => this.#onMore());
  }

  /** Resolves once the pattern was printed. */
  async printed(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#printed)) {
      if (this.#child.exitCode !== null) throw new Error(`kubectl ended before ${pattern}: ${this.#printed}`);
      await new Promise<void>((resolve) => {
        this.#onMore = resolve;
      });
    }
  }

  async stop(): Promise<void> {
    this.#child.kill();
    await this.#ended;
  }
}
