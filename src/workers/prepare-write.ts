// Worker thread: runs the write pipeline up to the commit, on a snapshot of the objects that the write depends on.
import type { ApiObject } from '../kind/api-object.ts';
import type { OriginatingRequest } from '../registry/options/write-options.ts';
import { newWriteContext, prepareWrite } from '../registry/write/pipeline.ts';
import { neverAborted } from '../request/task-owner.ts';
import type { User } from '../request/user.ts';
import {
  type Outcome,
  type PrepareMessage,
  type RequestMetadata,
  toTransferredError,
  unpackDefinition,
  unpackRequest,
  unpackSnapshot,
} from './messages.ts';
import type { WorkerCustomResources } from './worker-custom-resources.ts';
import { AskingVerbContext, SnapshotVerbContext, type WorkerDependencies } from './worker-verb-context.ts';

/** Runs the stages of the write pipeline that precede the commit, on the objects of the message. */
export async function prepareOnWorker(
  dependencies: WorkerDependencies & { readonly customResources: WorkerCustomResources },
  message: PrepareMessage,
): Promise<Outcome> {
  const definition = unpackDefinition(message);
  if (definition) dependencies.customResources.add(definition);
  const request = unpackRequest(dependencies.registry, dependencies.dialect, message);
  if (!request) return { is: 'notOffloadable' };
  const newContext = message.mayAsk ? AskingVerbContext : SnapshotVerbContext;
  const api = new newContext(dependencies, unpackSnapshot(message), message.now);
  const warnings: string[] = [];
  let requestMetadata: RequestMetadata | undefined;
  const onDecoded = ({ metadata: { name, namespace, uid, resourceVersion } }: ApiObject) => {
    requestMetadata = { name, namespace, uid, resourceVersion } as RequestMetadata;
  };
  const observer = { onDecoded, needsWholeObject: false };
  const auditAnnotations: [string, string][] = [];
  const options = {
    ...request.options,
    request: newOriginatingRequest(request.options.user, auditAnnotations),
  };
  const context = newWriteContext(api, { ...request, options, observer }, warnings);
  try {
    const prepared = await prepareWrite(context);
    const created = context.isNew;
    return { is: 'prepared', created, prepared, warnings, auditAnnotations, requestMetadata };
  } catch (error) {
    const transferred = toTransferredError(error);
    // The serving thread repeats the write to get an error that a message cannot carry.
    if (!transferred) return { is: 'notOffloadable' };
    return { is: 'rejected', error: transferred, warnings, auditAnnotations, requestMetadata };
  }
}

/** The request as admission plugins see it. The serving thread drops the task if the client disconnects. */
function newOriginatingRequest(
  user: User | undefined,
  auditAnnotations: [string, string][],
): OriginatingRequest {
  return {
    user: user ?? { name: '' },
    signal: neverAborted,
    audit: {
      annotate: (key, value) => void auditAnnotations.push([key, value]),
      keepsRequestObject: false,
    },
    deadlineMs: undefined,
    externalLatencyMs: 0,
  };
}
