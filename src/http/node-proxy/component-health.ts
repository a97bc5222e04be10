// ComponentStatus: probes the health endpoint of a control plane component on this machine.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { ComponentHealth } from '../../kind/definition.ts';
import {
  authorityOf,
  type Backend,
  connectionErrorText,
  requestBackend,
} from '../../transport/proxy/backend.ts';

const patienceMs = 10_000;
/** The message is truncated to this many bytes. */
const mostShown = 10 * 1024;

/** Probes HTTPS on loopback without verifying the certificate, as upstream does. */
export async function componentHealth(port: number, clock: Clock): Promise<ComponentHealth> {
  const backend: Backend = {
    scheme: 'https',
    host: '127.0.0.1',
    port: String(port),
    tls: { rejectUnauthorized: false },
  };
  const headers = { host: authorityOf(backend) };
  const sent = requestBackend(backend, { method: 'GET', path: '/healthz', headers }, clock);
  const cancel = clock.after(patienceMs, () => sent.destroy(new Error('context deadline exceeded')));
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('response', resolve);
      sent.on('error', reject);
      sent.end();
    });
    const { statusCode: code = 0 } = answer;
    return { healthy: code >= 200 && code < 400, message: await beginningOf(answer) };
  } catch (error) {
    const why = error instanceof Error ? connectionErrorText(error, backend) : String(error);
    return { healthy: false, message: `Get "https://${authorityOf(backend)}/healthz": ${why}` };
  } finally {
    cancel();
    sent.destroy();
  }
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= mostShown) break;
  }
  return Buffer.concat(chunks).subarray(0, mostShown).toString();
}
