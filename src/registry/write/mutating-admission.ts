// Mutating admission: plugins and webhooks may change or replace the object before it is prepared and validated.

import { ensureNamespaceMatches } from '../../kind/meta/namespace.ts';
import { beginAdmission } from './admission-control.ts';
import type { WriteContext } from './context.ts';
import { clearDeletionFields, revisionIn } from './load-current.ts';

export function mutatingAdmission(context: WriteContext): void | Promise<void> {
  // A view was admitted before it was applied to its parent.
  if (context.show) return;
  const { api, target, object, old, isNew, options, warnings } = context;
  const objects = old ? { object, old } : { object };
  context.admission = beginAdmission(api, target, isNew ? 'CREATE' : 'UPDATE', objects, options, warnings);
  if (context.admission) return mutate(context);
}

async function mutate(context: WriteContext): Promise<void> {
  const { target, admission } = context;
  const object = (await admission!.mutate())!;
  context.object = object;
  ensureNamespaceMatches(target, object);
  if (context.isNew) clearDeletionFields(object);
  else context.expectedRevision = revisionIn(object);
}
