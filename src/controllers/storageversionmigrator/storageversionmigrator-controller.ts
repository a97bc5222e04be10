// storage-version-migrator-controller: rewrites all objects of a resource in the current storage version.
import type { StorageVersionMigration } from '../../apis/storagemigration/storageversionmigration.ts';
import type { Manifest } from '../../client/client.ts';
import { ApiError } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import { decodeStored } from '../../kind/storage/codec.ts';
import { timestamp } from '../../kind/time.ts';
import { readContinueToken, writeContinueToken } from '../../registry/options/continue-token.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { withCondition } from './migration-conditions.ts';
import { MigrationProblem, Rewriting } from './rewrite-objects.ts';

/** Retry interval for a resource that is not served yet. */
const askAgainAfter = 10_000;

/**
 * Works in batches and stores a continue token in the status after each one: migrations run interleaved, and resume
 * after a restart.
 */
export class StorageVersionMigratorController extends InformerController {
  readonly #context: ControllerContext;
  readonly #resource: ServedResource;
  readonly #rewriting: Rewriting;

  constructor(context: ControllerContext) {
    const { registry, dialect } = context.api;
    const group = dialect.groupName('storagemigration');
    const resource = registry.kind(group, 'v1alpha1', 'storageversionmigrations');
    super(context, resource.prefix, { name: 'storage_version_migrator' });
    this.#context = context;
    this.#resource = resource;
    this.#rewriting = new Rewriting(context.api, context.identity.user);
  }

  override async close(): Promise<void> {
    this.#rewriting.stop();
    await super.close();
  }

  /** The status update of a batch triggers the next one. */
  protected async reconcile(key: string): Promise<void> {
    const stored = this.#context.api.store.get(key);
    if (!stored) return;
    const migration = decodeStored(this.#resource, stored) as StorageVersionMigration;
    if (migration.metadata.deletionTimestamp || isOver(migration)) return;
    const { group = '', version = '', resource: plural = '' } = migration.spec.resource;
    const resource = this.#context.api.registry.find(group, version, plural);
    if (!resource) this.queue.addAfter(key, askAgainAfter);
    else if (!migration.status.resourceVersion) await this.#begin(migration);
    else await this.#goOn(migration, resource);
  }

  async #begin(migration: StorageVersionMigration): Promise<void> {
    const resourceVersion = String(await this.#context.api.store.head());
    const running = withCondition(migration.status, { type: 'Running', now: this.#now() });
    await this.#writeStatus(migration, { ...running, resourceVersion });
  }

  async #goOn(migration: StorageVersionMigration, resource: ServedResource): Promise<void> {
    const { client, api } = this.#context;
    const { continueToken = '' } = migration.spec;
    const { metaGroup } = api;
    try {
      const place = placeOf(continueToken, metaGroup);
      const { isStopped, after } = await this.#rewriting.batch(resource, place);
      if (isStopped) return;
      if (after === undefined) return await this.#end(migration, 'Succeeded');
      // The token has no resourceVersion: objects written since are in the current version, and the token does not
      // expire.
      const next = writeContinueToken({ revision: -1, after }, metaGroup);
      const spec = { ...migration.spec, continueToken: next };
      await client.update(this.#manifest({ ...migration, spec }), this.#context.identity);
    } catch (error) {
      if (!(error instanceof MigrationProblem)) throw error;
      await this.#end(migration, 'Failed', error.message);
    }
  }

  #end(migration: StorageVersionMigration, type: 'Succeeded' | 'Failed', message?: string): Promise<void> {
    const status = withCondition(migration.status, { type, message, now: this.#now() });
    return this.#writeStatus(migration, status);
  }

  async #writeStatus(migration: StorageVersionMigration, status: object): Promise<void> {
    await this.#context.client.updateStatus(this.#manifest({ ...migration, status }), this.#context.identity);
  }

  #manifest(migration: StorageVersionMigration): Manifest {
    const { apiVersion, kind } = this.#resource;
    return { ...migration, apiVersion, kind } as unknown as Manifest;
  }

  #now = () => timestamp(this.#context.api.clock);
}

/** The key after which to continue. Clients may set it as well. */
function placeOf(continueToken: string, metaGroup: string): string {
  if (continueToken === '') return '';
  try {
    return readContinueToken(continueToken, metaGroup).after;
  } catch (error) {
    throw error instanceof ApiError ? new MigrationProblem(error.message) : error;
  }
}

function isOver({ status }: StorageVersionMigration): boolean {
  const { conditions = [] } = status;
  return conditions.some(({ type, status }) => type !== 'Running' && status === 'True');
}
