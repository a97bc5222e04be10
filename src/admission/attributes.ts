import type { ApiObject } from '../kind/api-object.ts';
import type { DeleteOptions } from '../kind/delete-options.ts';
import type { ServedKind } from '../kind/registry.ts';
import type { Api, Target } from '../registry/api.ts';
import type { RequestBehind, WriteOptions } from '../registry/options/write-options.ts';
import type {
  AdmissionObjects,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionTarget,
} from '../registry/write/admission-control.ts';
import type { User } from '../request/user.ts';

/** One write, as the plugins see it. */
export class Attributes implements AdmissionRequest {
  readonly api: Api;
  readonly target: Target;
  readonly operation: AdmissionOperation;
  readonly user: User;
  readonly options: WriteOptions | DeleteOptions;
  readonly request: RequestBehind | undefined;
  readonly warnings: string[];
  /** What is to be written. Those who admit change it, or put another in its place; undefined where something is deleted. */
  object: ApiObject | undefined;
  /** What is there now, only to be looked at. */
  readonly old: ApiObject | undefined;
  /** The plugins that admit are being asked a second time. */
  isSecondRound = false;
  /** Somebody outside the server has changed the object: those who admit look at it once more. */
  wantsSecondRound = false;
  #undo: (() => void | Promise<void>)[] | undefined;
  #done: (() => void)[] | undefined;

  constructor(api: Api, asked: AdmissionRequest, { object, old }: AdmissionObjects) {
    this.api = api;
    this.target = asked.target;
    this.operation = asked.operation;
    this.user = asked.user;
    this.options = asked.options;
    this.request = asked.request;
    this.warnings = asked.warnings;
    this.object = object;
    this.old = old;
  }

  /** The kind of `object` and `old`. */
  get kind(): ServedKind {
    return this.target.resource.kindOf(this.target.subresource);
  }

  get sort(): AdmissionTarget {
    const { resource, subresource } = this.target;
    return { resource, subresource, operation: this.operation };
  }

  /** '' while a name that is to be generated is not known yet, and for what goes with its collection. */
  get name(): string {
    if (this.request?.isOfMany) return '';
    return this.target.name || this.object?.metadata.name || this.old?.metadata.name || '';
  }

  get namespace(): string {
    return this.target.namespace;
  }

  get dryRun(): boolean {
    return this.options.dryRun;
  }

  /** Notes something for the audit log. */
  annotate(key: string, value: string): void {
    this.request?.audit?.annotate(key, value);
  }

  /** Time went by for which this server cannot help, in milliseconds. */
  spendOutside(ms: number): void {
    if (this.request) this.request.timeOutside = (this.request.timeOutside ?? 0) + ms;
  }

  /** What is to be done should nothing come of the write after all. */
  onFailure(undo: () => void | Promise<void>): void {
    this.#undo ??= [];
    this.#undo.push(undo);
  }

  /** Told once the write has been made. */
  onSuccess(done: () => void): void {
    this.#done ??= [];
    this.#done.push(done);
  }

  /** The write has been made. */
  succeed(): void {
    for (const done of this.#done ?? []) done();
  }

  /** Nothing came of the write. */
  async fail(): Promise<void> {
    const all = this.#undo ?? [];
    this.#undo = undefined;
    this.#done = undefined;
    for (const undo of all) {
      try {
        await undo();
      } catch {
        // The client gets the error that made the write fail; the remaining undos must still run.
      }
    }
  }
}
