/** gRPC to one member of etcd: calls and streams over one HTTP/2 connection. */
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2';
import { serverVerification } from '../../../pki/trust.ts';
import { Deframer, frame } from './frames.ts';

/** What a member must prove and what we prove to it, all PEM. */
export interface Credentials {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** The codes of gRPC that mean something to us. */
export const statusCodes = {
  unknown: 2,
  invalidArgument: 3,
  deadlineExceeded: 4,
  outOfRange: 11,
  unavailable: 14,
};

/** etcd has answered with an error, or has not answered. */
export class CallError extends Error {
  readonly code: number;
  /** The request has surely not been carried out. */
  readonly isUndone: boolean;
  constructor(code: number, message: string, isUndone = false) {
    super(message);
    this.code = code;
    this.isUndone = isUndone;
  }
}

/** Windows of HTTP/2: how much etcd may send before it has to wait. */
const STREAM_WINDOW = 4 * 1024 * 1024;
const CONNECTION_WINDOW = 16 * 1024 * 1024;
/** Node refuses calls while more than this waits to be sent or taken, however few they are. */
const SESSION_MEGABYTES = 1_024;
/** etcd hangs up on those who ask more often than every 5 s whether it is there. */
const PING_MS = 10_000;
const CONNECT_MS = 3_000;

export class Connection {
  readonly #session: ClientHttp2Session;
  readonly #pinging: NodeJS.Timeout;
  readonly #streams = new Set<RpcStream>();

  private constructor(session: ClientHttp2Session) {
    this.#session = session;
    session.setLocalWindowSize(CONNECTION_WINDOW);
    // Without an answer by the next time, the other side is gone.
    let answered = true;
    this.#pinging = setInterval(() => {
      // One that was given up is told to be closed only when its socket is, which may stand still.
      if (session.destroyed) clearInterval(this.#pinging);
      else if (!answered) session.destroy(new CallError(statusCodes.unavailable, 'the connection timed out'));
      else {
        answered = false;
        session.ping((error) => {
          if (!error) answered = true;
        });
      }
    }, PING_MS).unref();
    session.once('close', () => clearInterval(this.#pinging));
    // What it means for a call is told to that.
    session.on('error', () => {});
  }

  static open(url: string, credentials: Credentials): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const session = connect(url, {
        ...serverVerification,
        ...credentials,
        settings: { enablePush: false, initialWindowSize: STREAM_WINDOW },
        maxSessionMemory: SESSION_MEGABYTES,
      });
      const fail = (error: Error) => {
        clearTimeout(patience);
        session.destroy();
        reject(new CallError(statusCodes.unavailable, `${url}: ${messageOf(error)}`, true));
      };
      const patience = setTimeout(() => fail(new Error('connection timed out')), CONNECT_MS).unref();
      session.once('error', fail);
      // A member that speaks another protocol has no settings to tell.
      session.once('remoteSettings', () => {
        clearTimeout(patience);
        session.off('error', fail);
        resolve(new Connection(session));
      });
    });
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  /** One request, one answer. */
  call(path: string, message: Buffer, timeoutMs: number): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      const deframer = new Deframer();
      let answer: Buffer | undefined;
      const patience = setTimeout(
        () =>
          stream.end(
            new CallError(statusCodes.deadlineExceeded, `no answer within ${Math.round(timeoutMs)} ms`),
          ),
        timeoutMs,
      ).unref();
      const stream = new RpcStream(this.#session, path, {
        data(piece) {
          [answer] = [...deframer.take(piece), answer];
        },
        end(error) {
          clearTimeout(patience);
          if (error) reject(error);
          else if (answer) resolve(answer);
          else reject(new CallError(statusCodes.unknown, 'etcd closed the stream without a response'));
        },
      });
      stream.send(message, true);
    });
  }

  /** Messages both ways, until one side has enough. */
  stream(path: string, hearer: Hearer): RpcStream {
    const stream = new RpcStream(this.#session, path, {
      data: (piece) => hearer.data(piece),
      end: (error) => {
        this.#streams.delete(stream);
        hearer.end(error);
      },
    });
    this.#streams.add(stream);
    return stream;
  }

  /** Takes no more calls. Those under way may finish; streams would never, and a member that is left may stand still. */
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

export interface Hearer {
  data(piece: Buffer): void;
  /** Nothing comes any more; without an error because all is said. */
  end(error?: Error): void;
}

export class RpcStream {
  readonly #stream: ClientHttp2Stream | undefined;
  readonly #hearer: Hearer;
  #ended = false;

  constructor(session: ClientHttp2Session, path: string, hearer: Hearer) {
    this.#hearer = hearer;
    try {
      this.#stream = session.request({
        ':method': 'POST',
        ':path': path,
        'content-type': 'application/grpc',
        te: 'trailers',
        // A member that has lost its leader ends a watch, which could hear of nothing there.
        hasleader: 'true',
      });
    } catch (error) {
      queueMicrotask(() => this.end(new CallError(statusCodes.unavailable, messageOf(error), true)));
      return;
    }
    let status: CallError | undefined;
    let told = false;
    const read = (headers: Record<string, unknown>) => {
      if (headers['grpc-status'] === undefined) return;
      told = true;
      const code = Number(headers['grpc-status']);
      const text = decodeURIComponent(String(headers['grpc-message'] ?? ''));
      if (code !== 0) status = new CallError(code, text, isRefusal(text));
    };
    this.#stream.on('response', read);
    this.#stream.on('trailers', (trailers) => {
      read(trailers);
      // All is said. Node takes some more turns of the event loop until the stream is closed.
      if (told && this.#stream?.readableLength === 0) this.#finish(status);
    });
    this.#stream.on('data', (piece: Buffer) => {
      try {
        if (!this.#ended) hearer.data(piece);
      } catch (error) {
        this.end(new CallError(statusCodes.unknown, messageOf(error)));
      }
    });
    this.#stream.on('error', (error) => {
      const isRefused = this.#stream?.rstCode === constants.NGHTTP2_REFUSED_STREAM;
      this.end(new CallError(statusCodes.unavailable, messageOf(error), isRefused));
    });
    this.#stream.on('close', () => {
      this.#finish(told ? status : new CallError(statusCodes.unavailable, 'the connection was lost'));
    });
  }

  /** `isLast`: nothing more is sent, though answers may still come. */
  send(message: Buffer, isLast = false): void {
    if (this.#ended) return;
    if (isLast) this.#stream?.end(frame(message));
    else this.#stream?.write(frame(message));
  }

  pause(): void {
    this.#stream?.pause();
  }

  resume(): void {
    this.#stream?.resume();
  }

  end(error?: Error): void {
    if (this.#ended) return;
    this.#stream?.close(constants.NGHTTP2_CANCEL);
    this.#finish(error);
  }

  #finish(error: Error | undefined): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#hearer.end(error);
  }
}

/** What etcd says where it has not even begun. */
function isRefusal(message: string): boolean {
  return /no leader|too many requests|not capable|server stopped|request is too large|larger than max|space exceeded/.test(
    message,
  );
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}
