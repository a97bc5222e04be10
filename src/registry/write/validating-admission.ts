// Validating admission: plugins, webhooks and policies may reject the complete and valid object.
import type { WriteContext } from './context.ts';

export function validatingAdmission(context: WriteContext): void | Promise<void> {
  const { admission, stored, object, show } = context;
  if (!admission) return;
  if (stored) object.metadata.resourceVersion ||= String(stored.revision);
  context.isValidating = true;
  return admission.validate(show ? show(object) : object);
}
