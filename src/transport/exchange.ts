// An HTTP request and its response, as filters and handlers see them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { AuditContext } from '../request/audit.ts';
import type { RequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Serializers } from '../serializers/serializers.ts';

/** One request and its answer, as the filters and handlers pass it on. */
export interface Exchange {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  /** On whose behalf it is made: what they may do counts. */
  readonly user: User;
  /** Who really sent it, where they asked to be taken for `user`. */
  readonly impersonator: User | undefined;
  readonly userAgent: string;
  readonly auditId: string;
  /** What is noted of it for the audit log: `exchange.audit?.annotate(key, value)`. Undefined where nothing is. */
  readonly audit: AuditContext | undefined;
  /** Aborted when the client is gone, the request's time is up, or the server drains and the request is a watch. */
  readonly signal: AbortSignal;
  /** When its time is up, by the time that passes; undefined for what may take as long as it takes. */
  readonly deadlineMs: number | undefined;
  /** What others than this server took of its time, in milliseconds. */
  externalLatencyMs: number;
  /** When it came in, on the server's clock. */
  readonly startedAt: number;
  /** How this server writes and reads. */
  readonly serializers: Serializers;
  /** The path leads to a resource: errors then come in every form that the resource has. */
  isRouted: boolean;
  /** Texts for `Warning: 299 - "…"` headers. */
  readonly warnings: string[];
  /** Headers that its answer has whatever it is: names and values in turn. */
  readonly responseHeaders: readonly string[];
  /** The place it holds among the requests being worked on. A watch gives it back once it has begun. */
  readonly seat: Seat | undefined;
}

/** A place among the requests being worked on. */
export interface Seat {
  /** Gives it back. Again does nothing. */
  release(): void;
}
