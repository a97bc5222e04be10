// Entry point of a worker thread: prepares writes and encodes responses for the serving thread (the main
// thread), one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import type { AdmissionOptions } from '../admission/options.ts';
import type { ApiOptions } from '../apis/options.ts';
import { servedKinds } from '../apis/served-kinds.ts';
import { returnMemoryWhenIdle } from '../base/heap-size.ts';
import { Serializers } from '../serializers/serializers.ts';
import { encodeObject } from './encode-object.ts';
import {
  type Outcome,
  type OutcomeMessage,
  prepareTransfer,
  type Task,
  type TaskMessage,
  type WorkerMessage,
} from './messages.ts';
import { prepareOnWorker } from './prepare-write.ts';
import { type QuestionChannel, ServingThread } from './questions.ts';
import { renderOpenApi } from './render-openapi.ts';
import { renderStored } from './render-stored.ts';
import { WorkerCustomResources } from './worker-custom-resources.ts';

export interface ThreadOptions extends ApiOptions {
  /** The number of simulated nodes: with such nodes, resource metrics are served. */
  readonly nodes?: number;
  readonly eventTtl: number;
  readonly namespaceLifecycle: boolean;
  readonly admission: AdmissionOptions;
}

/** The workerData of a thread. */
export interface ThreadData extends ThreadOptions {
  readonly questions: QuestionChannel;
}

if (!parentPort) throw new Error('this module must run in a worker thread');
const port = parentPort;
const options = workerData as ThreadData;
const { dialect, features, registry } = servedKinds(options);
const { eventTtl, namespaceLifecycle, allowPrivileged, admission, questions } = options;
const customResources = new WorkerCustomResources(registry, { dialect, features, allowPrivileged });
const metaGroup = dialect.groupName('meta');
const dependencies = {
  ...{ dialect, registry, features, metaGroup, eventTtl, namespaceLifecycle, customResources },
  admissionOptions: admission,
  servingThread: new ServingThread(questions),
};

/** The serving thread sends CBOR tasks only if its feature gate is on. */
const isCborServed = true;
const serializers = new Serializers(dialect, { isCborServed });

/** A task that fails must not end the thread: the serving thread repeats it, and logs the error. */
async function handleTask(task: Task): Promise<Outcome> {
  try {
    if ('openApi' in task) return await renderOpenApi(dialect, registry, customResources, task);
    if ('renders' in task) return renderStored(registry, customResources, task);
    return 'mediaType' in task
      ? encodeObject(serializers, registry, task)
      : await prepareOnWorker(dependencies, task);
  } catch {
    return { is: 'notOffloadable' };
  }
}

/** Outcomes are sent in batches of this size, so that the serving thread does not wait for a longer batch. */
const maxBatchedOutcomes = 8;

async function handleBatch(tasks: readonly TaskMessage[]): Promise<void> {
  const outcomes: OutcomeMessage[] = [];
  const transferred: ArrayBuffer[] = [];
  for (const { id, task } of tasks) {
    const { outcome, transfer } = prepareTransfer(await handleTask(task));
    outcomes.push({ id, outcome });
    transferred.push(...transfer);
  }
  port.postMessage({ type: 'outcomes', outcomes } satisfies WorkerMessage, transferred);
}

port.on('message', async (tasks: readonly TaskMessage[]) => {
  for (let index = 0; index < tasks.length; index += maxBatchedOutcomes) {
    await handleBatch(tasks.slice(index, index + maxBatchedOutcomes));
  }
});
returnMemoryWhenIdle();
port.postMessage({ type: 'ready' } satisfies WorkerMessage);
