// Audit: the audit context of one request. Filters and handlers record into it; its events are formatted from it.
import { type Chunk, Pause } from '../base/chunk.ts';
import type { WireStatus } from '../errors/status.ts';
import type { AuditContext, AuditedObjectMeta } from '../request/audit.ts';
import type { Decision } from '../request/authorizer.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import { encodeJson, escapeHtml } from '../transport/json-text.ts';
import type { AuditCaller, RequestFragments } from './caller.ts';
import type { AuditStage, RequestAuditConfig } from './policy.ts';
import { withoutManagedFields } from './without-managed-fields.ts';

/** The objectMeta of a request without an object. */
export const noObject: AuditedObjectMeta = {};

/** The audited request: an HTTP exchange, or an internal request. */
export interface AuditedRequest {
  readonly auditId: string;
  readonly receivedAtMs: number;
  /** Milliseconds since `receivedAtMs`, with fractions. */
  readonly elapsedMs: number;
  readonly info: RequestInfo;
  readonly user: User;
  readonly impersonator: User | undefined;
  readonly request: { readonly url?: string | undefined };
  readonly response: { readonly statusCode: number; readonly headersSent: boolean };
}

/** The fields of a Status that events contain. */
export type ResponseStatus = Pick<WireStatus, 'status' | 'message' | 'reason' | 'details'>;

/** JSON fragments that are the same in every event of a request, in the order of the event. */
export interface EventFragments {
  /** Up to the value of `stage`. */
  readonly start: string;
  /** `requestURI`, `verb` and `user`. */
  readonly request: string;
  readonly shared: RequestFragments;
  /** `sourceIPs`, `userAgent` and `objectRef`, as far as the URL names the object. */
  readonly object: string;
  /** `requestReceivedTimestamp`, and `stageTimestamp` up to its value. */
  readonly timestamps: string;
  /** The value of `requestReceivedTimestamp`. */
  readonly received: string;
}

export interface AuditEventProcessor {
  /** Writes the event of a stage. Returns false if it could not be written and the request must fail. */
  processEvent(record: AuditRecord, stage: AuditStage, timeMs: number): boolean;
}

/** A larger response object is dropped, and the event is marked as truncated. */
const maxObjectBytes = 16 * 1024 * 1024;

/** Exists only for requests above level None, so that all others cost nothing. */
export class AuditRecord implements AuditContext {
  readonly exchange: AuditedRequest;
  readonly config: RequestAuditConfig;
  /** The authenticated user, before impersonation; undefined if authentication failed. */
  readonly user: User | undefined;
  readonly caller: AuditCaller;
  readonly #processor: AuditEventProcessor;
  readonly #longRunning: boolean;
  decision: Decision | undefined;
  annotations: Map<string, string> | undefined;
  /** Request and response object as JSON. */
  requestObject = '';
  responseObject = '';
  isTruncated = false;
  objectMeta: AuditedObjectMeta = noObject;
  status: ResponseStatus | undefined;
  /** The status code of the response; 0 before the response has started. */
  code = 0;
  /** Cached by the JSON event format. */
  fragments: EventFragments | undefined;

  constructor(
    processor: AuditEventProcessor,
    exchange: AuditedRequest,
    config: RequestAuditConfig,
    user: User | undefined,
    caller: AuditCaller,
    longRunning: boolean,
  ) {
    this.#processor = processor;
    this.exchange = exchange;
    this.config = config;
    this.user = user;
    this.caller = caller;
    this.#longRunning = longRunning;
  }

  annotate(key: string, value: string): void {
    this.annotations ??= new Map();
    if (!this.annotations.has(key)) this.annotations.set(key, value);
  }

  get keepsRequestObject(): boolean {
    return this.config.level === 'Request' || this.config.level === 'RequestResponse';
  }

  get keepsResponseObject(): boolean {
    return this.config.level === 'RequestResponse';
  }

  setRequestObject(metadata: AuditedObjectMeta, json: () => string | Buffer): void {
    this.objectMeta = {
      name: metadata.name,
      namespace: metadata.namespace,
      uid: metadata.uid,
      resourceVersion: metadata.resourceVersion,
    };
    if (this.keepsRequestObject) this.requestObject = this.#objectJson(String(json()));
  }

  setRequestJson(json: () => string): void {
    if (this.keepsRequestObject) this.requestObject = json();
  }

  setResponseObject(json: Buffer): void {
    if (!this.keepsResponseObject) return;
    if (json.length > maxObjectBytes) this.isTruncated = true;
    else this.responseObject = this.#objectJson(json.toString().trimEnd());
  }

  setResponseStatus(status: WireStatus): void {
    this.status = status;
    if (this.keepsResponseObject) this.responseObject = encodeJson(status);
  }

  *captureResponse(chunks: Iterable<Chunk>): Generator<Chunk, void> {
    const copies: Buffer[] = [];
    let totalBytes = 0;
    for (const chunk of chunks) {
      if (!(chunk instanceof Pause)) {
        totalBytes += chunk.length;
        // A copy: the encoder may reuse the memory of a chunk for the next one.
        if (totalBytes <= maxObjectBytes) copies.push(Buffer.from(chunk));
      }
      yield chunk;
    }
    if (totalBytes > maxObjectBytes) this.isTruncated = true;
    else this.setResponseObject(Buffer.concat(copies));
  }

  truncate(): void {
    this.requestObject = '';
    this.responseObject = '';
    this.isTruncated = true;
  }

  /** The Audit-ID as text: clients send UTF-8, but Node decodes headers as latin1. */
  get auditId(): string {
    const { auditId } = this.exchange;
    return asciiOnly.test(auditId) ? auditId : Buffer.from(auditId, 'latin1').toString();
  }

  requestReceived(): boolean {
    return this.#processor.processEvent(this, 'RequestReceived', this.exchange.receivedAtMs);
  }

  responseStarted(code: number): void {
    this.code = code;
    if (this.#longRunning) this.#write('ResponseStarted');
  }

  unauthenticated(): void {
    this.#write('ResponseStarted');
  }

  responseComplete(): void {
    if (this.code === 0) {
      const { response } = this.exchange;
      this.code = response.statusCode;
      if (!response.headersSent) this.status ??= connectionClosedEarly;
      if (this.#longRunning) this.#write('ResponseStarted');
    }
    this.#write('ResponseComplete');
  }

  panic(error: unknown): void {
    this.code = 500;
    const message = `APIServer panic'd: ${error instanceof Error ? error.message : String(error)}`;
    this.status = { status: 'Failure', message, reason: 'InternalError' };
    this.#write('Panic');
  }

  #write(stage: AuditStage): void {
    this.#processor.processEvent(this, stage, this.exchange.receivedAtMs + this.exchange.elapsedMs);
  }

  #objectJson(json: string): string {
    return escapeHtml(this.config.omitManagedFields ? withoutManagedFields(json) : json);
  }
}

const asciiOnly = /^[\x00-\x7f]*$/;

const connectionClosedEarly: ResponseStatus = { status: 'Success', message: 'Connection closed early' };
