// Pipeline stage checkPreconditions: the resourceVersion in the sent object must be that of the stored object
// (optimistic concurrency). The commit checks it again; this stage fails before the object is prepared and validated.
import { conflict, invalidObject, objectModified } from '../../errors/catalogue.ts';
import { FormattedValue, invalid } from '../../errors/field-error.ts';
import type { Target } from '../target.ts';
import type { WriteContext } from './context.ts';

export function checkPreconditions(context: WriteContext): void | Promise<void> {
  const { target, stored, expectedRevision } = context;
  if (!stored) return;
  // A view (`scale`) without a resourceVersion is applied to any state of its parent.
  if (expectedRevision === 0 && !context.toView) assertUnconditionalAllowed(target);
  if (expectedRevision !== 0 && expectedRevision !== stored.revision) {
    throw conflict(target.resource.subject, target.name, objectModified);
  }
  if (context.isUnchanged && !context.admission) return endUnchanged(context);
}

/** Server-side apply changes nothing, and no plugin handles the write: setting the result ends the pipeline. */
async function endUnchanged(context: WriteContext): Promise<void> {
  context.result = { object: await context.api.store.reader.confirm(context.stored!), created: false };
}

function assertUnconditionalAllowed({ resource, name }: Target): void {
  const { subject, definition } = resource;
  if (definition.strategy.allowUnconditionalUpdate) return;
  throw invalidObject({ group: subject.group, kind: subject.resource }, name, [
    invalid('metadata.resourceVersion', new FormattedValue('0x0'), 'must be specified for an update'),
  ]);
}
