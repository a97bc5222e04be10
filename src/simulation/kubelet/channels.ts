// The channel protocols of exec, attach and portforward over WebSocket: the first byte of a message is its channel.
import type { WebSocket } from 'ws';

/** In v5, a message in this channel closes the channel that it names. */
const closeChannel = 255;
const normalClosure = 1000;
/** The client is read no further while it has this many bytes to read. */
const maxBufferedBytes = 1024 * 1024;
const maxQueuedMessages = 64;

export class Channels {
  readonly #socket: WebSocket;
  readonly #inputs = new Map<number, Input>();

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data) => this.#receive(data as Buffer));
    socket.once('close', () => {
      for (const input of this.#inputs.values()) input.end();
    });
  }

  /** The messages of a channel until it or the connection is closed. */
  input(channel: number): AsyncIterable<Buffer> {
    return this.#inputOf(channel);
  }

  write(channel: number, data: Buffer | string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    this.#socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(data)]), () => this.#resume());
    if (this.#socket.bufferedAmount > maxBufferedBytes) this.#socket.pause();
  }

  close(): void {
    this.#socket.close(normalClosure);
  }

  get closed(): Promise<void> {
    if (this.#socket.readyState === this.#socket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  #resume(): void {
    const isRead = [...this.#inputs.values()].every(({ length }) => length < maxQueuedMessages);
    if (isRead && this.#socket.bufferedAmount <= maxBufferedBytes) this.#socket.resume();
  }

  #inputOf(channel: number): Input {
    const input = this.#inputs.get(channel) ?? new Input(() => this.#resume());
    this.#inputs.set(channel, input);
    return input;
  }

  #receive(message: Buffer): void {
    const [channel, named] = message;
    if (channel === undefined) return;
    if (channel === closeChannel) {
      if (named !== undefined) this.#inputOf(named).end();
      return;
    }
    const input = this.#inputOf(channel);
    input.push(message.subarray(1));
    if (input.length >= maxQueuedMessages) this.#socket.pause();
  }
}

/** A queue of messages for one reader. */
class Input implements AsyncIterable<Buffer> {
  readonly #queue: Buffer[] = [];
  readonly #onRead: () => void;
  #isEnded = false;
  #wake = () => {};

  constructor(onRead: () => void) {
    this.#onRead = onRead;
  }

  get length(): number {
    return this.#queue.length;
  }

  push(data: Buffer): void {
    if (this.#isEnded || data.length === 0) return;
    this.#queue.push(data);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer, void, undefined> {
    for (;;) {
      const next = this.#queue.shift();
      if (next) {
        this.#onRead();
        yield next;
      } else if (this.#isEnded) return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }
}
