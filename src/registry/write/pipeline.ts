// The write pipeline: the order of stages that create, update, patch and apply take, on the serving thread or a worker.
//
// Invariants: a stage before `commit` stores nothing. A stage that reserves something (cluster IPs, node ports) or
// begins validating admission records it in the context; `settleEffects` ends it exactly once per attempt.
import { CooperativeYield } from '../../base/cooperative-yield.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { withBareReason } from '../../kind/storage/unreadable.ts';
import { withoutAuditHook } from '../audit-hook.ts';
import type { VerbContext } from '../verb-context.ts';
import { mutatingAdmission, validatingAdmission, validatingAdmissionAfterWorker } from './admission.ts';
import { applyPatch } from './apply-patch.ts';
import { applyView } from './apply-view.ts';
import { checkPreconditions } from './check-preconditions.ts';
import { commit, encode } from './commit.ts';
import type { PreparedWrite, WriteContext, WriteRequest, WriteResult, WriteVerb } from './context.ts';
import { decode, parse } from './decode.ts';
import { authorizeCreateOnUpdate } from './guard.ts';
import { loadCurrent } from './load-current.ts';
import { setManagedFields } from './managed-fields.ts';
import { prepare } from './prepare.ts';
import { resetForRetry } from './retry.ts';
import { validate } from './validate.ts';

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

const stagesWithout = (...omitted: readonly Stage[]) => stages.filter((stage) => !omitted.includes(stage));

/** Each verb leaves out the stages that have nothing to do in it. */
const stagesOf: Readonly<Record<WriteVerb, readonly Stage[]>> = {
  create: stagesWithout(applyPatch, applyView, loadCurrent, checkPreconditions),
  update: stagesWithout(applyPatch),
  patch: stagesWithout(decode),
  apply: stagesWithout(decode),
};

/** The serving thread runs these stages after a worker thread prepared the write: it has the plugins and the store. */
const stagesAfterWorker: readonly Stage[] = [authorizeCreateOnUpdate, validatingAdmissionAfterWorker, commit];

/** Stages that may decode the stored object. If that fails, kube-apiserver answers a write with the bare reason. */
const readingStages: ReadonlySet<Stage> = new Set([parse, decode, applyPatch, applyView, loadCurrent]);

/**
 * Runs all stages of a write. Retries it where the object changed concurrently and the request allows that. The audit
 * hook, if there is one, records writes that have no HTTP request.
 */
export function executeWrite(
  api: VerbContext,
  request: WriteRequest,
  warnings: string[],
): Promise<WriteResult> {
  const { auditHook } = api;
  if (!auditHook) return execute(newWriteContext(api, request, warnings));
  const { verb } = request.input;
  const { target } = request;
  return auditHook.record(
    // Server-side apply is a PATCH request.
    { verb: verb === 'apply' ? 'patch' : verb, target },
    (onDecoded) => {
      const observer = { onDecoded, needsWholeObject: true };
      return execute(newWriteContext(withoutAuditHook(api), { ...request, observer }, warnings));
    },
    ({ object }) => object,
  );
}

async function execute(context: WriteContext): Promise<WriteResult> {
  const verbStages = stagesOf[context.request.input.verb];
  await run(context, verbStages, verbStages.length);
  if (hasEffects(context)) await settleEffects(context, 'succeeded');
  return context.result!;
}

/** Runs all stages but the commit, for a worker thread. The serving thread settles what was reserved. */
export async function prepareWrite(context: WriteContext): Promise<PreparedWrite> {
  const verbStages = stagesOf[context.request.input.verb];
  await run(context, verbStages, verbStages.indexOf(commit));
  // A server-side apply that changes nothing ends before `encode` sets `prepared`.
  return context.prepared ?? { is: 'unchanged' };
}

/** Completes a write that a worker thread prepared. Rejects with PreconditionFailed where the state changed since. */
export async function finishWrite(context: WriteContext): Promise<WriteResult> {
  try {
    for (const stage of stagesAfterWorker) await stage(context);
  } catch (error) {
    await settleEffects(context, 'failed');
    throw error;
  }
  await settleEffects(context, 'succeeded');
  return context.result!;
}

/** Runs the stages before index `end`. A retry restarts at the first stage, or at `prepare` for another name. */
async function run(context: WriteContext, verbStages: readonly Stage[], end: number): Promise<void> {
  const yielding = isSmallCreate(context) ? undefined : new CooperativeYield();
  let stageIndex = 0;
  // Awaits only where there is a promise: each `await` would cost a turn of the microtask queue.
  while (stageIndex < end && !context.result) {
    const stage = verbStages[stageIndex]!;
    try {
      const pause = yielding?.next();
      if (pause) await pause;
      const running = stage(context);
      if (running) await running;
      stageIndex++;
    } catch (error) {
      if (hasEffects(context)) await settleEffects(context, 'failed');
      const failure = readingStages.has(stage) ? withBareReason(error) : error;
      stageIndex = resetForRetry(context, failure) === 'prepare' ? verbStages.indexOf(prepare) : 0;
    }
  }
}

/** A smaller create need not yield: all its stages together take far less time than the event loop may be blocked. */
const smallCreateBytes = 16 * 1024;

function isSmallCreate({ request: { input } }: WriteContext): boolean {
  return input.verb === 'create' && 'body' in input && input.body.source.length < smallCreateBytes;
}

/** Whether the attempt has side effects outside the store: charged quota, reserved addresses and ports. */
const hasEffects = ({ isValidating, reservation }: WriteContext) => isValidating || reservation !== undefined;

async function settleEffects(context: WriteContext, outcome: 'succeeded' | 'failed'): Promise<void> {
  const { admission, isValidating, reservation } = context;
  context.isValidating = false;
  context.reservation = undefined;
  try {
    if (isValidating) await admission!.finish(outcome === 'succeeded');
  } finally {
    if (reservation) {
      const settling = outcome === 'succeeded' ? reservation.commit() : reservation.undo();
      // The client gets the outcome of its write. The repair controllers find an allocation that was not released.
      await settling.catch(() => {});
    }
  }
}

/** The context of a write before its first stage. */
export function newWriteContext(api: VerbContext, request: WriteRequest, warnings: string[]): WriteContext {
  return {
    api,
    request,
    options: request.options,
    warnings,
    warningsBefore: warnings.length,
    target: request.target,
    parsed: undefined,
    patch: undefined,
    configuration: undefined,
    object: undecoded,
    absences: [],
    hasManagedFields: false,
    isRewrite: false,
    isUnchanged: false,
    viewOwners: undefined,
    toView: undefined,
    stored: undefined,
    old: undefined,
    isNew: false,
    isCreateOnUpdate: false,
    expectedRevision: 0,
    admission: undefined,
    isValidating: false,
    reservation: undefined,
    prepared: undefined,
    namespaceSeen: undefined,
    result: undefined,
    attempts: 1,
    nameAttempts: 0,
    isNameGenerated: false,
    warningsBeforeName: 0,
    hasPreconditions: false,
  };
}

/** The object of a context until the input is decoded. */
const undecoded: ApiObject = Object.freeze({ apiVersion: '', kind: '', metadata: Object.freeze({}) });
