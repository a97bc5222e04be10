// Definitions of kinds: a ResourceDefinition is everything the server knows of one kind in one version (schema, strategy,
// subresources, columns, conversion).

import type { Clock } from '../base/clock.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { FieldError } from '../errors/field-error.ts';
import type { WireStatus } from '../errors/status.ts';
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

/** A kind in one version. It may be served only as a subresource. */
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

/** A subresource has exactly one of `rules`, `view`, `action` and `connect`. */
export interface Subresource<T extends ApiObject = ApiObject> {
  readonly verbs: readonly Verb[];
  /** `status` and its like: reads and updates the parent object with this strategy. */
  readonly rules?: UpdateStrategy<T>;
  /** `scale`: reads and writes the parent object as another kind. */
  readonly view?: SubresourceView<T>;
  /** `binding`, `eviction`, `token`: a create that is not stored. */
  readonly action?: Action;
  /** `log`, `exec`, `proxy`…: connects to the kubelet, the pod or the service. */
  readonly connect?: Connection;
  /** Served only while this feature gate is on. */
  readonly gate?: GateName;
}

/** Converts the parent object to another kind, and writes that kind's fields back. */
export interface SubresourceView<T extends ApiObject = ApiObject> extends KindDefinition {
  /** The object's path of the view's `spec.replicas` in managedFields, if it differs: `['f:spec', 'f:size']`. */
  readonly replicasPath?: readonly string[];
  /** The server sets name, namespace, uid, resourceVersion and creationTimestamp. */
  toView(parent: T): ApiObject;
  /** Throws if the object lacks a field that a read of the view needs. Writes are still possible. */
  assertReadable?(parent: T): void;
  /** As in ResourceDefinition. */
  readonly table?: TableLayout;
  validate?(view: ApiObject): FieldError[];
  write(view: ApiObject, parent: T): void;
}

/** A create request that is not stored (a review, a binding, an eviction). */
export interface Action extends KindDefinition {
  /** Completes the object after mutating admission. */
  prepare?(request: Pick<ActionRequest, 'clock' | 'target'>, object: ApiObject): void;
  /** The response, sent with 201: an object of this kind, or a Status. */
  perform(request: ActionRequest, object: ApiObject): Promise<ApiObject | WireStatus>;
}

/** The request that performs an action, and the server's services for it. */
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

/** A connect subresource, whose requests are forwarded. */
interface Connection {
  /** The kind of its options in discovery: `PodExecOptions`. */
  readonly kind: string;
  /** The options that admission plugins see on CONNECT; undefined for subresources that only read. */
  readonly options?: KindDefinition;
}

/**
 * A resource in one version. `group` is the id of an API group, which the dialect (Kubernetes' names, or those of Orch) turns
 * into its name: `events` into `events.k8s.io`.
 */
export interface ResourceDefinition<T extends ApiObject = ApiObject> {
  /** A custom resource: its group is a name, not an id, and its objects have no Protobuf encoding. */
  readonly isCustom?: boolean;
  /** The kind of its lists; by default the kind with the suffix `List`. */
  readonly listKind?: string;
  /** '' for core; 'apps', 'batch'; groups with the service's domain without it: 'events', 'coordination', 'rbac.authorization'. */
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
  /** Splits off large data that most requests do not read. */
  readonly bulk?: Bulk;
  /** A size limit in bytes for client writes, below that of other kinds. */
  readonly maxBytes?: number;
  /** Defaults that depend on the dialect or on feature gates. Runs after the schema's defaults. */
  applyDefaults?(object: T): void;
  readonly strategy: Strategy<T>;
  readonly subresources: Readonly<Record<string, Subresource<T>>>;
  /** The key prefix in the store: `configmaps`, `services/endpoints`. The same for all versions of a kind. */
  readonly storagePrefix: string;
  /** Field selectors beyond metadata.name and metadata.namespace: name → value for this object. */
  selectableFields?(object: T): Record<string, string>;
  /** The names of these fields: others are rejected. */
  readonly selectableFieldNames?: readonly string[];
  /** Absent for the storage version, and for custom resources. */
  readonly conversion?: Conversion<T>;
  /** The storage version of a custom resource. */
  readonly isStored?: boolean;
  /** The conversion webhook of a custom resource. */
  readonly converter?: Converter;
  /** False for a version that is only stored. */
  readonly isServed?: boolean;
  /** The deprecation warning of a custom resource version; built-in kinds have `deprecation`. */
  readonly deprecationWarning?: string;
  /** Every request of a deprecated version gets a warning. */
  readonly deprecation?: Deprecation;
  /** The version in the storageVersionHash of discovery, if upstream's storage version differs. */
  readonly announcedStorageVersion?: string;
  /** Served only while this feature gate is on. */
  readonly gate?: GateName;
  /** A beta version that is served unless --runtime-config disables it. */
  readonly isServedByDefault?: boolean;
  /** Printer columns, of objects in their storage version. Without them a Table shows name and creationTimestamp. */
  readonly table?: TableLayout;
  /** Computes the objects of a kind that is not stored. */
  readonly virtual?: Virtual<T>;
  /** A kind whose create is not stored. */
  readonly perform?: Action['perform'];
  /** The OpenAPI schema of a custom resource. */
  readonly published?: PublishedSchema;
}

/** A stored CustomResourceDefinition. */
export type DefinitionState = Pick<StoredObject, 'key' | 'json' | 'schemaFingerprint' | 'revision'>;

export interface PublishedSchema {
  schema(): JsonSchema;
  /** Changes whenever anything published of the kind does. */
  readonly state: string;
  readonly definition: DefinitionState;
}

/** Converts a version from and to the storage version. */
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

/** An object to convert, with its current version. */
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
  /** The resource in "not found" errors, if not the plural name. */
  readonly nameInErrors?: string;
  list(context: VirtualContext, scope: VirtualScope): Promise<T[]>;
}

/** The objects that a request for a virtual kind needs. */
export interface VirtualScope {
  /** '' for all namespaces, and for cluster-scoped kinds. */
  readonly namespace: string;
  /** Undefined for all objects. */
  readonly names: readonly string[] | undefined;
}

/** The server's services for virtual kinds. */
export interface VirtualContext {
  /** For ComponentStatus. */
  storageHealth(): Promise<ComponentHealth>;
  /** The health of a component that serves HTTPS at this port of localhost. */
  componentHealth(port: number): Promise<ComponentHealth>;
  /** For PodMetrics and NodeMetrics; undefined without simulated nodes. */
  readonly metricsSource: MetricsSource | undefined;
}

/** Resource metrics of nodes and their pods, as a metrics server collects them from kubelets. */
export interface MetricsSource {
  podMetrics(scope: VirtualScope): Promise<ApiObject[]>;
  nodeMetrics(scope: VirtualScope): Promise<ApiObject[]>;
}

export interface ComponentHealth {
  readonly healthy: boolean;
  readonly message: string;
}
