import { type Chunk, Pause } from '../base/chunk.ts';
import type { Status } from '../errors/status.ts';
import type { AuditContext, AuditedObjectMeta } from '../request/audit.ts';
import type { Decision } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { encodeJson, withoutMarkup } from '../transport/json-text.ts';
import type { Caller, Matter } from './caller.ts';
import type { Stage, Verdict } from './policy.ts';
import { withoutManagedFields } from './without-managed-fields.ts';

/** None has been named. */
export const noObject: AuditedObjectMeta = {};

/** What is to be known of a request, be it one that nobody has sent. */
export interface AuditedRequest {
  readonly auditId: string;
  readonly startedAt: number;
  /** Milliseconds since then, with fractions. */
  readonly elapsed: number;
  readonly info: RequestInfo;
  readonly user: User;
  readonly impersonator: User | undefined;
  readonly request: { readonly url?: string | undefined };
  readonly response: { readonly statusCode: number; readonly headersSent: boolean };
}

/** How a response is told: the fields of a Status that are bounded. */
export type ToldStatus = Pick<Status, 'status' | 'message' | 'reason' | 'details'>;

/** Pieces of text that are the same in every event of a request. */
export interface CommonWords {
  /** Up to the stage; from there to who asks. */
  readonly start: string;
  readonly asked: string;
  readonly matter: Matter;
  /** Where it comes from, and which object the request itself says it is about. */
  readonly object: string;
  /** From when it came to when the event was. */
  readonly stamped: string;
  readonly received: string;
}

/** Takes a record at each of its stages. False: it could not be kept, and the request must not go on. */
export interface RecordKeeper {
  keep(record: AuditRecord, stage: Stage, at: number): boolean;
}

/** An answer's object beyond this size is left out, and the event says so. */
const largestObject = 16 * 1024 * 1024;

/**
 * What is noted of one request for the audit log. It is there only for requests that the policy wants to know of, so
 * that with audit off, or at level None, nothing is put together.
 */
export class AuditRecord implements AuditContext {
  readonly exchange: AuditedRequest;
  readonly verdict: Verdict;
  /** Who sent the request; undefined where they could not be identified. */
  readonly user: User | undefined;
  readonly caller: Caller;
  readonly #keeper: RecordKeeper;
  readonly #longRunning: boolean;
  /** Whether the request is allowed, and why. */
  decision: Decision | undefined;
  /** What else was noted, by key. */
  annotations: Map<string, string> | undefined;
  /** The objects of request and answer, as JSON. */
  requestObject = '';
  responseObject = '';
  isTruncated = false;
  named: AuditedObjectMeta = noObject;
  status: ToldStatus | undefined;
  code = 0;
  /** What the events of the request have in common, once it is put into words. */
  words: CommonWords | undefined;

  constructor(
    keeper: RecordKeeper,
    exchange: AuditedRequest,
    verdict: Verdict,
    user: User | undefined,
    caller: Caller,
    longRunning: boolean,
  ) {
    this.#keeper = keeper;
    this.exchange = exchange;
    this.verdict = verdict;
    this.user = user;
    this.caller = caller;
    this.#longRunning = longRunning;
  }

  /** Adds a note to the request's events from here on. What has been said once stays. */
  annotate(key: string, value: string): void {
    this.annotations ??= new Map();
    if (!this.annotations.has(key)) this.annotations.set(key, value);
  }

  get keepsRequestObject(): boolean {
    return this.verdict.level === 'Request' || this.verdict.level === 'RequestResponse';
  }

  get keepsResponseObject(): boolean {
    return this.verdict.level === 'RequestResponse';
  }

  /** The object that the request brings, once it is read. Its JSON is asked for only if it is to be kept. */
  setRequestObject(metadata: AuditedObjectMeta, json: () => string | Buffer): void {
    this.named = {
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    };
    if (this.keepsRequestObject) this.requestObject = this.#shown(String(json()));
  }

  /** What the request brings that is no object of its own: a patch, options. */
  setRequestJson(json: () => string): void {
    if (this.keepsRequestObject) this.requestObject = json();
  }

  /** The answer's object, whatever form it is sent in. */
  setResponseObject(json: Buffer): void {
    if (!this.keepsResponseObject) return;
    if (json.length > largestObject) this.isTruncated = true;
    else this.responseObject = this.#shown(json.toString().trimEnd());
  }

  setResponseStatus(status: Status): void {
    this.status = status;
    if (this.keepsResponseObject) this.responseObject = encodeJson(status);
  }

  /** An answer that is put together piece by piece. The pieces come out as they go in. */
  *captureResponse(chunks: Iterable<Chunk>): Generator<Chunk, void> {
    const kept: Buffer[] = [];
    let size = 0;
    for (const chunk of chunks) {
      if (!(chunk instanceof Pause)) {
        size += chunk.length;
        // The encoder may reuse the memory of a chunk for the next one.
        if (size <= largestObject) kept.push(Buffer.from(chunk));
      }
      yield chunk;
    }
    if (size > largestObject) this.isTruncated = true;
    else this.setResponseObject(Buffer.concat(kept));
  }

  /** Leaves out the objects, and says so. */
  truncate(): void {
    this.requestObject = '';
    this.responseObject = '';
    this.isTruncated = true;
  }

  /** Clients write UTF-8 here, though headers are read as single bytes. */
  get auditId(): string {
    const { auditId } = this.exchange;
    return isAscii.test(auditId) ? auditId : Buffer.from(auditId, 'latin1').toString();
  }

  /** The request is about to be worked on. False: it must not be. */
  requestReceived(): boolean {
    return this.#keeper.keep(this, 'RequestReceived', this.exchange.startedAt);
  }

  /** The answer begins. */
  responseStarted(code: number): void {
    this.code = code;
    if (this.#longRunning) this.#keep('ResponseStarted');
  }

  /** The sender could not be identified: that is all there is to say, once. */
  unauthenticated(): void {
    this.#keep('ResponseStarted');
  }

  responseComplete(): void {
    if (this.code === 0) {
      const { response } = this.exchange;
      this.code = response.statusCode;
      if (!response.headersSent) this.status ??= closedEarly;
      if (this.#longRunning) this.#keep('ResponseStarted');
    }
    this.#keep('ResponseComplete');
  }

  /** The server failed, by a mistake of its own. */
  panic(error: unknown): void {
    this.code = 500;
    const message = `APIServer panic'd: ${error instanceof Error ? error.message : String(error)}`;
    this.status = { status: 'Failure', message, reason: 'InternalError' };
    this.#keep('Panic');
  }

  #keep(stage: Stage): void {
    this.#keeper.keep(this, stage, this.exchange.startedAt + this.exchange.elapsed);
  }

  #shown(json: string): string {
    return withoutMarkup(this.verdict.omitManagedFields ? withoutManagedFields(json) : json);
  }
}

const isAscii = /^[\x00-\x7f]*$/;

const closedEarly: ToldStatus = { status: 'Success', message: 'Connection closed early' };
