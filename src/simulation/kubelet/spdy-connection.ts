// SPDY/3.1 inside a WebSocket, as kubectl port-forward uses it: streams that the client opens.
import type { WebSocket } from 'ws';
import { HeaderReader, HeaderWriter } from './spdy-headers.ts';

export interface SpdyHandlers {
  onStream(id: number, headers: ReadonlyMap<string, string>): void;
  onData(id: number, data: Buffer): void;
  /** The client sends no more data on a stream. */
  onEnd(id: number): void;
}

const version = 0x8003;
const frameTypes = { synStream: 1, synReply: 2, ping: 6, goAway: 7 };
const finFlag = 1;
const headBytes = 8;
const maxFrameBytes = 1024 * 1024;
/** The client is read no further while it has this many bytes to read. */
const maxBufferedBytes = 1024 * 1024;
const normalClosure = 1000;

export class SpdyConnection {
  readonly #socket: WebSocket;
  readonly #handlers: SpdyHandlers;
  readonly #reader = new HeaderReader();
  readonly #writer = new HeaderWriter();
  /** Bytes of a frame that is not complete. */
  #partial: Buffer = Buffer.alloc(0);
  /** Messages are handled one after another: reading headers takes turns of the event loop. */
  #work: Promise<void> = Promise.resolve();

  constructor(socket: WebSocket, handlers: SpdyHandlers) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('message', (data) => {
      this.#work = this.#work.then(() => this.#receive(data as Buffer)).catch(() => socket.terminate());
    });
    socket.once('close', () => {
      this.#reader.close();
      this.#writer.close();
    });
  }

  get closed(): Promise<void> {
    if (this.#socket.readyState === this.#socket.CLOSED) return Promise.resolve();
    return new Promise((resolve) => this.#socket.once('close', () => resolve()));
  }

  send(id: number, data: Buffer, isLast = false): void {
    const head = Buffer.alloc(headBytes);
    head.writeUInt32BE(id);
    head.writeUInt32BE(data.length, 4);
    head.writeUInt8(isLast ? finFlag : 0, 4);
    this.#write(head, data);
  }

  async #receive(message: Buffer): Promise<void> {
    this.#partial = this.#partial.length === 0 ? message : Buffer.concat([this.#partial, message]);
    while (this.#partial.length >= headBytes) {
      const size = this.#partial.readUIntBE(5, 3);
      if (size > maxFrameBytes) throw new Error('a frame is too large');
      if (this.#partial.length < headBytes + size) return;
      const head = this.#partial.subarray(0, headBytes);
      const body = this.#partial.subarray(headBytes, headBytes + size);
      this.#partial = this.#partial.subarray(headBytes + size);
      await this.#handle(head, body);
    }
  }

  /** Frames of other types, such as settings, need no answer. */
  async #handle(head: Buffer, body: Buffer): Promise<void> {
    const isLast = (head.readUInt8(4) & finFlag) !== 0;
    if (head.readUInt8(0) < 0x80) {
      const id = head.readUInt32BE(0);
      if (body.length > 0) this.#handlers.onData(id, body);
      if (isLast) this.#handlers.onEnd(id);
      return;
    }
    switch (head.readUInt16BE(2)) {
      case frameTypes.synStream: {
        const id = body.readUInt32BE(0);
        const headers = await this.#reader.read(body.subarray(10));
        const idBytes = body.subarray(0, 4);
        this.#writeControl(frameTypes.synReply, Buffer.concat([idBytes, await this.#writer.writeNone()]));
        this.#handlers.onStream(id, headers);
        if (isLast) this.#handlers.onEnd(id);
        break;
      }
      case frameTypes.ping:
        this.#writeControl(frameTypes.ping, body);
        break;
      case frameTypes.goAway:
        this.#socket.close(normalClosure);
        break;
    }
  }

  #writeControl(type: number, body: Buffer): void {
    const head = Buffer.alloc(headBytes);
    head.writeUInt16BE(version);
    head.writeUInt16BE(type, 2);
    head.writeUInt32BE(body.length, 4);
    this.#write(head, body);
  }

  #write(head: Buffer, body: Buffer): void {
    const socket = this.#socket;
    if (socket.readyState !== socket.OPEN) return;
    socket.send(Buffer.concat([head, body]), () => {
      if (socket.bufferedAmount <= maxBufferedBytes) socket.resume();
    });
    if (socket.bufferedAmount > maxBufferedBytes) socket.pause();
  }
}
