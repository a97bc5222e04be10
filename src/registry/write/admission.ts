// Mutating and validating admission of a write: plugins, webhooks and policies change the object, then accept or reject it.
import type { ApiObject } from '../../kind/api-object.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type {
  AdmissionControl,
  AdmissionObjects,
  AdmissionOperation,
  AdmissionRun,
} from './admission-control.ts';
import type { WriteContext } from './context.ts';
import { clearDeletionFields } from './decode.ts';
import { runGuard } from './guard.ts';
import { revisionIn } from './load-current.ts';

/** Pipeline stage: the object may be changed or replaced before it is prepared. The kind's guard has the last word. */
export function mutatingAdmission(context: WriteContext): void | Promise<void> {
  const { api, target, object, old, isNew, options, warnings } = context;
  // A view was admitted before it was applied to its parent.
  if (!context.toView) {
    const objects = old ? { object, old } : { object };
    context.admission = beginAdmission(api, target, isNew ? 'CREATE' : 'UPDATE', objects, options, warnings);
    if (context.admission) return mutate(context);
  }
  const { guard } = target.resource.updateStrategy(target.subresource);
  if (guard) return runGuard(guard, 'beforePrepare', context, object, old);
}

async function mutate(context: WriteContext): Promise<void> {
  const { target, admission, old } = context;
  const object = (await admission!.mutate())!;
  context.object = object;
  ensureNamespaceMatches(target, object);
  if (context.isNew) clearDeletionFields(object);
  else context.expectedRevision = revisionIn(object);
  const { guard } = target.resource.updateStrategy(target.subresource);
  if (guard) await runGuard(guard, 'beforePrepare', context, object, old);
}

/** Pipeline stage: the complete and valid object may be rejected. */
export function validatingAdmission(context: WriteContext): void | Promise<void> {
  const { admission, stored, object, toView } = context;
  if (!admission) return;
  if (stored) object.metadata.resourceVersion ||= String(stored.revision);
  context.isValidating = true;
  return admission.validate(toView ? toView(object) : object);
}

/** Undefined where no plugin handles the write, and for the server's own writes. */
export function beginAdmission<Server extends { readonly admission: AdmissionControl<Server> }>(
  api: Server,
  target: Target,
  operation: AdmissionOperation,
  objects: AdmissionObjects,
  options: WriteOptions,
  warnings: string[],
): AdmissionRun | undefined {
  const { user, request } = options;
  if (!user) return undefined;
  return api.admission.begin(api, { target, operation, user, options, request, warnings }, objects);
}

/** Runs validating admission on `object`, then `act`. Plugins undo their side effects if either fails, or `isDone` is false. */
export async function validateAndRun<Result>(
  run: AdmissionRun,
  object: ApiObject | undefined,
  act: () => Promise<Result>,
  isDone: (result: Result) => boolean = () => true,
): Promise<Result> {
  let done = false;
  try {
    await run.validate(object);
    const result = await act();
    done = isDone(result);
    return result;
  } finally {
    const finishing = run.finish(done);
    if (finishing) await finishing;
  }
}
