/**
 * etcd client: uses one member at a time.
 *
 * A member that is unreachable or has no leader is replaced by the next one. Requests that were certainly not
 * executed, or are idempotent, are retried there until the timeout; others are not, since they might be executed twice.
 */
import {
  CallError,
  EtcdConnection,
  type EtcdCredentials,
  type RpcStream,
  type StreamListener,
  statusCodes,
} from './connection.ts';
import {
  type RangeRequest,
  type RangeResponse,
  readRange,
  readStatus,
  readTxn,
  type StatusResponse,
  type TxnRequest,
  type TxnResponse,
  writeCompaction,
  writeRange,
  writeTxn,
} from './messages.ts';

export interface EtcdClientOptions {
  /** Member addresses: `http://127.0.0.1:2379`. */
  readonly servers: readonly string[];
  readonly credentials?: EtcdCredentials;
  /** Timeout of a call, including retries. */
  readonly timeoutMs?: number;
}

/** Pause between two rounds over all members. */
const RETRY_PAUSE_MS = 100;

export class EtcdClient {
  readonly #options: EtcdClientOptions;
  readonly #timeoutMs: number;
  /** Index in `servers` of the member in use. */
  #memberIndex = 0;
  /** The connection to that member, once it is established. */
  #opening: Promise<EtcdConnection> | undefined;
  /** The established connection, while it is in use. */
  #connection: EtcdConnection | undefined;
  #closed = false;

  constructor(options: EtcdClientOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? 5_000;
    // Spreads the API servers over the etcd members.
    this.#memberIndex = Math.floor(Math.random() * options.servers.length);
  }

  async range(request: RangeRequest): Promise<RangeResponse> {
    return readRange(await this.#call('/etcdserverpb.KV/Range', writeRange(request), { isIdempotent: true }));
  }

  async txn(request: TxnRequest): Promise<TxnResponse> {
    return readTxn(await this.#call('/etcdserverpb.KV/Txn', writeTxn(request)), request);
  }

  async compact(revision: number): Promise<void> {
    await this.#call('/etcdserverpb.KV/Compact', writeCompaction(revision));
  }

  async status(): Promise<StatusResponse> {
    return readStatus(
      await this.#call('/etcdserverpb.Maintenance/Status', Buffer.alloc(0), { isIdempotent: true }),
    );
  }

  /** Opens a watch stream; `leave` switches to another member. Rejects if no member is reachable now. */
  async watch(listener: StreamListener): Promise<{ readonly stream: RpcStream; readonly leave: () => void }> {
    const connection = await this.#connect();
    const stream = connection.stream('/etcdserverpb.Watch/Watch', listener);
    return { stream, leave: () => this.#useNextMember(connection) };
  }

  /** Switches to the next member, unless that has happened since `from` was in use. */
  #useNextMember(from = this.#connection): void {
    if (from !== this.#connection) return;
    this.#dropConnection((connection) => connection.retire());
    this.#memberIndex = (this.#memberIndex + 1) % this.#options.servers.length;
  }

  close(): void {
    this.#closed = true;
    this.#dropConnection((connection) => connection.close());
  }

  /** `end` is also called for a connection that is still being opened. */
  #dropConnection(end: (connection: EtcdConnection) => void): void {
    this.#opening?.then(end, () => {});
    this.#opening = undefined;
    this.#connection = undefined;
  }

  async #call(path: string, message: Buffer, { isIdempotent = false } = {}): Promise<Buffer> {
    const deadlineMs = performance.now() + this.#timeoutMs;
    for (let attempt = 1; ; attempt++) {
      let connection: EtcdConnection | undefined;
      try {
        connection = await this.#connect();
        return await connection.call(path, message, Math.max(1, deadlineMs - performance.now()));
      } catch (error) {
        if (!(error instanceof CallError) || !isMemberFailure(error)) throw error;
        if (connection) this.#useNextMember(connection);
        const isTimeLeft = !this.#closed && performance.now() + RETRY_PAUSE_MS < deadlineMs;
        const isSafeToRetry = isIdempotent || error.hadNoEffect;
        if (!isTimeLeft || !isSafeToRetry) throw error;
        if (attempt % this.#options.servers.length === 0)
          await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS));
      }
    }
  }

  async #connect(): Promise<EtcdConnection> {
    if (this.#closed)
      throw new CallError(statusCodes.unavailable, 'the store is closed', { hadNoEffect: true });
    const { servers, credentials = {} } = this.#options;
    this.#opening ??= EtcdConnection.open(servers[this.#memberIndex]!, credentials);
    const opening = this.#opening;
    try {
      const connection = await opening;
      // Meanwhile the client has switched to another member.
      if (this.#opening !== opening) return this.#connect();
      if (connection.isOpen) {
        this.#connection = connection;
        return connection;
      }
    } catch (error) {
      if (this.#opening === opening) this.#useNextMember();
      throw error;
    }
    // The connection has been closed since: open another to the same member.
    if (this.#opening === opening) this.#opening = undefined;
    return this.#connect();
  }
}

/** Whether the call may succeed on another member. */
function isMemberFailure({ code }: CallError): boolean {
  return code === statusCodes.unavailable || code === statusCodes.deadlineExceeded;
}
