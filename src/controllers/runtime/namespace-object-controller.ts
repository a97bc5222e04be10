// Base of controllers that maintain one object in every namespace.
import type { Namespace } from '../../apis/core/namespace.ts';
import type { Client, Manifest } from '../../client/client.ts';
import type { Informer } from '../../client/informer.ts';
import type { InformerObject } from '../../client/informer-object.ts';
import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import type { ControllerContext } from './controller.ts';
import { InformerController } from './informer-controller.ts';

const namespaces = { group: '', version: 'v1', resource: 'namespaces' } as const;

/** The object of the core group that every namespace gets. */
export interface NamespaceObject {
  readonly queueName: string;
  readonly resource: string;
  readonly name: string;
  /** Everything but its name and namespace. */
  readonly fields: Partial<ApiObject>;
  /** Whether an existing object needs no update when the controller first sees its namespace. */
  isUpToDate(object: InformerObject<ApiObject>): boolean;
}

/**
 * Creates the object in every namespace that is not terminating. A deleted object is created again; a changed one is
 * left as it is.
 */
export class NamespaceObjectController extends InformerController<Namespace> {
  readonly #desired: NamespaceObject;
  readonly #client: Client;
  readonly #objects: Informer<ApiObject>;
  readonly #manager: string;

  constructor(context: ControllerContext, desired: NamespaceObject) {
    // Urgent, as the next request may need the object. Many workers share group commits.
    super(context, namespaces, { name: desired.queueName, isUrgent: true, workers: 64 });
    this.#desired = desired;
    this.#client = context.client;
    this.#manager = context.identity.manager;
    this.#objects = this.watch<ApiObject>(
      { group: '', version: 'v1', resource: desired.resource },
      { onDelete: ({ namespace, name }) => this.#onObjectDelete(namespace, name) },
    );
  }

  /** Resolves once the namespaces that exist at the start have the object. */
  override async start(): Promise<void> {
    super.start();
    await this.queue.idle();
  }

  #onObjectDelete(namespace: string, name: string): void {
    if (name !== this.#desired.name) return;
    const namespaceObject = this.informer.get('', namespace);
    if (namespaceObject) this.onAdd(namespaceObject);
  }

  protected override onAdd(namespace: InformerObject<Namespace>): void {
    if (namespace.field('status.phase') === 'Terminating') return;
    const { name } = namespace;
    const existing = this.#objects.get(name, this.#desired.name);
    if (existing && this.#desired.isUpToDate(existing)) return;
    this.queue.add(name);
  }

  protected async reconcile(namespace: string): Promise<void> {
    const { name, fields } = this.#desired;
    const { apiVersion, kind } = this.#objects.resource;
    const metadata = { ...fields.metadata, name, namespace };
    const manifest: Manifest = { ...fields, apiVersion, kind, metadata };
    const options = { manager: this.#manager };
    try {
      if (this.#objects.get(namespace, name)) await this.#client.update(manifest, options);
      else await this.#client.create(manifest, options);
    } catch (error) {
      // The namespace is gone (404) or terminating (403), or the object changed concurrently (409).
      if (!(error instanceof ApiError && [403, 404, 409].includes(error.code))) throw error;
    }
  }
}
