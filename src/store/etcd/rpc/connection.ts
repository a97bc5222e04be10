/** gRPC to one etcd member: unary calls and streams over one HTTP/2 connection. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { serverVerification } from '../../../pki/ca-bundle.ts';
import { Deframer, frame } from './frames.ts';

/** TLS: the CA of the member, and our client certificate and key, all PEM. */
export interface EtcdCredentials {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The gRPC status codes that are handled specially. */
export const statusCodes = {
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  outOfRange: 11,
  unavailable: 14,
};

/** etcd returned an error, or did not answer. */
export class CallError extends Error {
  readonly code: number;
  /** The request was certainly not executed, so it can be retried. */
  readonly hadNoEffect: boolean;
  constructor(code: number, message: string, { hadNoEffect = false } = {}) {
    super(message);
    this.code = code;
    this.hadNoEffect = hadNoEffect;
  }
}

/** HTTP/2 flow-control windows: bytes that etcd may send unacknowledged. */
const STREAM_WINDOW_BYTES = 4 * 1024 * 1024;
const CONNECTION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Node rejects requests while more than this is buffered in the session. */
const MAX_SESSION_MEGABYTES = 1_024;
/** etcd closes connections that ping more often than every 5 s. */
const PING_INTERVAL_MS = 10_000;
const CONNECT_TIMEOUT_MS = 3_000;

export class EtcdConnection {
  readonly #session: ClientHttp2Session;
  readonly #pingTimer: NodeJS.Timeout;
  readonly #streams = new Set<RpcStream>();

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
    session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
    // A ping that is unanswered at the next one means that the peer is gone.
    let answered = true;
    this.#pingTimer = setInterval(() => {
      // A destroyed session emits `close` only with its socket, which may hang.
      if (session.destroyed) clearInterval(this.#pingTimer);
      else if (!answered) session.destroy(new CallError(statusCodes.unavailable, 'the connection timed out'));
      else {
        answered = false;
        session.ping((error) => {
          if (!error) answered = true;
        });
      }
    }, PING_INTERVAL_MS).unref();
    session.once('close', () => clearInterval(this.#pingTimer));
    // Each call reports its own error.
    session.on('error', () => {});
  }

  static open(url: string, credentials: EtcdCredentials): Promise<EtcdConnection> {
    return new Promise((resolve, reject) => {
      const session = connect(url, {
        ...serverVerification,
        ...credentials,
        settings: { enablePush: false, initialWindowSize: STREAM_WINDOW_BYTES },
        maxSessionMemory: MAX_SESSION_MEGABYTES,
      });
      const fail = (error: Error) => {
        clearTimeout(timer);
        session.destroy();
        reject(
          new CallError(statusCodes.unavailable, `${url}: ${errorMessage(error)}`, { hadNoEffect: true }),
        );
      };
      const timer = setTimeout(() => fail(new Error('connection timed out')), CONNECT_TIMEOUT_MS).unref();
      session.once('error', fail);
      // Not `connect`: only a server that speaks HTTP/2 sends a SETTINGS frame.
      session.once('remoteSettings', () => {
        clearTimeout(timer);
        session.off('error', fail);
        resolve(new EtcdConnection(session));
      });
    });
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** A unary call. Rejects with CallError. */
  call(path: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const deframer = new Deframer();
      let response: Buffer | undefined;
      const timer = setTimeout(
        () =>
          stream.end(
            new CallError(statusCodes.deadlineExceeded, `no answer within ${Math.round(timeoutMs)} ms`),
          ),
        timeoutMs,
      ).unref();
      const stream = new RpcStream(this.#session, path, {
        onData(chunk) {
          const [message] = deframer.take(chunk);
          response = message ?? response;
        },
        onEnd(error) {
          clearTimeout(timer);
          if (error) reject(error);
          else if (response) resolve(response);
          else reject(new CallError(statusCodes.unknown, 'etcd closed the stream without a response'));
        },
      });
      stream.sendLast(message);
    });
  }

  /** A bidirectional stream. */
  stream(path: string, listener: StreamListener): RpcStream {
    const stream = new RpcStream(this.#session, path, {
      onData: (chunk) => listener.onData(chunk),
      onEnd: (error) => {
        this.#streams.delete(stream);
        listener.onEnd(error);
      },
    });
    this.#streams.add(stream);
    return stream;
  }

  /**
   * Accepts no more calls. Pending calls may finish; streams are ended, since they never finish by themselves and the
   * member may hang.
   */
  retire(): void {
    this.#session.close();
    for (const stream of this.#streams) {
      stream.end(new CallError(statusCodes.unavailable, 'switching to another member'));
    }
  }

  close(): void {
    this.#session.destroy();
  }
}

export interface StreamListener {
  /** Receives bytes as they arrive: possibly several messages, or a part of one. */
  onData(chunk: Buffer): void;
  /** The stream has ended; without an error if it completed. */
  onEnd(error?: Error): void;
}

export class RpcStream {
  /** Undefined if the session rejected the request. */
  readonly #stream: ClientHttp2Stream | undefined;
  readonly #listener: StreamListener;
  #ended = false;

  constructor(session: ClientHttp2Session, path: string, listener: StreamListener) {
    this.#listener = listener;
    try {
      this.#stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        // A member without a leader ends the watch, since it would receive no events.
        hasleader: 'true',
      });
    } catch (error) {
      const notSent = new CallError(statusCodes.unavailable, errorMessage(error), { hadNoEffect: true });
      // Not now: the caller does not have the stream yet.
      queueMicrotask(() => this.end(notSent));
      return;
    }
    // A response that fails at once has the gRPC status in its headers, all others in the trailers.
    let statusError: CallError | undefined;
    let hasStatus = false;
    const readStatus = (headers: Record<string, unknown>) => {
      if (headers['grpc-status'] === undefined) return;
      hasStatus = true;
      const code = Number(headers['grpc-status']);
      const text = percentDecode(String(headers['grpc-message'] ?? ''));
      if (code !== 0) statusError = new CallError(code, text, { hadNoEffect: isRejectedUnexecuted(text) });
    };
    this.#stream.on('response', readStatus);
    this.#stream.on('trailers', (trailers) => {
      readStatus(trailers);
      // The response is complete; Node needs a few more event loop turns to close the stream.
      if (hasStatus && this.#stream?.readableLength === 0) this.#finish(statusError);
    });
    this.#stream.on('data', (chunk: Buffer) => {
      try {
        if (!this.#ended) listener.onData(chunk);
      } catch (error) {
        this.end(new CallError(statusCodes.unknown, errorMessage(error)));
      }
    });
    this.#stream.on('error', (error) => {
      const hadNoEffect = this.#stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      this.end(new CallError(statusCodes.unavailable, errorMessage(error), { hadNoEffect }));
    });
    this.#stream.on('close', () => {
      this.#finish(
        hasStatus ? statusError : new CallError(statusCodes.unavailable, 'the connection was lost'),
      );
    });
  }

  send(message: Buffer): void {
    if (!this.#ended) this.#stream?.write(frame(message));
  }

  /** Sends the last message and closes the sending side; responses may still arrive. */
  sendLast(message: Buffer): void {
    if (!this.#ended) this.#stream?.end(frame(message));
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  /** Cancels the stream; the listener receives the error. */
  end(error?: Error): void {
    if (this.#ended) return;
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#finish(error);
  }

  #finish(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#listener.onEnd(error);
  }
}

/** As gRPC requires, a message with invalid escapes is kept as it is. */
function percentDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether the message is of an error that etcd returns before it executes a request. */
function isRejectedUnexecuted(message: string): boolean {
  return /no leader|too many requests|not capable|server stopped|request is too large|larger than max|space exceeded/.test(
    message,
  );
}

function errorMessage(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorMessage).join(', ');
  return error instanceof Error ? error.message : String(error);
}
