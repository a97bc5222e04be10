// The HTTP server: its listeners, the filter chain of their requests, and graceful shutdown.
import type { AddressInfo } from 'node:net';
import type { Clock } from '../base/clock.ts';
import { FilterChain, type FilterChainOptions } from './filters/chain.ts';
import { type ConnectionLimits, defaultConnectionLimits } from './listeners/connection-limits.ts';
import { Listener, type TlsMaterial } from './listeners/listener.ts';

export interface HttpServerOptions extends FilterChainOptions {
  readonly bearerProtocolPrefix: string;
  /** Whether the handler of this path gets any upgrade, such as that of an aggregated API server. */
  isUpgradedPath?(path: string): boolean;
  readonly connectionLimits?: Partial<ConnectionLimits>;
}

export class HttpServer {
  readonly filters: FilterChain;
  readonly #options: HttpServerOptions;
  readonly #limits: ConnectionLimits;
  readonly #listeners: Listener[] = [];
  #secureListener: Listener | undefined;

  constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#limits = { ...defaultConnectionLimits, ...options.connectionLimits };
    this.filters = new FilterChain(options);
  }

  /** Plain HTTP on loopback, where requests without credentials are the developer's. */
  listenPlain(host: string, port: number, reusePort = false): Promise<AddressInfo> {
    if (!['127.0.0.1', '::1', 'localhost'].includes(host)) {
      throw new Error(`plain HTTP is for loopback only, not ${host}`);
    }
    return this.#open(Listener.plain(this.#listenerOptions()), host, port, reusePort);
  }

  listenSecure(host: string, port: number, tls: TlsMaterial, reusePort = false): Promise<AddressInfo> {
    this.#secureListener = Listener.secure(this.#listenerOptions(), tls);
    return this.#open(this.#secureListener, host, port, reusePort);
  }

  /** Replaces the certificates of the HTTPS listener. */
  setTls(tls: TlsMaterial): void {
    this.#secureListener?.setTls(tls);
  }

  /** Keeps serving, but makes clients reconnect to another server. */
  announceShutdown(): void {
    for (const listener of this.#listeners) listener.announceShutdown();
  }

  /**
   * Graceful shutdown: accepts no connections, ends watches, and lets running requests finish for at most
   * `timeoutMs`.
   */
  async drain(timeoutMs: number): Promise<void> {
    for (const listener of this.#listeners) listener.stopAccepting();
    this.filters.endLongRunning();
    // A connection that Node does not read, such as one of an HTTP/2 session that failed, does not keep the process alive.
    const keepAlive = setInterval(() => {}, timeoutMs);
    try {
      await settleWithin(this.#options.clock, timeoutMs, this.#closeGracefully());
      await this.close();
    } finally {
      clearInterval(keepAlive);
    }
  }

  async #closeGracefully(): Promise<void> {
    await this.filters.idle();
    await Promise.all(this.#listeners.map((listener) => listener.closeGracefully()));
  }

  /** Closes every connection at once. */
  async close(): Promise<void> {
    await Promise.all(this.#listeners.map((listener) => listener.close()));
    this.filters.close();
  }

  async #open(listener: Listener, host: string, port: number, reusePort: boolean): Promise<AddressInfo> {
    const address = await listener.listen(host, port, reusePort);
    this.#listeners.push(listener);
    return address;
  }

  #listenerOptions() {
    return {
      filters: this.filters,
      limits: this.#limits,
      logger: this.#options.logger,
      bearerProtocolPrefix: this.#options.bearerProtocolPrefix,
      isUpgradedPath: (path: string) => this.#options.isUpgradedPath?.(path) ?? false,
    };
  }
}

function settleWithin(clock: Clock, ms: number, settled: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    void settled.then(() => {
      cancel();
      resolve();
    });
  });
}
