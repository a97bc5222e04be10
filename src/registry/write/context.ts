// The state of one write: its request, and the results of the pipeline stages so far.
// A view is a subresource such as `scale` that shows its parent object as another kind.
import type { FieldError } from '../../errors/field-error.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { Reservation } from '../../kind/hooks.ts';
import type { ManagedFieldSet } from '../../patch/apply/managed-fields.ts';
import type { AppliedConfiguration, ApplyType } from '../../patch/decode-applied-configuration.ts';
import type { Patch, PatchType } from '../../patch/decode-patch.ts';
import type { ParsedBody, RequestBody } from '../../serializers/request-body.ts';
import type { Revision, StoredObject, Write } from '../../store/store.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type { VerbContext } from '../verb-context.ts';
import type { AdmissionRun } from './admission-control.ts';

export interface WriteRequest<Input extends WriteInput = WriteInput> {
  readonly target: Target;
  readonly options: WriteOptions;
  readonly input: Input;
  readonly observer?: WriteObserver;
}

/** The verbs differ in their input, and in the stages that this input needs. */
type WriteInput = EncodedInput | InProcessInput;

export type WriteVerb = WriteInput['verb'];

/** A write as a client sends it. */
export type EncodedInput =
  | { readonly verb: 'create' | 'update'; readonly body: RequestBody }
  | { readonly verb: 'patch'; readonly type: PatchType; readonly source: Buffer }
  | { readonly verb: 'apply'; readonly type: ApplyType; readonly source: Buffer };

/** A write of the server itself. `read` runs again whenever the write is retried on a newer state. */
type InProcessInput =
  | { readonly verb: 'create'; read(): DecodedObject }
  | { readonly verb: 'update'; read(): DecodedObject | Promise<DecodedObject> }
  | { readonly verb: 'apply'; readonly configuration: AppliedConfiguration };

/** The object to write. The pipeline owns and mutates it. */
export interface DecodedObject {
  readonly object: ApiObject;
  /** Required fields missing from the request body (see Decoding.absences). */
  readonly absences?: readonly FieldError[];
  /** managedFields are already those after the write (server-side apply). */
  readonly hasManagedFields?: boolean;
  /** Stores the object again as the current encoder writes it, even if its bytes stay the same (storage migration). */
  readonly isRewrite?: boolean;
}

/** Receives the decoded object before the pipeline changes it, for the audit event. */
export interface WriteObserver {
  onDecoded(object: ApiObject): void;
  /** Whether the observer reads more of the object than names and versions in its metadata. */
  readonly needsWholeObject: boolean;
}

export interface WriteResult {
  readonly object: StoredObject;
  readonly created: boolean;
}

/** A write that is decided and encoded, ready to commit. */
export type PreparedWrite =
  /** The stored object stays: the write would not change a byte of it. */
  | { readonly is: 'unchanged' }
  /** `isNew`: the key must not exist. */
  | { readonly is: 'dryRun'; readonly object: StoredObject; readonly isNew: boolean }
  | { readonly is: 'write'; readonly write: Write }
  /** The write removes the last finalizer of a terminating object. `last` is its final state, for the response. */
  | { readonly is: 'delete'; readonly last: StoredObject };

/** The state of one write. The stages read and fill in its fields; `newWriteContext` in pipeline.ts creates it. */
export interface WriteContext {
  readonly api: VerbContext;
  readonly request: WriteRequest;
  readonly options: WriteOptions;
  readonly warnings: string[];
  /** The number of warnings before the write: another attempt drops the later ones. */
  readonly warningsBefore: number;
  /** The target of the request. Once a view is merged into its parent, the parent. */
  target: Target;

  /** The parsed body of a create or update. */
  parsed: ParsedBody | undefined;
  /** The decoded patch, which every attempt applies. */
  patch: Patch | undefined;
  /** The decoded configuration of a server-side apply, likewise. */
  configuration: AppliedConfiguration | undefined;

  /** The object to write; set once the input is decoded. The next three fields are those of DecodedObject. */
  object: ApiObject;
  absences: readonly FieldError[];
  hasManagedFields: boolean;
  isRewrite: boolean;
  /** Server-side apply found nothing to change. */
  isUnchanged: boolean;
  /** The field managers of a view after a server-side apply to it. */
  viewOwners: readonly ManagedFieldSet[] | undefined;
  /** Converts the parent to the view that was written, for validating admission. */
  toView: ((parent: ApiObject) => ApiObject) | undefined;

  /** The object to replace; undefined on create. */
  stored: StoredObject | undefined;
  /** `stored`, decoded in the version of the request. */
  old: ApiObject | undefined;
  isNew: boolean;
  /** A PUT or apply creates its object. */
  isCreateOnUpdate: boolean;
  /** The resourceVersion in the object to write; 0 (none) replaces any state. */
  expectedRevision: Revision;

  admission: AdmissionRun | undefined;
  /** Validating admission has started: `admission.finish` is due. */
  isValidating: boolean;
  /** Cluster IPs and node ports reserved by this attempt: `commit` or `undo` is due. */
  reservation: Reservation | undefined;
  prepared: PreparedWrite | undefined;
  /** The namespace as the worker thread that prepared the write saw it: the commit fails where it changed since. */
  namespaceSeen: StoredObject | undefined;
  /** Set by the stage that ends the write. */
  result: WriteResult | undefined;

  /** Attempts of the whole pipeline, the current one included. */
  attempts: number;
  /** Names generated in this attempt. */
  nameAttempts: number;
  /** The object has a generateName and no name of its own. */
  isNameGenerated: boolean;
  /** The number of warnings when the first name was generated: a retry with another name drops the later ones. */
  warningsBeforeName: number;
  /** The patch sets metadata.resourceVersion or uid as a precondition, so a conflict is final. */
  hasPreconditions: boolean;
}
