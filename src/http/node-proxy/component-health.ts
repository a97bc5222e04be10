// componentstatuses: probes /healthz of a control plane component on this machine.
import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../base/clock.ts';
import type { ComponentHealth } from '../../kind/definition.ts';
import {
  authorityOf,
  type Backend,
  connectionErrorText,
  requestBackend,
} from '../../transport/proxy/backend.ts';

const timeoutMs = 10_000;
/** The message is truncated to this many bytes. */
const maxMessageBytes = 10 * 1024;

/** Probes HTTPS on loopback without verifying the certificate, as upstream does. */
export async function componentHealth(port: number, clock: Clock): Promise<ComponentHealth> {
  const backend: Backend = {
    scheme: 'https',
    host: '127.0.0.1',
    port: String(port),
    tls: { rejectUnauthorized: false },
  };
  const headers = { host: authorityOf(backend) };
  const request = requestBackend(backend, { method: 'GET', path: '/healthz', headers }, clock);
  const cancel = clock.after(timeoutMs, () => request.destroy(new Error('context deadline exceeded')));
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.on('error', reject);
      request.end();
    });
    const { statusCode: code = 0 } = response;
    return { healthy: code >= 200 && code < 400, message: await readMessage(response) };
  } catch (error) {
    const message = error instanceof Error ? connectionErrorText(error, backend) : String(error);
    return { healthy: false, message: `Get "https://${authorityOf(backend)}/healthz": ${message}` };
  } finally {
    cancel();
    request.destroy();
  }
}

async function readMessage(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxMessageBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxMessageBytes).toString();
}
