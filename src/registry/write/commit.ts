// Commits a prepared write. Rejects with PreconditionFailed where the object was created or changed concurrently.
import { PreconditionFailed, type StoredObject, type Write } from '../../store/store.ts';
import type { WriteContext } from './context.ts';
import { reservationContext } from './reservation.ts';

export async function commit(context: WriteContext): Promise<void> {
  context.result = { object: await commitPrepared(context), created: context.isNew };
}

async function commitPrepared(context: WriteContext): Promise<StoredObject> {
  const { api, target, reservation } = context;
  const { store } = api;
  const prepared = context.prepared!;
  const { namespaceSeen } = context;
  if (namespaceSeen && store.get(namespaceSeen.key)?.revision !== namespaceSeen.revision) {
    throw new PreconditionFailed(namespaceSeen.key, undefined);
  }
  switch (prepared.is) {
    case 'unchanged':
      return store.reader.confirm(context.stored!);
    case 'dryRun': {
      const { key } = prepared.object;
      const existing = prepared.isNew ? store.get(key) : undefined;
      if (existing) throw new PreconditionFailed(key, existing);
      return prepared.object;
    }
    case 'delete':
      await store.commit(prepared.write);
      await target.resource.definition.strategy.afterDelete?.(reservationContext(api), context.object);
      return prepared.last;
    case 'write': {
      const scope = reservation?.enter && (await reservation.enter());
      const write: Write = scope ? { ...prepared.write, conflictScope: scope } : prepared.write;
      return (await store.commit(write)).object;
    }
  }
}
