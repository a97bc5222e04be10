// The write pipeline: the order of stages that create, update, patch and apply take, on the serving thread or a worker.
//
// Invariants: a stage before `commit` stores nothing. A stage that reserves something or begins validating admission
// leaves that in the context, and `finish` settles it exactly once per attempt, whatever comes of the attempt.
import { withBareReason } from '../../kind/storage/unreadable.ts';
import type { Api } from '../api.ts';
import { unaudited } from '../audit-hook.ts';
import { applyPatch } from './apply-patch.ts';
import { applyView } from './apply-view.ts';
import { checkPreconditions } from './check-preconditions.ts';
import { commit } from './commit.ts';
import { type PreparedWrite, WriteContext, type WriteRequest, type WriteResult } from './context.ts';
import { decode, parse } from './decode.ts';
import { encode } from './encode.ts';
import { authorizeCreateOnUpdate } from './guard.ts';
import { loadCurrent } from './load-current.ts';
import { setManagedFields } from './managed-fields.ts';
import { mutatingAdmission } from './mutating-admission.ts';
import { prepare } from './prepare.ts';
import { retryFrom } from './retry.ts';
import { validate } from './validate.ts';
import { validatingAdmission } from './validating-admission.ts';

/** Runs to its end or rejects. Returns a promise only where it has to wait. */
type Stage = (context: WriteContext) => void | Promise<void>;

const stages: readonly Stage[] = [
  parse,
  decode,
  applyPatch,
  applyView,
  loadCurrent,
  setManagedFields,
  mutatingAdmission,
  checkPreconditions,
  prepare,
  validate,
  validatingAdmission,
  encode,
  commit,
];

/** A worker thread leaves these to the serving thread, which has the plugins and the store. */
const stagesAfterWorker: readonly Stage[] = [authorizeCreateOnUpdate, validatingAdmission, commit];

const firstStage = 0;
const lastStageThatReads = stages.indexOf(loadCurrent);
const nameStage = stages.indexOf(prepare);
const commitStage = stages.indexOf(commit);

/** Runs a write to its end, and retries it where the object changed concurrently and the request allows that. */
export function executeWrite(api: Api, request: WriteRequest, warnings: string[]): Promise<WriteResult> {
  const { auditHook } = api;
  if (!auditHook) return execute(new WriteContext(api, request, warnings));
  const { verb } = request.input;
  const { target } = request;
  return auditHook.record(
    { verb: verb === 'apply' ? 'patch' : verb, target },
    (onDecoded) => {
      const observer = { onDecoded, needsWholeObject: true };
      return execute(new WriteContext(unaudited(api), { ...request, observer }, warnings));
    },
    ({ object }) => object,
  );
}

async function execute(context: WriteContext): Promise<WriteResult> {
  await run(context, stages.length);
  return context.result!;
}

/** Runs all stages but the commit, for a worker thread. */
export async function prepareWrite(context: WriteContext): Promise<PreparedWrite> {
  await run(context, commitStage);
  // The server-side apply that changes nothing is decided before it is encoded.
  return context.prepared ?? { is: 'unchanged' };
}

/** Runs a write that a worker has prepared. Rejects with PreconditionFailed where the state changed since. */
export async function finishWrite(context: WriteContext): Promise<WriteResult> {
  try {
    for (const stage of stagesAfterWorker) await stage(context);
  } catch (error) {
    await finish(context, false);
    throw error;
  }
  await finish(context, true);
  return context.result!;
}

async function run(context: WriteContext, end: number): Promise<void> {
  const { yielding } = context;
  let next = firstStage;
  while (next < end && !context.result) {
    try {
      const pause = yielding.next();
      if (pause) await pause;
      const running = stages[next]!(context);
      if (running) await running;
      next++;
    } catch (error) {
      if (hasEffects(context)) await finish(context, false);
      const cause = next <= lastStageThatReads ? withBareReason(error) : error;
      next = retryFrom(context, cause) === 'name' ? nameStage : firstStage;
    }
  }
  if (hasEffects(context)) await finish(context, true);
}

const hasEffects = ({ isValidating, reservation }: WriteContext) => isValidating || reservation !== undefined;

async function finish(context: WriteContext, isStored: boolean): Promise<void> {
  const { admission, isValidating, reservation } = context;
  context.isValidating = false;
  context.reservation = undefined;
  try {
    if (isValidating) await admission!.finish(isStored);
  } finally {
    // The client gets the outcome of its write. What could not be released is found by the repair controllers.
    if (reservation) await (isStored ? reservation.commit() : reservation.undo()).catch(() => {});
  }
}
