import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Environment, Kubectl, type KubectlResult } from './kubectl.ts';
import { type ClientTarget, startTarget } from './target.ts';

/** kubectl's arguments: a line without spaces inside its words, or a list. */
type Args = string | readonly string[];

/** A server, a namespace on it, and kubectl working there. */
export class Workspace {
  readonly namespace: string;
  readonly #target: ClientTarget;
  readonly #kubectl: Kubectl;

  static async open(purpose: string, controllers?: readonly string[]): Promise<Workspace> {
    const workspace = new Workspace(await startTarget(controllers), `${purpose}-${process.pid}`);
    await workspace.run(`create namespace ${workspace.namespace}`);
    return workspace;
  }

  private constructor(target: ClientTarget, namespace: string) {
    this.#target = target;
    this.#kubectl = new Kubectl(target);
    this.namespace = namespace;
  }

  /** The folder of this workspace's files. */
  get folder(): string {
    return this.#target.folder;
  }

  /** The kubeconfig of the administrator. */
  get kubeconfig(): string {
    return this.#target.kubeconfig;
  }

  try(args: Args, input?: string, more?: Environment): Promise<KubectlResult> {
    return this.#kubectl.try(this.#inNamespace(args), input, more);
  }

  run(args: Args, input?: string, more?: Environment): Promise<string> {
    return this.#kubectl.run(this.#inNamespace(args), input, more);
  }

  fail(args: Args, input?: string, more?: Environment): Promise<string> {
    return this.#kubectl.fail(this.#inNamespace(args), input, more);
  }

  /** The object as it is now, for example `configmap/settings`. */
  async object(name: string) {
    return JSON.parse(await this.run(`get ${name} -o json --show-managed-fields`));
  }

  /** Writes a file for kubectl, and returns its path. */
  file(name: string, text: string): string {
    const path = join(this.folder, 'files', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  stop(): Promise<void> {
    return this.#target.stop();
  }

  #inNamespace(args: Args): string[] {
    return ['-n', this.namespace, ...(typeof args === 'string' ? args.split(' ') : args)];
  }
}
