// Admission: the attributes of one request, as plugins see them (upstream: admission.Attributes).
import type { ApiObject } from '../kind/api-object.ts';
import type { ValidatedDeleteOptions } from '../kind/delete-options.ts';
import type { ServedKind } from '../kind/registry.ts';
import type { OriginatingRequest, WriteOptions } from '../registry/options/write-options.ts';
import type { Target } from '../registry/target.ts';
import type { AdmissionContext } from '../registry/verb-context.ts';
import type {
  AdmissionObjects,
  AdmissionOperation,
  AdmissionRequest,
  AdmissionTarget,
} from '../registry/write/admission-control.ts';
import type { User } from '../request/user.ts';

/** The object of a request; undefined on DELETE, and on CONNECT to a subresource without options. */
export type AdmittedObject = ApiObject | undefined;

/**
 * `New` and `Old` are the static types of the objects that a plugin handles: a plugin for the creation and update of pods
 * takes `Attributes<Pod>`, one for updates alone `Attributes<Pod, Pod>`.
 */
export class Attributes<
  New extends AdmittedObject = AdmittedObject,
  Old extends AdmittedObject = New | undefined,
> implements AdmissionRequest
{
  readonly api: AdmissionContext;
  readonly target: Target;
  readonly operation: AdmissionOperation;
  readonly user: User;
  readonly options: WriteOptions | ValidatedDeleteOptions;
  readonly request: OriginatingRequest | undefined;
  readonly warnings: string[];
  /** Whether the mutating plugins are running for the second time. */
  isReinvocation = false;
  /** A webhook sets it after it has changed the object: the mutating plugins then run a second time. */
  needsReinvocation = false;
  readonly #objects: AdmissionObjects;
  /** The object that a mutating plugin put in place of that of the request. */
  #replacement: AdmittedObject;
  #undos: (() => void | Promise<void>)[] | undefined;
  #successCallbacks: (() => void)[] | undefined;

  constructor(api: AdmissionContext, request: AdmissionRequest, objects: AdmissionObjects) {
    this.api = api;
    this.target = request.target;
    this.operation = request.operation;
    this.user = request.user;
    this.options = request.options;
    this.request = request.request;
    this.warnings = request.warnings;
    this.#objects = objects;
  }

  /** The object to be written. Mutating plugins change it or replace it. */
  get object(): New {
    // The chain runs a plugin only on requests that the plugin handles, and these have the types it declares.
    return (this.#replacement ?? this.#objects.object) as New;
  }

  set object(replacement: New) {
    this.#replacement = replacement;
  }

  /** The stored object. Plugins must not change it. */
  get oldObject(): Old {
    return this.#objects.old as Old;
  }

  /** The kind of `object` and `oldObject`. */
  get kind(): ServedKind {
    return this.target.resource.kindOf(this.target.subresource);
  }

  get admissionTarget(): AdmissionTarget {
    const { resource, subresource } = this.target;
    return { resource, subresource, operation: this.operation };
  }

  /** '' before a name is generated, and for the objects of a deletecollection. */
  get name(): string {
    if (this.request?.isCollectionItem) return '';
    return this.target.name || this.object?.metadata.name || this.oldObject?.metadata.name || '';
  }

  get namespace(): string {
    return this.target.namespace;
  }

  get dryRun(): boolean {
    return this.options.dryRun;
  }

  /** Adds an audit annotation. */
  annotate(key: string, value: string): void {
    this.request?.audit?.annotate(key, value);
  }

  /** Time spent in webhooks, which request latency metrics leave out. */
  addExternalLatency(ms: number): void {
    if (this.request) this.request.externalLatencyMs += ms;
  }

  /** Registers a callback that undoes a side effect of the plugin if the write fails later. */
  onFailure(undo: () => void | Promise<void>): void {
    this.#undos ??= [];
    this.#undos.push(undo);
  }

  /** Registers a callback that runs after the commit. */
  onSuccess(callback: () => void): void {
    this.#successCallbacks ??= [];
    this.#successCallbacks.push(callback);
  }

  /** Called once the write is committed. */
  succeed(): void {
    for (const callback of this.#successCallbacks ?? []) callback();
  }

  /** Called once the write is rejected or has failed. */
  async fail(): Promise<void> {
    const undos = this.#undos ?? [];
    this.#undos = undefined;
    this.#successCallbacks = undefined;
    for (const undo of undos) {
      try {
        await undo();
      } catch {
        // The client gets the error that made the write fail; the remaining undos must still run.
      }
    }
  }
}

/** Narrows the attributes in a plugin that handles several resources or subresources. */
export function isRequestFor<T extends ApiObject>(
  attributes: Attributes,
  prefix: string,
  subresource = '',
): attributes is Attributes<T> {
  return attributes.target.resource.prefix === prefix && attributes.target.subresource === subresource;
}
