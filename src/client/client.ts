// In-process client: the verbs of the API without HTTP.
import { badRequest, resourceNotServed } from '../errors/catalogue.ts';
import type { ApiObject, ObjectMeta } from '../kind/api-object.ts';
import { type DeleteOptions, plainDelete } from '../kind/delete-options.ts';
import type { ServedResource } from '../kind/registry.ts';
import { showStored } from '../kind/storage/codec.ts';
import { inVersion, manyInVersion } from '../kind/storage/converted.ts';
import { Unreadable } from '../kind/storage/unreadable.ts';
import type { Api } from '../registry/api.ts';
import { readListOptions } from '../registry/options/list-options.ts';
import { plainWrite, type WriteOptions } from '../registry/options/write-options.ts';
import type { Target } from '../registry/target.ts';
import { create } from '../registry/verbs/create.ts';
import { deleteObject } from '../registry/verbs/delete.ts';
import { get } from '../registry/verbs/get.ts';
import { list } from '../registry/verbs/list.ts';
import { update } from '../registry/verbs/update.ts';
import { decodeBody } from '../registry/write/decode.ts';
import { retryOnConflict } from '../registry/write/retry-on-conflict.ts';
import { jsonBody } from '../serializers/sent-body.ts';
import type { StoredObject } from '../store/store.ts';

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
  /** Left out: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** An object to write: as much of it as a client would send. */
export type Manifest = Omit<Partial<ApiObject>, 'metadata'> & {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
};

/** The object as JSON a client reads, in plain objects and arrays. */
function toJson(resource: ServedResource, stored: Pick<StoredObject, 'key' | 'json' | 'mark'>): ApiObject {
  return JSON.parse(showStored(resource, stored).toString()) as ApiObject;
}

async function inRequestedVersion(resource: ServedResource, stored: StoredObject): Promise<ApiObject> {
  return toJson(resource, await inVersion(resource, stored));
}

/**
 * The API without HTTP, for code in the same process: the same verbs, checks and errors (`ApiError`) as over the
 * network, as the admin. Tests seed and inspect with it; controllers work through it.
 */
export class Client {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  async create(manifest: Manifest, options: Partial<WriteOptions> = {}): Promise<ApiObject> {
    const { target, read, settings } = this.#toWrite(manifest, '', options);
    const stored = await retryOnConflict(this.#api.store, () =>
      create(this.#api, { ...target, name: '' }, read(), settings, []),
    );
    return inRequestedVersion(target.resource, stored);
  }

  async update(manifest: Manifest, options: Partial<WriteOptions> = {}): Promise<ApiObject> {
    return this.#update(manifest, '', options);
  }

  async updateStatus(manifest: Manifest, options: Partial<WriteOptions> = {}): Promise<ApiObject> {
    return this.#update(manifest, 'status', options);
  }

  /** Decides about a request for a certificate. */
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
    for await (const batch of manyInVersion(resource, page.objects())) {
      for (const item of batch) {
        if (item instanceof Unreadable) throw item;
        items.push(toJson(resource, item));
      }
    }
    return { resourceVersion, items };
  }

  /** Deletes an object, or marks it for deletion while finalizers hold it. */
  async delete(reference: Reference, options: Partial<DeleteOptions> = {}): Promise<void> {
    const target = this.#target(reference);
    await retryOnConflict(this.#api.store, () =>
      deleteObject(this.#api, target, { ...plainDelete, ...options }),
    );
  }

  async #update(manifest: Manifest, subresource: string, options: Partial<WriteOptions>): Promise<ApiObject> {
    const { target, read, settings } = this.#toWrite(manifest, subresource, options);
    const updated = await retryOnConflict(this.#api.store, () =>
      update(this.#api, target, read, settings, []),
    );
    return inRequestedVersion(target.resource, updated.object);
  }

  #toWrite(manifest: Manifest, subresource: string, options: Partial<WriteOptions>) {
    const { apiVersion, kind, metadata } = manifest;
    const target = this.#target({
      apiVersion,
      kind,
      name: metadata.name ?? '',
      ...(metadata.namespace && { namespace: metadata.namespace }),
    });
    if (target.resource.definition.namespaced && !target.namespace) {
      throw badRequest(`${kind} is namespaced: set metadata.namespace`);
    }
    const settings: WriteOptions = { ...plainWrite, fieldValidation: 'Strict', ...options };
    const body = jsonBody(Buffer.from(JSON.stringify(manifest)));
    const read = () => decodeBody(this.#api.registry, target.resource, body, settings.fieldValidation, []);
    return { target: { ...target, subresource }, read, settings };
  }

  #target({ apiVersion, kind, name, namespace }: Reference): Target {
    const resource = this.#find(apiVersion, kind);
    return {
      resource,
      namespace: (resource.definition.namespaced && namespace) || '',
      name,
      subresource: '',
    };
  }

  #find(apiVersion: string, kind: string): ServedResource {
    const resource = this.#api.registry.ofVersion(apiVersion).find((candidate) => candidate.kind === kind);
    if (!resource) throw resourceNotServed();
    return resource;
  }
}
