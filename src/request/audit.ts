// Audit context of a request (upstream: audit.AuditContext): filters and handlers record into it, src/audit implements
// it.
import type { Chunk } from '../base/chunk.ts';
import type { WireStatus } from '../errors/status.ts';
import type { Decision } from './authorizer.ts';

/** The metadata of the request object that audit events show in objectRef. */
export interface AuditedObjectMeta {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Exists only for requests that the audit policy records at level Metadata or above. */
export interface AuditContext {
  /** Whether the policy's level keeps request objects; if not, a caller may skip serializing them. */
  readonly keepsRequestObject: boolean;
  readonly keepsResponseObject: boolean;
  /** The authorizer's decision, shown as annotations. */
  decision: Decision | undefined;
  /** Adds an annotation. The first value of a key stays. */
  annotate(key: string, value: string): void;
  /** Records the decoded request object. `json` runs only if the level keeps request objects. */
  setRequestObject(metadata: AuditedObjectMeta, json: () => string | Buffer): void;
  /** Records a request body that is no API object of its own: a patch or DeleteOptions. */
  setRequestJson(json: () => string): void;
  /** Records the response object as JSON, whatever media type is sent. */
  setResponseObject(json: Buffer): void;
  setResponseStatus(status: WireStatus): void;
  /** Records a streamed response object: passes the chunks through and keeps a copy of the bytes. */
  captureResponse(chunks: Iterable<Chunk>): Iterable<Chunk>;
  /** Stage RequestReceived. Returns false if a blocking backend could not write the event: the request must fail. */
  requestReceived(): boolean;
  /** Stage ResponseStarted, for long-running requests. */
  responseStarted(code: number): void;
  /** The only stage of a request that failed authentication. */
  unauthenticated(): void;
  /** Stage ResponseComplete. */
  responseComplete(): void;
  /** Stage Panic: the handler failed unexpectedly. */
  panic(error: unknown): void;
}
