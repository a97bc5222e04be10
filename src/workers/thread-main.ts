// Runs on a thread of its own: works out writes, and writes down answers, that the serving thread sends, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import type { ApiOptions } from '../apis/options.ts';
import { servedKinds } from '../apis/served-kinds.ts';
import { Serializers } from '../serializers/serializers.ts';
import { writeDown } from './encode-object.ts';
import { type Asked, type Outcome, type OutcomeMessage, type Question, readyToSend } from './messages.ts';
import { plan } from './prepare-write.ts';
import { publish } from './render-openapi.ts';
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
async function answer(asked: Asked): Promise<Outcome> {
  try {
    if ('publish' in asked) return await publish(dialect, registry, learnt, asked);
    return 'form' in asked ? writeDown(forms, registry, asked) : await plan(parts, asked);
  } catch {
    return { is: 'beyond' };
  }
}

/** So many outcomes go back together, unless there are no more: with more the serving thread would wait for work. */
const together = 8;

async function answerTogether(questions: readonly Question[]): Promise<void> {
  const outcomes: OutcomeMessage[] = [];
  const transferred: ArrayBuffer[] = [];
  for (const { id, asked } of questions) {
    const { outcome, transfer } = readyToSend(await answer(asked));
    outcomes.push({ id, outcome });
    transferred.push(...transfer);
  }
  port.postMessage(outcomes, transferred);
}

port.on('message', async (questions: readonly Question[]) => {
  for (let at = 0; at < questions.length; at += together) {
    await answerTogether(questions.slice(at, at + together));
  }
});
port.postMessage('ready');
