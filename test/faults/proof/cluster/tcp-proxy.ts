import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * How bytes are forwarded: normally, delayed, held until the fault is over (those to the server, those from it, or in both
 * directions), or every connection is closed.
 */
export type Forwarding = { readonly delayMs: number } | 'deaf' | 'mute' | 'stalled' | 'cut';

/** A TCP proxy between a server and an etcd member, on loopback. */
export class TcpProxy {
  readonly #listener: Server;
  readonly #port: number;
  readonly #clients = new Set<Socket>();
  readonly #members = new Set<Socket>();
  /** What clients sent while the proxy was mute. */
  #held: { readonly to: Socket; readonly piece: Buffer }[] = [];
  #passage: Forwarding = { delayMs: 0 };
  url = '';

  private constructor(port: number) {
    this.#port = port;
    this.#listener = createServer((client) => this.#join(client));
  }

  static async open(target: string): Promise<TcpProxy> {
    const proxy = new TcpProxy(Number(new URL(target).port));
    await new Promise<void>((resolve, reject) => {
      proxy.#listener.once('error', reject).listen(0, '127.0.0.1', resolve);
    });
    const address = proxy.#listener.address();
    proxy.url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
    return proxy;
  }

  pass(passage: Forwarding): void {
    this.#passage = passage;
    for (const { to, piece } of passage === 'mute' ? [] : this.#held.splice(0))
      if (passage !== 'cut' && to.writable) to.write(piece);
    for (const socket of [...this.#clients, ...this.#members]) {
      if (passage === 'cut') socket.destroy();
      else if (this.#isHeld(socket)) socket.pause();
      else socket.resume();
    }
  }

  /** Whether a client has sent this text since the proxy is mute. */
  holds(text: string): boolean {
    return Buffer.concat(this.#held.map(({ piece }) => piece)).includes(text);
  }

  async close(): Promise<void> {
    this.pass('cut');
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  #join(client: Socket): void {
    if (this.#passage === 'cut') {
      client.destroy();
      return;
    }
    const member = connect(this.#port, '127.0.0.1');
    this.#carry(client, member, this.#clients);
    this.#carry(member, client, this.#members);
  }

  #isHeld(from: Socket): boolean {
    return this.#passage === 'stalled' || (this.#passage === 'deaf' && this.#members.has(from));
  }

  #carry(from: Socket, to: Socket, side: Set<Socket>): void {
    side.add(from);
    const late = new Late((piece) => to.writable && to.write(piece));
    from.setNoDelay(true);
    from.on('data', (piece) => {
      if (this.#passage === 'mute' && side === this.#clients) {
        this.#held.push({ to, piece });
        return;
      }
      late.push(piece, typeof this.#passage === 'object' ? this.#passage.delayMs : 0);
    });
    if (this.#isHeld(from)) from.pause();
    from.on('error', () => {});
    from.once('close', () => {
      side.delete(from);
      late.stop();
      to.destroy();
    });
  }
}

/** Forwards chunks in order, each when it is due. */
class Late {
  readonly #hand: (piece: Buffer) => void;
  readonly #waiting: { readonly piece: Buffer; readonly due: number }[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(hand: (piece: Buffer) => void) {
    this.#hand = hand;
  }

  push(piece: Buffer, delayMs: number): void {
    if (delayMs === 0 && this.#waiting.length === 0) {
      this.#hand(piece);
      return;
    }
    this.#waiting.push({ piece, due: performance.now() + delayMs });
    this.#timer ??= setTimeout(() => this.#handDue(), delayMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#waiting.length = 0;
  }

  #handDue(): void {
    this.#timer = undefined;
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const rest = first.due - performance.now();
      if (rest > 0) {
        this.#timer = setTimeout(() => this.#handDue(), rest);
        return;
      }
      this.#waiting.shift();
      this.#hand(first.piece);
    }
  }
}
