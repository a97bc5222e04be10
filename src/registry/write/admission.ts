// Mutating and validating admission of a write: plugins, webhooks and policies change the object, then accept or reject
// it.
import type { ApiObject } from '../../kind/api-object.ts';
import { ensureNamespaceMatches } from '../../kind/meta/validation.ts';
import type { WriteOptions } from '../options/write-options.ts';
import type { Target } from '../target.ts';
import type {
  AdmissionControl,
  AdmissionObjects,
  AdmissionOperation,
  AdmissionPart,
  AdmissionRun,
} from './admission-control.ts';
import type { WriteContext } from './context.ts';
import { clearDeletionFields } from './decode.ts';
import { runGuard } from './guard.ts';
import { revisionIn } from './load-current.ts';

/**
 * Pipeline stage: plugins may change or replace the object before the server completes it. The kind's guard (permission
 * checks such as RBAC escalation) then runs on the final object.
 */
export function mutatingAdmission(context: WriteContext): void | Promise<void> {
  const { api, target, object, old, isNew, options, warnings } = context;
  // A view (`scale`) was admitted by `applyView`, before it was merged into its parent.
  if (!context.toView) {
    const objects = old ? { object, old } : { object };
    context.admission = beginAdmission(api, target, isNew ? 'CREATE' : 'UPDATE', objects, options, warnings);
    if (context.admission) return mutate(context);
  }
  return guardBeforePrepare(context);
}

async function mutate(context: WriteContext): Promise<void> {
  const { target, admission } = context;
  const object = (await admission!.mutate())!;
  context.object = object;
  ensureNamespaceMatches(target, object);
  if (context.isNew) clearDeletionFields(object);
  else context.expectedRevision = revisionIn(object);
  const guarding = guardBeforePrepare(context);
  if (guarding) await guarding;
}

function guardBeforePrepare(context: WriteContext): void | Promise<void> {
  const { target, object, old } = context;
  const { guard } = target.resource.updateStrategy(target.subresource);
  if (guard) return runGuard(guard, 'beforePrepare', context, object, old);
}

/** Pipeline stage: plugins may reject the complete and valid object. */
export function validatingAdmission(context: WriteContext): void | Promise<void> {
  const { admission, stored, object, toView } = context;
  if (!admission) return;
  // As in kube-apiserver, an unconditional update gets the resourceVersion of the object that it replaces.
  if (stored) object.metadata.resourceVersion ||= String(stored.revision);
  context.isValidating = true;
  return admission.validate(toView ? toView(object) : object);
}

/** Pipeline stage after a worker thread prepared the write: the plugins that it could not run. They decode the object. */
export function validatingAdmissionAfterWorker(context: WriteContext): void | Promise<void> {
  if (!context.admission) return;
  context.isValidating = true;
  return context.admission.validate();
}

/** Begins admission of a write. Undefined where no plugin handles it, and for the server's own writes: no user. */
export function beginAdmission<Server extends { readonly admission: AdmissionControl<Server> }>(
  api: Server,
  target: Target,
  operation: AdmissionOperation,
  objects: AdmissionObjects,
  options: WriteOptions,
  warnings: string[],
  part: AdmissionPart = 'all',
): AdmissionRun | undefined {
  const { user, request } = options;
  if (!user) return undefined;
  return api.admission.begin(api, { target, operation, user, options, request, warnings }, objects, part);
}

/**
 * Runs validating admission on `object`, then `act`. Plugins undo their side effects (such as charged quota) if either
 * fails, or if `isSuccess` is false for the result.
 */
export async function validateAndRun<Result>(
  run: AdmissionRun,
  object: ApiObject | undefined,
  act: () => Promise<Result>,
  isSuccess: (result: Result) => boolean = () => true,
): Promise<Result> {
  let succeeded = false;
  try {
    await run.validate(object);
    const result = await act();
    succeeded = isSuccess(result);
    return result;
  } finally {
    const finishing = run.finish(succeeded);
    if (finishing) await finishing;
  }
}
