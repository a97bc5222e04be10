import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import type { Clock } from '../base/clock.ts';
import type { KeyPair } from '../pki/certificates.ts';
import { serverVerification } from '../pki/trust.ts';
import { type Backend, requestTo, whyUnreachable } from '../transport/proxy/backend.ts';
import type { ServiceAddresses } from '../webhook/address.ts';
import type { RemoteServer } from './remote-server.ts';

/** What is needed to ask servers behind APIServices. */
export interface RemoteParts {
  readonly clock: Clock;
  readonly addresses: ServiceAddresses;
  /** What this server shows for itself; undefined where it shows nothing. */
  proof(): KeyPair | undefined;
}

export interface RemoteQuestion {
  /** Left out: GET. */
  readonly method?: string;
  readonly path: string;
  readonly headers: OutgoingHttpHeaders;
  readonly body?: string | undefined;
  /** Nobody wants an answer any more. */
  readonly signal?: AbortSignal;
  /** Milliseconds until it is given up. */
  readonly patience: number;
  /** Bytes of an answer that are read at most. 0: only whether there is one matters. */
  readonly longest: number;
}

export interface RemoteAnswer {
  readonly code: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** Where a server can be reached now, with its certificate checked. Throws NoBackend, BadAuthorities. */
export function backendOf(parts: RemoteParts, remote: RemoteServer): Backend {
  const { namespace, service: name, port } = remote;
  const found = parts.addresses.find({ namespace, name, port });
  return {
    scheme: 'https',
    host: found.host,
    port: String(found.port),
    tls: {
      ...serverVerification,
      secureContext: remote.context(parts.proof()),
      servername: remote.serverName,
      rejectUnauthorized: remote.isChecked,
    },
  };
}

/** A server that could not be asked, in the words clients know. */
export class NotAnswered extends Error {}

/** Asks on the server's own behalf. Throws NotAnswered. */
export async function askRemote(
  backend: Backend,
  question: RemoteQuestion,
  clock: Clock,
): Promise<RemoteAnswer> {
  const { method = 'GET', path, headers, body: content, signal, patience, longest } = question;
  const sent = requestTo(backend, { method, path, headers }, clock);
  let problem: NotAnswered | undefined;
  let isConnected = false;
  sent.once('socket', (socket) => {
    socket.once('secureConnect', () => {
      isConnected = true;
    });
  });
  const stopTimer = clock.after(patience, () => {
    const stage = isConnected ? '' : ' while waiting for connection';
    problem = new NotAnswered(
      `net/http: request canceled${stage} (Client.Timeout exceeded while awaiting headers)`,
    );
    sent.destroy(problem);
  });
  const abandon = () => sent.destroy(new Error('the request was cancelled'));
  signal?.addEventListener('abort', abandon);
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.on('error', reject);
      if (signal?.aborted) abandon();
      sent.once('response', resolve);
      sent.once('upgrade', (_, socket) => socket.destroy(new Error('unexpected upgrade')));
      sent.end(content);
    });
    const body = longest === 0 ? Buffer.alloc(0) : await readUpTo(answer, longest);
    return { code: answer.statusCode ?? 0, headers: answer.headers, body };
  } catch (error) {
    throw problem ?? new NotAnswered(whyUnreachable(error as Error, backend));
  } finally {
    stopTimer();
    signal?.removeEventListener('abort', abandon);
    sent.destroy();
  }
}

async function readUpTo(answer: IncomingMessage, longest: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length;
    if (length > longest) throw new NotAnswered(`the answer is longer than ${longest} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
