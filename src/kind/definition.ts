// Definitions of kinds: a ResourceDefinition is everything the server knows of one kind in one version.

import type { Clock } from '../base/clock.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { Status } from '../errors/status.ts';
import type { AuthenticatorChain } from '../request/authenticator.ts';
import type { Authorizer } from '../request/authorizer.ts';
import type { TokenIssuer } from '../request/token-issuer.ts';
import type { User } from '../request/user.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Struct } from '../schema/struct.ts';
import type { StoredObject } from '../store/store.ts';
import type { ApiObject } from './api-object.ts';
import type { GateName } from './features/gate-table.ts';
import type { HookTarget, ObjectWriter } from './hooks.ts';
import type { Bulk } from './storage/bulk.ts';
import type { Strategy, UpdateStrategy } from './strategy.ts';
import type { TableLayout } from './table.ts';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

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
  readonly rules?: UpdateStrategy<T>;
  /** `scale`: the parent is seen as another kind. */
  readonly view?: SubresourceView<T>;
  /** `binding`, `eviction`, `token`: a kind that is only created, and does something. */
  readonly action?: Action;
  /** `log`, `exec`, `proxy`…: it leads to what the parent runs on. */
  readonly connect?: Connection;
  /** Served only while this feature gate is on. */
  readonly gate?: GateName;
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
  /** Completes the object after mutating admission. */
  prepare?(request: Pick<ActionRequest, 'clock' | 'target'>, object: ApiObject): void;
  /** The answer, sent with 201: an object of this kind, or a Status. */
  perform(request: ActionRequest, object: ApiObject): Promise<ApiObject | Status>;
}

export interface ActionRequest {
  readonly dialect: Dialect;
  /** The API group of DeleteOptions and its like, as errors name it. */
  readonly metaGroup: string;
  readonly clock: Clock;
  readonly objects: ObjectWriter;
  readonly tokens: TokenIssuer;
  readonly authorizer: Authorizer;
  readonly authenticators: AuthenticatorChain;
  readonly user: User;
  readonly target: HookTarget;
  readonly dryRun: boolean;
  readonly warnings: string[];
  /** Adds an annotation to the request's audit event. */
  annotate(key: string, value: string): void;
}

interface Connection {
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
  /** Served only while this feature gate is on. */
  readonly gate?: GateName;
  /** Printer columns, of objects in their storage version. Without them a Table shows name and creationTimestamp. */
  readonly table?: TableLayout;
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
  schema(): JsonSchema;
  /** Differs where anything does that is published of the kind. */
  readonly state: string;
  /** The definition that says it. */
  readonly definition: DefinitionState;
}

/** How a version that is not the stored one comes from and goes to the stored one. */
interface Conversion<T extends ApiObject> {
  readonly storedVersion: { readonly group: string; readonly version: string };
  fromStored(stored: ApiObject): T;
  toStored(object: T): ApiObject;
}

/** Converts objects of a custom resource between its versions: a conversion webhook. */
export interface Converter {
  /** The objects in the version, in the same order, with their metadata. */
  convert(objects: readonly Unconverted[], to: KindVersion): Promise<ApiObject[]>;
}

/** An object in another version than the wanted one. */
export interface Unconverted {
  readonly object: ApiObject;
  readonly from: KindVersion;
}

/** A kind in one version, with the names that clients use. */
export interface KindVersion {
  readonly version: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly definition: KindDefinition;
}

interface Deprecation {
  /** The release that deprecated it: `1.19`. */
  readonly since: string;
  /** The release that will no longer have it. */
  readonly removedIn?: string;
  readonly replacement?: { readonly group: string; readonly version: string; readonly kind: string };
}

interface Virtual<T extends ApiObject> {
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
