// An HTTP request and its response, as filters and handlers see them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AuditContext } from '../request/audit.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Serializers } from '../serializers/serializers.ts';

export interface Exchange {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  /** The user that the request is authorized as. */
  readonly user: User;
  /** The authenticated user, if the request impersonates another one. */
  readonly impersonator: User | undefined;
  readonly userAgent: string;
  readonly auditId: string;
  /** Undefined for requests that the audit policy does not record. */
  readonly audit: AuditContext | undefined;
  /** Aborted when the client is gone, the request times out, or the server drains and the request is long-running. */
  readonly signal: AbortSignal;
  /** The deadline in monotonic time; undefined for long-running requests. */
  readonly deadlineMs: number | undefined;
  /** Time spent waiting for webhooks and in flow control queues, which the SLI metrics leave out. */
  externalLatencyMs: number;
  /** When the request was received, in wall clock milliseconds. */
  readonly startedAt: number;
  readonly serializers: Serializers;
  /** The path belongs to a resource: errors are then sent in every media type of resources. */
  isRouted: boolean;
  /** Texts for `Warning: 299 - "…"` headers. */
  readonly warnings: string[];
  /** Headers that every response of this request has (alternating names and values). */
  readonly responseHeaders: readonly string[];
  /** The request's seat in flow control. A watch releases it once its initial events are sent. */
  readonly seat: Seat | undefined;
}

/** A seat in flow control: the request is executing. */
export interface Seat {
  /** Idempotent. */
  release(): void;
}
