// In-process client: the verbs of the API without HTTP, for controllers, tests and programs that embed the server.
import type { Scale } from '../apis/autoscaling/scale.ts';
import type { BindingAction } from '../apis/core/binding.ts';
import type { JsonObject } from '../codec/json/json-value.ts';
import { badRequest, resourceNotServed } from '../errors/catalogue.ts';
import { ignoreNotFound } from '../errors/ignore-not-found.ts';
import type { ApiObject, ObjectMetadata } from '../kind/api-object.ts';
import { defaultDeleteOptions, type ValidatedDeleteOptions } from '../kind/delete-options.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored, storedJsonInVersion } from '../kind/storage/codec.ts';
import { convertInBatches, convertToVersion } from '../kind/storage/convert-stored.ts';
import { tryReadMetadata } from '../kind/storage/stored-metadata.ts';
import { Unreadable } from '../kind/storage/unreadable.ts';
import { mergePatchType } from '../patch/decode-patch.ts';
import { withoutAuditHook } from '../registry/audit-hook.ts';
import { hookTarget } from '../registry/object-reader.ts';
import { RegistryWriter } from '../registry/object-writer.ts';
import { readListOptions } from '../registry/options/list-options.ts';
import { defaultWriteOptions, type WriteOptions } from '../registry/options/write-options.ts';
import type { Target } from '../registry/target.ts';
import { existing, type RegistryContext } from '../registry/verb-context.ts';
import { apply } from '../registry/verbs/apply.ts';
import { create } from '../registry/verbs/create.ts';
import { type DeleteRequest, deleteObject } from '../registry/verbs/delete.ts';
import { type DeleteAllOptions, deleteAll } from '../registry/verbs/delete-all.ts';
import { get } from '../registry/verbs/get.ts';
import { list } from '../registry/verbs/list.ts';
import { update } from '../registry/verbs/update.ts';
import { readView } from '../registry/view.ts';
import { beginAdmission, validateAndRun } from '../registry/write/admission.ts';
import type { DecodedObject, EncodedInput, WriteRequest, WriteResult } from '../registry/write/context.ts';
import { decodeBody } from '../registry/write/decode.ts';
import { retryOnConflict } from '../registry/write/retry.ts';
import type { User } from '../request/user.ts';
import { jsonBody } from '../serializers/request-body.ts';
import { PreconditionFailed, type StoredObject } from '../store/store.ts';
import { InformerObject } from './informer-object.ts';
import type { Lister } from './lister.ts';

/** Names one object. */
export interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

export interface ListRequest {
  readonly apiVersion: string;
  readonly kind: string;
  /** By default all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** An object to write: as much of it as a client would send. */
export type Manifest = Omit<Partial<ApiObject>, 'metadata'> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMetadata;
};

/** Options of an update or apply. */
interface MutateOptions {
  readonly subresource?: string;
  /** The caller. Without a user, admission does not run. */
  readonly user?: User;
  /** The field manager. */
  readonly manager?: string;
}

/** What `mutateMetadata` may change. */
export type ChangeableMetadata = Pick<ObjectMetadata, 'finalizers' | 'ownerReferences'>;

/** Executes a write with an encoded body, on a worker thread if it is large. */
interface EncodedWriter {
  execute(request: WriteRequest<EncodedInput>, warnings: string[]): Promise<WriteResult>;
}

/** Bytes of a stored object above which `mutateMetadata` sends a patch, which a worker thread may prepare. */
const minPatchedBytes = 8 * 1024;

/** The caller of a delete, and its cancellation. */
interface Caller {
  readonly user: User;
  readonly signal: AbortSignal;
}

const deleteRequest = ({ user, signal }: Caller): DeleteRequest => ({
  user,
  signal,
  warnings: [],
  audit: undefined,
  deadlineMs: undefined,
  externalLatencyMs: 0,
});

/** The object as a client reads it over HTTP, in plain objects and arrays. */
function toJson(
  resource: ServedResource,
  stored: Pick<StoredObject, 'key' | 'json' | 'schemaFingerprint'>,
): ApiObject {
  return JSON.parse(storedJsonInVersion(resource, stored).toString()) as ApiObject;
}

async function inRequestedVersion(resource: ServedResource, stored: StoredObject): Promise<ApiObject> {
  return toJson(resource, await convertToVersion(resource, stored));
}

/**
 * The API without HTTP, for code in the same process: the same verbs, validation and errors (`ApiError`) as over the
 * network, without authorization, and with admission only for writes of a user. Controllers, tests and programs that embed
 * the server use it.
 */
export class Client {
  readonly #api: RegistryContext;
  readonly #writer: EncodedWriter | undefined;

  /** Without a writer, all writes are prepared on the calling thread. */
  constructor(api: RegistryContext, writer?: EncodedWriter) {
    this.#api = api;
    this.#writer = writer;
  }

  /** `lister` names the resource, which need not be served; without it the manifest does. */
  async create<T>(
    manifest: Manifest,
    options: Partial<WriteOptions> = {},
    lister?: Lister<T>,
  ): Promise<ApiObject> {
    const { target, decode, writeOptions } = this.#prepareWrite(manifest, '', options, lister?.resource);
    const stored = await retryOnConflict(this.#api.store, () =>
      create(this.#api, { ...target, name: '' }, decode(), writeOptions, []),
    );
    return inRequestedVersion(target.resource, stored);
  }

  /** `lister` as in create. */
  async update<T>(
    manifest: Manifest,
    options: Partial<WriteOptions> = {},
    lister?: Lister<T>,
  ): Promise<ApiObject> {
    return this.#update(manifest, '', options, lister?.resource);
  }

  async updateStatus(manifest: Manifest, options: Partial<WriteOptions> = {}): Promise<ApiObject> {
    return this.#update(manifest, 'status', options);
  }

  /** Approves or denies a CertificateSigningRequest. */
  async updateApproval(manifest: Manifest, options: Partial<WriteOptions> = {}): Promise<ApiObject> {
    return this.#update(manifest, 'approval', options);
  }

  async get(reference: Reference): Promise<ApiObject> {
    const target = this.#target(reference);
    return inRequestedVersion(target.resource, await get(this.#api, target, ''));
  }

  async list(request: ListRequest): Promise<{ resourceVersion: string; items: ApiObject[] }> {
    const target = this.#target({ ...request, name: '' });
    const { resource } = target;
    const query = new URLSearchParams();
    if (request.labelSelector) query.set('labelSelector', request.labelSelector);
    if (request.fieldSelector) query.set('fieldSelector', request.fieldSelector);
    const options = readListOptions(query, {
      selectableFields: resource.selectableFields,
      metaGroup: this.#api.metaGroup,
      watch: false,
    });
    const { page, resourceVersion } = await list(this.#api, target, options);
    const items: ApiObject[] = [];
    for await (const batch of convertInBatches(resource, page.objects())) {
      for (const item of batch) {
        if (item instanceof Unreadable) throw item;
        items.push(toJson(resource, item));
      }
    }
    return { resourceVersion, items };
  }

  /** Deletes an object, or marks it for deletion while finalizers hold it. Admission runs only with a caller. */
  async delete(
    reference: Reference,
    options: Partial<ValidatedDeleteOptions> = {},
    caller?: Caller,
  ): Promise<void> {
    const target = this.#target(reference);
    const request = caller && deleteRequest(caller);
    await retryOnConflict(this.#api.store, () =>
      deleteObject(this.#api, target, { ...defaultDeleteOptions, ...options }, request),
    );
  }

  /** As delete, by the key of a lister. A missing object is no error. Admission runs only with a caller. */
  async deleteByKey<T>(
    { resource }: Lister<T>,
    key: string,
    options: Partial<ValidatedDeleteOptions>,
    caller?: Caller,
  ): Promise<void> {
    const target = { resource, ...resource.namespaceAndName(`${resource.prefix}/${key}`), subresource: '' };
    const request = caller && deleteRequest(caller);
    await ignoreNotFound(deleteObject(this.#api, target, { ...defaultDeleteOptions, ...options }, request));
  }

  /**
   * Deletes the objects of a namespace, or of all namespaces with '', for which `isSelected` returns true. Returns whether
   * none is left. Admission runs only with a caller.
   */
  async deleteCollection<T>(
    { resource }: Lister<T>,
    namespace: string,
    options: Partial<ValidatedDeleteOptions> = {},
    isSelected: (object: InformerObject<T>) => boolean = () => true,
    caller?: Caller,
  ): Promise<boolean> {
    const request = caller && { ...deleteRequest(caller), isCollectionItem: true };
    const deletion: DeleteAllOptions = {
      namespace,
      isSelected: (stored: StoredObject) => isSelected(new InformerObject(resource, stored)),
      options: { ...defaultDeleteOptions, ...options },
      ...(request && { request }),
    };
    const { auditHook } = this.#api;
    if (!auditHook) return deleteAll(this.#api, resource, deletion);
    const target = { resource, namespace, name: '', subresource: '' };
    // One audit event for the collection, not one for each object.
    const deleteObjects = () => deleteAll(withoutAuditHook(this.#api), resource, deletion);
    return auditHook.record({ verb: 'deletecollection', target }, deleteObjects, () => undefined);
  }

  /**
   * Reads the latest state of an object, changes it, and updates it at that resourceVersion: it fails with a conflict if the
   * object is written meanwhile. It retries only a TransactionConflict, and once if the local state lacked a write that
   * another server had already acknowledged. So `change` may run more than once.
   */
  async mutate<T>(
    lister: Lister<T>,
    key: string,
    change: (object: T) => void,
    options: MutateOptions = {},
  ): Promise<void> {
    await this.#updateStored(lister, key, options, (object) => {
      change(object as T);
      return { object };
    });
  }

  /**
   * As mutate, for finalizers and owner references, with the uid as precondition: a new object with the same name is not
   * changed. The rest of a large object is not decoded on the calling thread. A missing object is no error.
   */
  async mutateMetadata(
    lister: Lister<ApiObject>,
    key: string,
    uid: string,
    change: (metadata: ChangeableMetadata) => void,
    options: MutateOptions = {},
  ): Promise<void> {
    const { resource } = lister;
    const stored = this.#api.store.get(`${resource.prefix}/${key}`);
    if (!stored) return;
    const metadata = stored.json.length > minPatchedBytes ? tryReadMetadata(stored) : undefined;
    // The audit hook needs the decoded object.
    if (!metadata || !this.#writer || this.#api.auditHook) {
      const changeObject = ({ metadata: latest }: ApiObject) => {
        change(latest);
        latest.uid = uid;
      };
      return ignoreNotFound(this.mutate(lister, key, changeObject, options));
    }
    change(metadata);
    const { finalizers = null, ownerReferences = null } = metadata;
    const resourceVersion = String(stored.revision);
    const patch = { metadata: { uid, resourceVersion, finalizers, ownerReferences } };
    const request = {
      target: { resource, ...resource.namespaceAndName(stored.key), subresource: '' },
      options: { ...defaultWriteOptions, ...options },
      input: { verb: 'patch', type: mergePatchType, source: Buffer.from(JSON.stringify(patch)) },
    } as const;
    await ignoreNotFound(this.#writer.execute(request, []).then(() => undefined));
  }

  /** Updates an object without changing it, which stores it in the current storage version. */
  async rewrite<T>(lister: Lister<T>, key: string, options: MutateOptions): Promise<void> {
    await this.#updateStored(lister, key, options, (object) => ({
      object,
      hasManagedFields: true,
      isRewrite: true,
    }));
  }

  /** Creates the subresource `binding` of a pod, which assigns the pod to a node. Admission runs only with a user. */
  async bind<T>({ resource }: Lister<T>, binding: Manifest, options: MutateOptions = {}): Promise<void> {
    const { name = '', namespace = '' } = binding.metadata;
    const target = { resource, namespace, name, subresource: 'binding' };
    const { auditHook } = this.#api;
    const bindPod = () => this.#bind(target, binding as unknown as ApiObject, options);
    if (!auditHook) return bindPod();
    return auditHook.record({ verb: 'create', target }, bindPod, () => undefined);
  }

  async #bind(target: Target, binding: ApiObject, options: MutateOptions): Promise<void> {
    const action = target.resource.subresource(target.subresource)!.action as BindingAction;
    this.#api.lifecycle.assertCreateAllowed(target, binding);
    const writeOptions = { ...defaultWriteOptions, ...options };
    const admission = beginAdmission(this.#api, target, 'CREATE', { object: binding }, writeOptions, []);
    const admitted = admission ? (await admission.mutate())! : binding;
    const request = {
      objects: new RegistryWriter(this.#api),
      clock: this.#api.clock,
      dryRun: false,
      target: hookTarget(target),
    };
    const perform = () => action.perform(request, admitted);
    await (admission ? validateAndRun(admission, admitted, perform) : perform());
  }

  /** Reads the subresource `scale` of an object. Throws 404 if there is no such object, or its resource has no scale. */
  async getScale<T>({ resource }: Lister<T>, namespace: string, name: string): Promise<Scale> {
    const target = { resource, namespace, name, subresource: 'scale' };
    const view = resource.subresource(target.subresource)?.view;
    if (!view || !resource.definition.namespaced) throw resourceNotServed();
    return (await readView(target, view, await get(this.#api, target, ''))) as Scale;
  }

  /** Updates the subresource `scale`. The resourceVersion of the scale is a precondition. */
  async updateScale<T>({ resource }: Lister<T>, scale: Scale, options: MutateOptions = {}): Promise<void> {
    const { name = '', namespace = '' } = scale.metadata;
    const target = { resource, namespace, name, subresource: 'scale' };
    const read = () => ({ object: structuredClone(scale) as ApiObject });
    const writeOptions = { ...defaultWriteOptions, ...options };
    await retryOnConflict(this.#api.store, () => update(this.#api, target, read, writeOptions, []));
  }

  /** Server-side apply that takes over the fields of other managers. The name is `metadata.name`. */
  async apply<T>(
    { resource }: Lister<T>,
    configuration: Manifest,
    { subresource = '', ...options }: MutateOptions & { readonly manager: string },
  ): Promise<void> {
    const { name = '', namespace = '' } = configuration.metadata;
    const target = { resource, namespace, name, subresource };
    const value = configuration as unknown as JsonObject;
    const writeOptions = { ...defaultWriteOptions, force: true, ...options };
    await retryOnConflict(this.#api.store, () =>
      apply(this.#api, target, { value, duplicateKeys: [] }, writeOptions, []),
    );
  }

  /**
   * Removes a finalizer from an object that is being deleted. The last finalizer's removal deletes the object without
   * decoding it, so that corrupt objects can be deleted as well.
   */
  async removeFinalizer<T>(lister: Lister<T>, key: string, finalizer: string): Promise<void> {
    const { prefix } = lister.resource;
    const withoutFinalizer = (finalizers: readonly string[] = []) =>
      finalizers.filter((name) => name !== finalizer);
    for (;;) {
      const stored = this.#api.store.get(`${prefix}/${key}`);
      if (!stored) return;
      const hasOtherFinalizers = withoutFinalizer(tryReadMetadata(stored)?.finalizers).length > 0;
      if (hasOtherFinalizers) break;
      try {
        await this.#api.store.commit({
          prefix,
          key: stored.key,
          expectedRevision: stored.revision,
          draft: null,
        });
        return;
      } catch (error) {
        // The object changed concurrently: another finalizer may have been added.
        if (!(error instanceof PreconditionFailed)) throw error;
      }
    }
    await ignoreNotFound(
      this.#updateStored(lister, key, {}, (object) => {
        object.metadata.finalizers = withoutFinalizer(object.metadata.finalizers);
        return { object };
      }),
    );
  }

  /** Updates the stored object with the result of `change`, which may run more than once. */
  async #updateStored<T>(
    { resource }: Lister<T>,
    key: string,
    { subresource = '', ...options }: MutateOptions,
    change: (object: ApiObject) => DecodedObject,
  ): Promise<void> {
    const target = { resource, ...resource.namespaceAndName(`${resource.prefix}/${key}`), subresource };
    const decode = async () =>
      change(decodeStored(resource, await convertToVersion(resource, existing(this.#api, target))));
    const writeOptions = { ...defaultWriteOptions, ...options };
    await retryOnConflict(this.#api.store, () => update(this.#api, target, decode, writeOptions, []));
  }

  async #update(
    manifest: Manifest,
    subresource: string,
    options: Partial<WriteOptions>,
    resource?: ServedResource,
  ): Promise<ApiObject> {
    const { target, decode, writeOptions } = this.#prepareWrite(manifest, subresource, options, resource);
    const updated = await retryOnConflict(this.#api.store, () =>
      update(this.#api, target, decode, writeOptions, []),
    );
    return inRequestedVersion(target.resource, updated.object);
  }

  #prepareWrite(
    manifest: Manifest,
    subresource: string,
    options: Partial<WriteOptions>,
    resource = this.#findResource(manifest.apiVersion, manifest.kind),
  ) {
    const { kind, metadata } = manifest;
    const { name = '', namespace } = metadata;
    const target = targetIn(resource, name, namespace);
    if (resource.definition.namespaced && !target.namespace) {
      throw badRequest(`${kind} is namespaced: set metadata.namespace`);
    }
    const writeOptions: WriteOptions = { ...defaultWriteOptions, fieldValidation: 'Strict', ...options };
    const body = jsonBody(Buffer.from(JSON.stringify(manifest)));
    const { registry } = this.#api;
    const { fieldValidation } = writeOptions;
    const decode = () => decodeBody({ registry, kind: resource, fieldValidation, warnings: [] }, body);
    return { target: { ...target, subresource }, decode, writeOptions };
  }

  #target({ apiVersion, kind, name, namespace }: Reference): Target {
    return targetIn(this.#findResource(apiVersion, kind), name, namespace);
  }

  #findResource(apiVersion: string, kind: string): ServedResource {
    const resource = this.#api.registry.ofVersion(apiVersion).find((candidate) => candidate.kind === kind);
    if (!resource) throw resourceNotServed();
    return resource;
  }
}

/** A namespace is ignored for a cluster-scoped resource. */
const targetIn = (resource: ServedResource, name: string, namespace = ''): Target => ({
  resource,
  namespace: resource.definition.namespaced ? namespace : '',
  name,
  subresource: '',
});
