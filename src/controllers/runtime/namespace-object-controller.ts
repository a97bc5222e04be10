import { ApiError } from '../../errors/status.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { plainWrite, type WriteOptions } from '../../registry/options/write-options.ts';
import { create } from '../../registry/verbs/create.ts';
import { update } from '../../registry/verbs/update.ts';
import { readBody } from '../../registry/write/decode.ts';
import { jsonBody } from '../../serializers/sent-body.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { Change, StoredObject } from '../../store/store.ts';
import type { ControllerContext } from './controller.ts';
import { InformerController } from './informer-controller.ts';

/** An object of the core group that every namespace is to have. */
export interface NamespaceObject {
  /** Who keeps it, by the name of the controller's queue. */
  readonly queueName: string;
  readonly plural: string;
  readonly name: string;
  /** What it says beside its name. */
  readonly fields: Partial<ApiObject>;
  /** Whether one that is there when its namespace is first looked at may stay as it is. */
  isUpToDate(stored: StoredObject): boolean;
}

/**
 * Sees to it that every namespace has a certain object, from the moment at which it is made; but not while it is on its way
 * out. What somebody deletes comes again, what somebody changes stays.
 */
export class NamespaceObjectController extends InformerController {
  readonly #wanted: NamespaceObject;
  readonly #options: WriteOptions;

  constructor(context: ControllerContext, wanted: NamespaceObject) {
    // The next request may need it. Many at once, so that they share one write to disk.
    super(context, 'namespaces', { name: wanted.queueName, isUrgent: true, workers: 64 });
    this.#wanted = wanted;
    this.#options = { ...plainWrite, manager: context.identity.manager };
  }

  /** Resolves once the first namespaces have what they are to have; the others get it while the server is up. */
  override async start(): Promise<void> {
    super.start();
    await this.queue.idle();
  }

  protected override onAnyChange(changes: readonly Change[]): void {
    for (const { type, prefix, key } of changes) {
      if (type === 'deleted' && prefix === this.#wanted.plural) this.#comeBack(key);
    }
  }

  #comeBack(key: string): void {
    const [, namespace = '', name] = key.split('/');
    const stored = this.api.store.get(`namespaces/${namespace}`);
    if (name === this.#wanted.name && stored) this.onUpsert(stored);
  }

  protected override onUpsert(namespace: StoredObject): void {
    if (decodePairs(namespace.fields).get('status.phase') === 'Terminating') return;
    const name = namespace.key.slice('namespaces/'.length);
    const stored = this.#stored(name);
    if (stored && this.#wanted.isUpToDate(stored)) return;
    this.queue.add(name);
  }

  protected async reconcile(namespace: string): Promise<void> {
    const { plural, name, fields } = this.#wanted;
    const { registry } = this.api;
    const resource = registry.kind('', 'v1', plural);
    const { apiVersion, kind } = resource;
    const manifest = { apiVersion, kind, ...fields, metadata: { ...fields.metadata, name, namespace } };
    const source = Buffer.from(JSON.stringify(manifest));
    const read = () => readBody(registry, resource, jsonBody(source), 'Ignore', []);
    const target = { resource, namespace, name, subresource: '' };
    try {
      if (!this.#stored(namespace)) {
        await create(this.api, { ...target, name: '' }, read(), this.#options, []);
      } else {
        await update(this.api, target, read, this.#options, []);
      }
    } catch (error) {
      // The namespace may have gone meanwhile, or somebody else have been faster.
      if (!(error instanceof ApiError && [403, 404, 409].includes(error.code))) throw error;
    }
  }

  #stored(namespace: string): StoredObject | undefined {
    return this.api.store.get(`${this.#wanted.plural}/${namespace}/${this.#wanted.name}`);
  }
}
