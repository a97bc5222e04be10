import type { JSONSchemaProps } from '../apis/apiextensions/json-schema.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { Status } from '../errors/status.ts';
import type { Api, Target } from '../registry/api.ts';
import type { WriteOptions } from '../registry/options/write-options.ts';
import type { Guard } from '../registry/write/guard.ts';
import type { AuthenticatorChain } from '../request/authenticator.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { User } from '../request/user.ts';
import type { Struct } from '../schema/struct.ts';
import type { ConflictScope, StoredObject } from '../store/store.ts';
import type { ManagedFieldsEntry } from './meta/object-meta.ts';
import type { ServedResource } from './registry.ts';
import type { Bulk } from './storage/bulk.ts';
import type { TableLayout } from './table.ts';

/** Any object of the API once decoded: the JSON, with maps from users as null-prototype objects. */
export interface ApiObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
  [field: string]: unknown;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  selfLink?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

/** What a kind does beyond its schema when it is written. `T` is the kind's static type. */
export interface UpdateRules<T extends ApiObject = ApiObject> {
  /**
   * Puts back what this write may not touch, and bumps what a change bumps (generation). Both objects have defaults
   * applied; `now` is the time as objects carry it.
   */
  prepareForUpdate?(object: T, old: T, now: string): void;
  /** What this write puts back or throws away (`status`, `metadata.labels`): nobody comes to own what it says there. */
  readonly untracked?: readonly string[];
  /**
   * Loads what looking at the object takes, where few objects take it: the language of expressions. Undefined where
   * nothing is missing. On a kind's strategy it is asked for creations too.
   */
  load?(object: T, old?: T): Promise<void> | undefined;
  validateUpdate?(object: T, old: T): FieldError[];
  warningsOnUpdate?(object: T, old: T): string[];
  /** What the writer must be allowed beyond the write itself. On a kind's strategy it looks at creations too. */
  readonly guard?: Guard<T>;
}

export interface Strategy<T extends ApiObject = ApiObject> extends UpdateRules<T> {
  /** What is wrong with this name, in words for "Invalid value"; empty when nothing. `prefix`: it is a generateName. */
  validateName(name: string, prefix: boolean): string[];
  /** PUT on a name that does not exist creates it. */
  readonly allowCreateOnUpdate?: boolean;
  /** PUT without resourceVersion overwrites whatever is there. */
  readonly allowUnconditionalUpdate?: boolean;
  /** Deletion answers with the object instead of a Status. */
  readonly deleteReturnsObject?: boolean;
  /** `now` is the time as objects carry it; `user` is who creates it, where that is not the server itself. */
  prepareForCreate?(object: T, now: string, user?: User): void;
  validate?(object: T): FieldError[];
  /** `validate` looks at the metadata too, in an order of its own. */
  readonly validatesMetadata?: boolean;
  warningsOnCreate?(object: T): string[];
  /** Keeps an object that is being deleted until something has been done. */
  readonly finalizerOnDelete?: string;
  /** Marks an object that begins to be deleted, beyond its metadata (a Namespace's phase). */
  prepareForDelete?(object: T): void;
  /** What it owns stays when it is deleted, unless the request says otherwise. */
  readonly orphansByDefault?: boolean;
  /** What a client hears that deletes it without saying what becomes of what it owns. */
  readonly warningOnDelete?: string;
  /**
   * How many seconds the object has to end before it may go, where the kind knows of such a thing; `requested` is what
   * the client asked for.
   */
  gracefulDelete?(object: T, requested: number | undefined): number;
  /** Something of the kind itself, beside `metadata.finalizers`, must still happen before the object may go. */
  awaitsDeletion?(object: T): boolean;
  /** The object goes away by itself after --event-ttl. */
  readonly expires?: boolean;
  /**
   * Takes what the object needs beyond itself (addresses, ports) and fills it in, before anything else is looked at.
   * `old`: what the object is to replace.
   */
  reserve?(api: Api, object: T, old: T | undefined, dryRun: boolean): Promise<Reservation>;
  /** Gives back what an object had beyond itself that is gone. */
  afterDelete?(api: Api, object: T): Promise<void>;
}

/** What was taken for an object that is being written. One of `commit` and `undo` is called, once. */
export interface Reservation {
  /** Called right before the object is committed, where other servers may be about to take the same. */
  readonly enter?: (() => Promise<ConflictScope>) | undefined;
  /** The object is stored. */
  commit(): Promise<void>;
  /** It is not: gives back what was taken. */
  undo(): Promise<void>;
}

/** A kind in one version, and no more: it may have no path of its own. */
export interface KindDefinition<T extends ApiObject = ApiObject> {
  /** As in ResourceDefinition. */
  readonly isCustom?: boolean;
  readonly listKind?: string;
  /** As in ResourceDefinition. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly schema: Struct<T>;
  applyDefaults?(object: T): void;
}

/** A path below an object with rules of its own. Beside its verbs it has one of the other members. */
export interface Subresource<T extends ApiObject = ApiObject> {
  readonly verbs: readonly Verb[];
  /** `status` and its like: the parent's own kind is read and written, by these rules. */
  readonly rules?: UpdateRules<T>;
  /** `scale`: the parent is seen as another kind. */
  readonly view?: SubresourceView<T>;
  /** `binding`, `eviction`, `token`: a kind that is only created, and does something. */
  readonly action?: Action;
  /** `log`, `exec`, `proxy`…: it leads to what the parent runs on. */
  readonly connect?: Connection;
}

/** How an object is seen as another kind, and what that kind's fields say written back into the object. */
export interface SubresourceView<T extends ApiObject = ApiObject> extends KindDefinition {
  /** Where the object keeps what the view has as `spec.replicas`, if not there as well: `['f:spec', 'f:size']`. */
  readonly sharedAt?: readonly string[];
  /** Name, namespace, uid, resourceVersion and creationTimestamp are filled in by the server. */
  show(parent: T): ApiObject;
  /** Throws where the object holds too little to be read as the view. It can still be written through it. */
  assertReadable?(parent: T): void;
  /** As in ResourceDefinition. */
  readonly table?: TableLayout;
  validate?(view: ApiObject): FieldError[];
  write(view: ApiObject, parent: T): void;
}

/** What creating an object of a kind does, where nothing of that kind is stored. */
export interface Action extends KindDefinition {
  /** Completes an object before those see it who may only say no to it. */
  prepare?(request: Pick<ActionRequest, 'api' | 'target'>, object: ApiObject): void;
  /** What the client is answered with, 201: an object of this kind, or a Status. */
  perform(request: ActionRequest, object: ApiObject): Promise<ApiObject | Status>;
}

export interface ActionRequest {
  readonly api: Api;
  readonly authorizer: Authorizer;
  readonly authenticators: AuthenticatorChain;
  readonly user: User;
  readonly target: Target;
  readonly options: WriteOptions;
  readonly warnings: string[];
  /** Notes something of the request for the audit log. */
  annotate(key: string, value: string): void;
}

export interface Connection {
  /** The kind of its options, as discovery names it. */
  readonly kind: string;
  /** That kind, where those who have a say in requests are told of them; undefined for what only reads. */
  readonly options?: KindDefinition;
}

/** One kind in one version: everything the server knows about it. Groups are ids that the dialect turns into names. */
export interface ResourceDefinition<T extends ApiObject = ApiObject> {
  /** It was learnt while the server runs: its group goes by its own name, and its objects by no other forms than JSON's. */
  readonly isCustom?: boolean;
  /** The kind of lists of it; that of its objects and `List` where it is left out. */
  readonly listKind?: string;
  /** '' for core, 'apps', 'batch', … and for the groups that carry the service's name their first word(s): 'events', 'coordination', 'rbac.authorization'. */
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  readonly schema: Struct<T>;
  /** Present where most of an object may be what few look at. */
  readonly bulk?: Bulk;
  /** So many bytes may an object have as clients write it, where that is less than those of other kinds may have. */
  readonly mostBytes?: number;
  /** Fills in what depends on more than the schema knows: on names of the service, or on features. After the schema's own defaults. */
  applyDefaults?(object: T): void;
  readonly strategy: Strategy<T>;
  readonly subresources: Readonly<Record<string, Subresource<T>>>;
  /** Where its objects lie in the store, e.g. `configmaps`, `services/endpoints`. Same for all versions of one kind. */
  readonly storagePrefix: string;
  /** Field selectors beyond metadata.name and metadata.namespace: name → value for this object. */
  selectableFields?(object: T): Record<string, string>;
  /** Names of those fields, for rejecting others. */
  readonly selectableFieldNames?: readonly string[];
  /** Absent when the objects are stored in this very version, and for kinds that were learnt. */
  readonly conversion?: Conversion<T>;
  /** Of a kind that was learnt: this is the version that its objects are stored in. */
  readonly isStored?: boolean;
  /** Of a kind that was learnt: somebody outside the server knows how its versions become each other. */
  readonly converter?: Converter;
  /** False for a version that objects are only stored in. */
  readonly isServed?: boolean;
  /** The words in which clients are told to move on, where it has its own; '' for usual ones. */
  readonly deprecationWarning?: string;
  /** Present where clients should move on: every request then gets a warning. */
  readonly deprecation?: Deprecation;
  /** The version that clients are told it is stored in, where that is not the one it is: they only compare. */
  readonly announcedStorageVersion?: string;
  /** How a list of it is shown as a Table. Without one, a row has the name and the time of creation. */
  readonly table?: TableLayout<T>;
  /** Absent for stored kinds. A virtual kind computes its objects when asked. */
  readonly virtual?: Virtual<T>;
  /** Present where objects are only created, and never stored. */
  readonly perform?: Action['perform'];
  /** What OpenAPI says of a kind that was learnt. */
  readonly published?: Published;
}

/** A state of the definition of a kind that was learnt. */
export type DefinitionState = Pick<StoredObject, 'key' | 'json' | 'mark' | 'revision'>;

/** What the author of a kind says of its objects. */
export interface Published {
  schema(): JSONSchemaProps;
  /** Differs where anything does that is published of the kind. */
  readonly state: string;
  /** The definition that says it. */
  readonly definition: DefinitionState;
}

/** How a version that is not the stored one comes from and goes to the stored one. */
export interface Conversion<T extends ApiObject> {
  readonly storedVersion: { readonly group: string; readonly version: string };
  fromStored(stored: ApiObject): T;
  toStored(object: T): ApiObject;
}

/** Somebody who is asked what objects are in another version of their kind. */
export interface Converter {
  /** What each of them is in the version, in the same order, with the metadata that it had. */
  convert(objects: readonly Unconverted[], to: ServedResource): Promise<ApiObject[]>;
}

/** An object in a version that is not the one that is wanted. */
export interface Unconverted {
  readonly object: ApiObject;
  readonly from: ServedResource;
}

export interface Deprecation {
  /** The release that deprecated it: `1.19`. */
  readonly since: string;
  /** The release that will no longer have it. */
  readonly removedIn?: string;
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
}

export interface Virtual<T extends ApiObject> {
  /** What "not found" calls the resource, where that is not its plural name. */
  readonly nameInErrors?: string;
  /** `name` is given where only the object of that name is asked for. */
  list(server: VirtualContext, name?: string): Promise<T[]>;
}

/** What a virtual kind may ask of the server. */
export interface VirtualContext {
  /** Health of the storage, for ComponentStatus. */
  storageHealth(): Promise<ComponentHealth>;
  /** Health of the component on this machine that serves HTTPS at this port, for ComponentStatus. */
  componentHealth(port: number): Promise<ComponentHealth>;
}

export interface ComponentHealth {
  readonly healthy: boolean;
  readonly message: string;
}
