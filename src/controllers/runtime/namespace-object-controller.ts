// Base of controllers that maintain one object in every namespace.
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { plainWrite, type WriteOptions } from '../../registry/options/write-options.ts';
import { create } from '../../registry/verbs/create.ts';
import { update } from '../../registry/verbs/update.ts';
import { decodeBody } from '../../registry/write/decode.ts';
import { jsonBody } from '../../serializers/sent-body.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { ControllerContext } from './controller.ts';
import { InformerController } from './informer-controller.ts';

/** An object of the core group. */
export interface NamespaceObject {
  readonly queueName: string;
  readonly plural: string;
  readonly name: string;
  /** Everything but its name and namespace. */
  readonly fields: Partial<ApiObject>;
  /** Whether an existing object needs no update when the controller first sees its namespace. */
  isUpToDate(stored: StoredObject): boolean;
}

/**
 * Creates the object in every namespace that is not terminating. A deleted object is created again; a changed one is
 * left as it is.
 */
export class NamespaceObjectController extends InformerController {
  readonly #object: NamespaceObject;
  readonly #options: WriteOptions;

  constructor(context: ControllerContext, wanted: NamespaceObject) {
    // Urgent, as the next request may need the object. Many workers share group commits.
    super(context, 'namespaces', { name: wanted.queueName, isUrgent: true, workers: 64 });
    this.#object = wanted;
    this.#options = { ...plainWrite, manager: context.identity.manager };
  }

  /** Resolves once the namespaces that exist at the start have the object. */
  override async start(): Promise<void> {
    super.start();
    await this.queue.idle();
  }

  protected override onAnyChange(changes: readonly Change[]): void {
    for (const { type, prefix, key } of changes) {
      if (type === 'deleted' && prefix === this.#object.plural) this.#onDelete(key);
    }
  }

  #onDelete(key: string): void {
    const [, namespace = '', name] = key.split('/');
    const stored = this.api.store.get(`namespaces/${namespace}`);
    if (name === this.#object.name && stored) this.onUpsert(stored);
  }

  protected override onUpsert(namespace: StoredObject): void {
    if (decodePairs(namespace.fields).get('status.phase') === 'Terminating') return;
    const name = namespace.key.slice('namespaces/'.length);
    const stored = this.#stored(name);
    if (stored && this.#object.isUpToDate(stored)) return;
    this.queue.add(name);
  }

  protected async reconcile(namespace: string): Promise<void> {
    const { plural, name, fields } = this.#object;
    const { registry } = this.api;
    const resource = registry.kind('', 'v1', plural);
    const { apiVersion, kind } = resource;
    const manifest = { apiVersion, kind, ...fields, metadata: { ...fields.metadata, name, namespace } };
    const source = Buffer.from(JSON.stringify(manifest));
    const read = () => decodeBody(registry, resource, jsonBody(source), 'Ignore', []);
    const target = { resource, namespace, name, subresource: '' };
    try {
      if (!this.#stored(namespace)) {
        await create(this.api, { ...target, name: '' }, read(), this.#options, []);
      } else {
        await update(this.api, target, read, this.#options, []);
      }
    } catch (error) {
      // The namespace is gone or terminating, or the object changed concurrently.
      if (!(error instanceof ApiError && [403, 404, 409].includes(error.code))) throw error;
    }
  }

  #stored(namespace: string): StoredObject | undefined {
    return this.api.store.get(`${this.#object.plural}/${namespace}/${this.#object.name}`);
  }
}
