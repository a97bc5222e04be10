// Runs on a thread of its own: works out writes, and writes down answers, that the serving thread sends, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { Forms } from '../http/forms/forms.ts';
import { type KindOptions, servedKinds } from '../served-kinds.ts';
import { LearntKinds } from './learnt-kinds.ts';
import { type Asked, type Outcome, type Question, readyToSend } from './messages.ts';
import { plan } from './plan.ts';
import { publish } from './publish.ts';
import { writeDown } from './write-down.ts';

/** What a thread is told when it starts. */
export interface ThreadOptions extends KindOptions {
  readonly eventTtl: number;
  readonly keepsToNamespaces: boolean;
}

if (!parentPort) throw new Error('this is to be run on a thread');
const port = parentPort;
const options = workerData as ThreadOptions;
const { dialect, features, registry } = servedKinds(options);
const { eventTtl, keepsToNamespaces, allowPrivileged } = options;
const learnt = new LearntKinds(registry, { dialect, features, allowPrivileged });
const metaGroup = dialect.groupName('meta');
const parts = { dialect, registry, metaGroup, eventTtl, keepsToNamespaces, learnt };

const forms = new Forms(dialect, true);

async function answer(asked: Asked): Promise<Outcome> {
  if ('publish' in asked) return publish(dialect, registry, learnt, asked);
  return 'form' in asked ? writeDown(forms, registry, asked) : plan(parts, asked);
}

port.on('message', async ({ id, asked }: Question) => {
  const { outcome, transfer } = readyToSend(await answer(asked));
  port.postMessage({ id, outcome }, transfer);
});
port.postMessage('ready');
