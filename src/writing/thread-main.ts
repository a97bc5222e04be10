// Runs on a thread of its own: works out writes that the serving thread sends, one after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { type KindOptions, servedKinds } from '../served-kinds.ts';
import { LearntKinds } from './learnt-kinds.ts';
import { type PlanMessage, readyToSend } from './messages.ts';
import { plan } from './plan.ts';

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

port.on('message', async (message: PlanMessage) => {
  const { outcome, transfer } = readyToSend(await plan(parts, message));
  port.postMessage({ id: message.id, outcome }, transfer);
});
port.postMessage('ready');
