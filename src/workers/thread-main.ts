// Runs on a thread of its own: works out writes, and writes down answers, that the serving thread sends, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import type { ApiOptions } from '../apis/options.ts';
import { servedKinds } from '../apis/served-kinds.ts';
import { Serializers } from '../serializers/serializers.ts';
import { encodeObject } from './encode-object.ts';
import {
  type Outcome,
  type OutcomeMessage,
  prepareTransfer,
  type Task,
  type TaskMessage,
} from './messages.ts';
import { prepareOnWorker } from './prepare-write.ts';
import { renderOpenApi } from './render-openapi.ts';
import { WorkerCustomResources } from './worker-custom-resources.ts';

/** What a thread is told when it starts. */
export interface ThreadOptions extends ApiOptions {
  readonly eventTtl: number;
  readonly keepsToNamespaces: boolean;
}

if (!parentPort) throw new Error('this module must run in a worker thread');
const port = parentPort;
const options = workerData as ThreadOptions;
const { dialect, features, registry } = servedKinds(options);
const { eventTtl, keepsToNamespaces, allowPrivileged } = options;
const learnt = new WorkerCustomResources(registry, { dialect, features, allowPrivileged });
const metaGroup = dialect.groupName('meta');
const parts = { dialect, registry, metaGroup, eventTtl, keepsToNamespaces, learnt };

const forms = new Serializers(dialect, true);

/** A request that fails here must not end the thread: the serving thread repeats it, and answers and logs the error. */
async function handleTask(asked: Task): Promise<Outcome> {
  try {
    if ('publish' in asked) return await renderOpenApi(dialect, registry, learnt, asked);
    return 'form' in asked ? encodeObject(forms, registry, asked) : await prepareOnWorker(parts, asked);
  } catch {
    return { is: 'beyond' };
  }
}

/** So many outcomes go back together, unless there are no more: with more the serving thread would wait for work. */
const maxBatchedOutcomes = 8;

async function handleBatch(questions: readonly TaskMessage[]): Promise<void> {
  const outcomes: OutcomeMessage[] = [];
  const transferred: ArrayBuffer[] = [];
  for (const { id, asked } of questions) {
    const { outcome, transfer } = prepareTransfer(await handleTask(asked));
    outcomes.push({ id, outcome });
    transferred.push(...transfer);
  }
  port.postMessage(outcomes, transferred);
}

port.on('message', async (questions: readonly TaskMessage[]) => {
  for (let at = 0; at < questions.length; at += maxBatchedOutcomes) {
    await handleBatch(questions.slice(at, at + maxBatchedOutcomes));
  }
});
port.postMessage('ready');
