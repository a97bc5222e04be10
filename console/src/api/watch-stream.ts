// The WebSocket that carries all watches of this tab (/console/api/watch). A lost connection is opened again, and every watch
// goes on after the last event that it has received.
import { signal } from '@preact/signals';
import type { Session } from './session.ts';

export interface WatchEvent<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: T;
}

export interface Subscription<T> {
  /** Path and query of the watch, from the last revision that was received. */
  path(): string;
  readonly accept: string;
  onEvents(events: readonly WatchEvent<T>[]): void;
  /** The watch has ended; code 200 is its timeout. Returns whether to start it again. */
  onEnd(code: number, message: string): boolean;
}

type ServerMessage =
  | { readonly id: number; readonly events: readonly WatchEvent<never>[] }
  | { readonly id: number; readonly end: { readonly code: number; readonly message: string } };

export type ConnectionState = 'idle' | 'connecting' | 'open' | 'lost';

const protocol = 'v1.console.orch';
const minRetryMs = 250;
const maxRetryMs = 10_000;

export class WatchStream {
  readonly state = signal<ConnectionState>('idle');
  readonly #session: Session;
  readonly #subscriptions = new Map<number, Subscription<never>>();
  #socket: WebSocket | undefined;
  #lastId = 0;
  #retryMs = minRetryMs;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: Session) {
    this.#session = session;
    addEventListener('online', () => this.#retryNow());
  }

  /** Starts a watch; the result ends it. */
  subscribe<T>(subscription: Subscription<T>): () => void {
    let id = this.#start(subscription as Subscription<never>);
    const stored = this.#subscriptions.get(id)!;
    return () => {
      // A watch that was started again has another id.
      for (const [current, each] of this.#subscriptions) if (each === stored) id = current;
      if (!this.#subscriptions.delete(id)) return;
      this.#send({ type: 'unsubscribe', id });
      if (this.#subscriptions.size === 0) this.#closeIfUnused();
    };
  }

  /** Closes the connection, such as to open it as another user. */
  reset(): void {
    this.#socket?.close();
  }

  #start(subscription: Subscription<never>): number {
    const id = ++this.#lastId;
    this.#subscriptions.set(id, subscription);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#sendSubscribe(id, subscription);
    else this.#connect();
    return id;
  }

  #connect(): void {
    if (this.#socket || this.#retryTimer !== undefined) return;
    if (this.state.value !== 'lost') this.state.value = 'connecting';
    const protocols = [protocol];
    const { token, info } = this.#session;
    if (token !== undefined) protocols.push(`${info.names.bearerProtocolPrefix}${base64Url(token)}`);
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    const socket = new WebSocket(`${scheme}//${location.host}/console/api/watch`, protocols);
    this.#socket = socket;
    socket.onopen = () => {
      this.state.value = 'open';
      this.#retryMs = minRetryMs;
      for (const [id, subscription] of this.#subscriptions) this.#sendSubscribe(id, subscription);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.#onMessage(JSON.parse(data) as ServerMessage);
    socket.onclose = () => {
      this.#socket = undefined;
      if (this.#subscriptions.size === 0) {
        this.state.value = 'idle';
        return;
      }
      this.state.value = 'lost';
      this.#retryTimer = setTimeout(() => this.#retryNow(), this.#retryMs);
      this.#retryMs = Math.min(maxRetryMs, this.#retryMs * 2);
    };
  }

  #retryNow(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
    if (this.#subscriptions.size > 0) this.#connect();
  }

  #onMessage(message: ServerMessage): void {
    const subscription = this.#subscriptions.get(message.id);
    // Events that were under way when the watch was ended.
    if (!subscription) return;
    if ('events' in message) {
      subscription.onEvents(message.events);
      return;
    }
    this.#subscriptions.delete(message.id);
    const { code, message: text } = message.end;
    if (subscription.onEnd(code, text)) this.#start(subscription);
  }

  #sendSubscribe(id: number, subscription: Subscription<never>): void {
    const { impersonated } = this.#session;
    this.#send({
      type: 'subscribe',
      id,
      path: subscription.path(),
      accept: subscription.accept,
      ...(impersonated && {
        impersonateUser: impersonated.user,
        impersonateGroups: impersonated.groups,
      }),
    });
  }

  #send(message: object): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }

  /** A view that replaces another one starts its watches at once, so the connection waits for a moment. */
  #closeIfUnused(): void {
    setTimeout(() => {
      if (this.#subscriptions.size === 0) this.#socket?.close();
    }, 2_000);
  }
}

function base64Url(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}
