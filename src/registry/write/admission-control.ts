// Admission control as the verbs use it. src/admission implements these interfaces with plugins, webhooks and policies.
import type { ApiObject } from '../../kind/api-object.ts';
import type { ValidatedDeleteOptions } from '../../kind/delete-options.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { User } from '../../request/user.ts';
import type { OriginatingRequest, WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** What rules of plugins, webhooks and policies match on: an operation on a resource or subresource. */
export interface AdmissionTarget {
  readonly resource: ServedResource;
  readonly subresource: string;
  readonly operation: AdmissionOperation;
}

export interface AdmissionRequest {
  readonly target: Target;
  readonly operation: AdmissionOperation;
  readonly user: User;
  readonly options: WriteOptions | ValidatedDeleteOptions;
  readonly request: OriginatingRequest | undefined;
  /** Collects the warnings of the response. */
  readonly warnings: string[];
}

/**
 * The objects of a request: `old` is absent on create and connect, `object` on delete. They may be getters that decode the
 * object at first use.
 */
export interface AdmissionObjects {
  readonly object?: ApiObject;
  readonly old?: ApiObject | undefined;
}

/**
 * Which plugins of the chain run: all of them, or those that only the serving thread can run, after a worker thread has run
 * the others.
 */
export type AdmissionPart = 'all' | 'afterWorker';

/** The admission plugins of one server. `Server`: the dependencies that plugins get from it. */
export interface AdmissionControl<Server> {
  /** Whether any plugin handles such requests. */
  handles(target: AdmissionTarget, part?: AdmissionPart): boolean;
  /** Whether any plugin mutates objects of such requests, rather than only validate them. */
  mayMutate(target: AdmissionTarget, part?: AdmissionPart): boolean;
  /** Clears the cached results of `handles` and `mayMutate`, because the configuration of a plugin changed. */
  invalidateHandlesCache(): void;
  /** Begins admission of a request. Undefined where no plugin handles it. */
  begin(
    server: Server,
    request: AdmissionRequest,
    objects: AdmissionObjects,
    part?: AdmissionPart,
  ): AdmissionRun | undefined;
}

/** Admission of one request: `mutate`, then `validate`, then `finish`. */
export interface AdmissionRun {
  /** Runs mutating admission. Resolves to the object that it leaves, which may be another one; undefined on delete. */
  mutate(): Promise<ApiObject | undefined>;
  /** Runs validating admission on the complete object; left out on delete. */
  validate(object?: ApiObject): Promise<void>;
  /** Ends a run whose validation has started. Plugins undo their side effects unless the request `succeeded`. */
  finish(succeeded: boolean): void | Promise<void>;
}

/** The NamespaceLifecycle plugin. Every verb calls it directly, because almost every write concerns it. */
export interface NamespaceAdmission {
  /** Throws where the namespace does not exist or is terminating. */
  assertCreateAllowed(target: Target, object: ApiObject): void;
  /** Throws where the namespace does not exist. */
  assertUpdateAllowed(target: Target): void;
  /** Throws for the immortal namespaces, such as `default` and `kube-system`. */
  assertDeleteAllowed(target: Target): void;
}
