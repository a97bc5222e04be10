// The open HTTP/2 sessions of a listener: closes idle ones, and slows down those that reset streams.
import { constants, type Http2Session, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { ResetRate } from './reset-rate.ts';

/** With the highest stream id, a GOAWAY still accepts the streams that the client opens before it reads the frame. */
const lastStreamId = 2 ** 31 - 1;

/** Requests of a session that are served at once in a turn of the event loop; others are served in the next turns. */
const maxImmediateStreams = 16;

export class Http2Sessions {
  readonly #idleTimeoutMs: number;
  readonly #sockets = new Map<Http2Session, Socket | undefined>();
  /** Those that have reset a stream. */
  readonly #resetting = new WeakSet<Http2Session>();
  /** The requests of each in this turn of the event loop. */
  readonly #streamsInTurn = new Map<Http2Session, number>();

  constructor(idleTimeoutMs: number) {
    this.#idleTimeoutMs = idleTimeoutMs;
  }

  get all(): Iterable<Http2Session> {
    return this.#sockets.keys();
  }

  socketOf({ session }: ServerHttp2Stream): Socket | undefined {
    return session && this.#sockets.get(session);
  }

  announceShutdown(): void {
    for (const session of this.#sockets.keys()) {
      if (!session.destroyed) session.goaway(constants.NGHTTP2_NO_ERROR, lastStreamId);
    }
  }

  /**
   * Whether a request waits, so that others are served first: if its session has sent many in this turn of the event loop,
   * or has reset a stream before. A frame that is received already may reset this one.
   */
  mustWait({ session }: ServerHttp2Stream): boolean {
    if (!session) return false;
    if (this.#streamsInTurn.size === 0) setImmediate(() => this.#streamsInTurn.clear());
    const streams = (this.#streamsInTurn.get(session) ?? 0) + 1;
    this.#streamsInTurn.set(session, streams);
    return streams > maxImmediateStreams || this.#resetting.has(session);
  }

  add(session: ServerHttp2Session, socket: Socket | undefined): void {
    this.#sockets.set(session, socket);
    const streams = new Set<ServerHttp2Stream>();
    const unreadStreams = new WeakSet<ServerHttp2Stream>();
    const resets = socket && new ResetRate(socket);
    // Only streams keep a session alive, not received bytes: those may never become a request. A response that the client
    // has not read completely by the second timeout after its end is cancelled.
    const idleTimer = setTimeout(() => {
      // After an error Node waits until its last frames are written, for as long as the client does not read.
      if (session.destroyed) return socket?.destroy();
      if (streams.size === 0) {
        // Node waits for the end of a frame that the client has started to send.
        if (session.closed) return socket?.destroy();
        session.close();
        idleTimer.refresh();
        return;
      }
      for (const stream of streams) {
        if (!stream.writableEnded) continue;
        // Not even the cancellation could be written.
        if (stream.closed) return socket?.destroy();
        if (unreadStreams.has(stream)) stream.close(constants.NGHTTP2_CANCEL);
        else unreadStreams.add(stream);
      }
      idleTimer.refresh();
    }, this.#idleTimeoutMs).unref();
    session.once('close', () => {
      clearTimeout(idleTimer);
      this.#sockets.delete(session);
    });
    session.on('stream', (stream) => {
      streams.add(stream);
      stream.once('close', () => {
        streams.delete(stream);
        if (stream.rstCode !== constants.NGHTTP2_NO_ERROR) {
          this.#resetting.add(session);
          resets?.add();
        }
        if (streams.size === 0 && !session.destroyed) idleTimer.refresh();
      });
    });
  }
}
