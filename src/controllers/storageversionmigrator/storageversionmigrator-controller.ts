// storage-version-migrator-controller: rewrites all objects of a resource in the current storage version.
import type { StorageVersionMigration } from '../../apis/storagemigration/storageversionmigration.ts';
import { timestamp } from '../../base/clock.ts';
import type { Manifest } from '../../client/client.ts';
import type { Lister } from '../../client/lister.ts';
import { ApiError } from '../../errors/status.ts';
import { readContinueToken, writeContinueToken } from '../../kind/continue-token.ts';
import type { ControllerContext } from '../runtime/controller.ts';
import { InformerController } from '../runtime/informer-controller.ts';
import { withCondition } from './migration-conditions.ts';
import { MigrationProblem, ObjectRewriter } from './rewrite-objects.ts';

const migrations = {
  group: 'storagemigration',
  version: 'v1alpha1',
  resource: 'storageversionmigrations',
} as const;

/** Retry interval for a resource that is not served yet. */
const retryIntervalMs = 10_000;

/**
 * Works in batches and stores a continue token in the spec after each one: migrations run interleaved, and resume
 * after a restart.
 */
export class StorageVersionMigratorController extends InformerController<StorageVersionMigration> {
  readonly #context: ControllerContext;
  readonly #rewriter: ObjectRewriter;

  constructor(context: ControllerContext) {
    super(context, migrations, { name: 'storage_version_migrator' });
    this.#context = context;
    this.#rewriter = new ObjectRewriter(context.client, context.identity.user);
  }

  override async close(): Promise<void> {
    this.#rewriter.stop();
    await super.close();
  }

  /** Each run ends with an update of the migration, which triggers the next run. */
  protected async reconcile(key: string): Promise<void> {
    const migration = this.informer.getByKey(key)?.decode();
    if (!migration) return;
    if (migration.metadata.deletionTimestamp || isFinished(migration)) return;
    const { group = '', version = '', resource: plural = '' } = migration.spec.resource;
    const lister = this.#context.informers.findLister(group, version, plural);
    if (!lister) this.queue.addAfter(key, retryIntervalMs);
    else if (!migration.status.resourceVersion) await this.#startMigration(migration);
    else await this.#migrateBatch(migration, lister);
  }

  async #startMigration(migration: StorageVersionMigration): Promise<void> {
    const resourceVersion = await this.informer.waitForLatest();
    const running = withCondition(migration.status, { type: 'Running', now: this.#now() });
    await this.#writeStatus(migration, { ...running, resourceVersion });
  }

  /** Rewrites one batch, and stores how far it came, or the result. */
  async #migrateBatch(migration: StorageVersionMigration, lister: Lister<unknown>): Promise<void> {
    const { client, dialect } = this.#context;
    const { continueToken = '' } = migration.spec;
    const metaGroup = dialect.groupName('meta');
    try {
      const previousKey = lastKeyIn(continueToken, metaGroup);
      const { isStopped, lastKey } = await this.#rewriter.rewriteBatch(lister, previousKey);
      if (isStopped) return;
      if (lastKey === undefined) return await this.#end(migration, 'Succeeded');
      // The token has no resourceVersion: objects written since are in the current version, and the token does not
      // expire.
      const next = writeContinueToken({ revision: -1, after: lastKey }, metaGroup);
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
    const { apiVersion, kind } = this.informer.resource;
    return { ...migration, apiVersion, kind } as unknown as Manifest;
  }

  #now = () => timestamp(this.#context.clock);
}

/** The last key that was rewritten; '' without a token. Clients may set the token as well, so it can be invalid. */
function lastKeyIn(continueToken: string, metaGroup: string): string {
  if (continueToken === '') return '';
  try {
    return readContinueToken(continueToken, metaGroup).after;
  } catch (error) {
    throw error instanceof ApiError ? new MigrationProblem(error.message) : error;
  }
}

function isFinished({ status }: StorageVersionMigration): boolean {
  const { conditions = [] } = status;
  return conditions.some(({ type, status }) => type !== 'Running' && status === 'True');
}
