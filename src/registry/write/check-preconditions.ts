// Preconditions of a write: the kind's guard, and the resourceVersion that an update names.
import { conflict, invalidObject, objectModified } from '../../errors/catalogue.ts';
import { FormattedValue, invalid } from '../../errors/field-error.ts';
import type { Target } from '../target.ts';
import type { WriteContext } from './context.ts';
import { runGuard } from './guard.ts';
import { strategyOf } from './managed-fields.ts';

export function checkPreconditions(context: WriteContext): void | Promise<void> {
  const { guard } = strategyOf(context.target);
  const checking = guard && runGuard(guard, 'beforePrepare', context, context.object, context.old);
  if (checking) return checking.then(() => checkResourceVersion(context));
  return checkResourceVersion(context);
}

function checkResourceVersion(context: WriteContext): void | Promise<void> {
  const { target, stored, expectedRevision } = context;
  if (!stored) {
    context.isNameGenerated = !context.object.metadata.name && !!context.object.metadata.generateName;
    context.warningsBeforeName = context.warnings.length;
    return;
  }
  // A view without a resourceVersion is applied to any state of its parent.
  if (expectedRevision === 0 && !context.show) assertUnconditionalAllowed(target);
  if (expectedRevision !== 0 && expectedRevision !== stored.revision) {
    throw conflict(target.resource.subject, target.name, objectModified);
  }
  if (context.isUnchanged && !context.admission) return keepUnchanged(context);
}

async function keepUnchanged(context: WriteContext): Promise<void> {
  context.result = { object: await context.api.store.reader.confirm(context.stored!), created: false };
}

function assertUnconditionalAllowed({ resource, name }: Target): void {
  const { subject, definition } = resource;
  if (definition.strategy.allowUnconditionalUpdate) return;
  throw invalidObject({ group: subject.group, kind: subject.resource }, name, [
    invalid('metadata.resourceVersion', new FormattedValue('0x0'), 'must be specified for an update'),
  ]);
}
