// Entry point of a serving thread that follows the main thread.
import { parentPort, workerData } from 'node:worker_threads';
import { returnMemoryWhenIdle } from '../../base/heap-size.ts';
import type { MetricsPage } from '../../http/endpoints/metrics.ts';
import { type RunningFollower, runFollower } from './follower.ts';
import { ForwardedAudit } from './forwarded-audit.ts';
import type { FollowerData, FollowerMessage, MainMessage } from './messages.ts';

if (!parentPort) throw new Error('this module must run in a worker thread');
const port = parentPort;
const post = (message: FollowerMessage) => port.postMessage(message);

/** By id, the requests for metrics that wait for the main thread. */
const merging = new Map<number, (text: string) => void>();
let lastId = 0;

const mergeMetrics = (page: MetricsPage) =>
  new Promise<string>((resolve) => {
    const id = ++lastId;
    merging.set(id, resolve);
    post({ type: 'merge', id, page });
  });

async function handle(follower: RunningFollower, message: MainMessage): Promise<void> {
  switch (message.type) {
    case 'certificates':
      follower.setCertificates(message.loaded);
      break;
    case 'announceShutdown':
      follower.announceShutdown();
      break;
    case 'render':
      post({ type: 'rendered', id: message.id, text: await follower.renderMetrics(message.page) });
      break;
    case 'merged':
      merging.get(message.id)?.(message.text);
      merging.delete(message.id);
      break;
    case 'crash':
      throw new Error('a test made this serving thread fail');
    case 'stop':
      await follower.stop();
      // Nothing keeps the thread alive then.
      port.close();
      break;
  }
}

/**
 * After an uncaught exception Node ends the thread, but may still call handlers of connections, and a call of LMDB within one would then end
 * the process. So the connections and the store are closed first.
 */
async function fail(follower: RunningFollower, error: Error): Promise<void> {
  post({ type: 'failed', problem: error.stack ?? error.message });
  await follower.abort().catch(() => {});
  port.close();
}

void runFollower(workerData as FollowerData, { auditBackend: new ForwardedAudit(post), mergeMetrics }).then(
  (follower) => {
    process.once('uncaughtException', (error: Error) => void fail(follower, error));
    port.on('message', (message: MainMessage) => handle(follower, message));
    returnMemoryWhenIdle();
    post({ type: 'ready' });
  },
);
