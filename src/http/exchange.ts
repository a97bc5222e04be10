import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';

/** Who makes a request. */
export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** What a request asks for, read off its method, path and query. */
export interface RequestInfo {
  readonly path: string;
  /** get, list, watch, create, update, patch, delete, deletecollection; for paths that are no resource the lower-case method. */
  readonly verb: string;
  readonly isResource: boolean;
  /** 'api' or 'apis'. */
  readonly apiPrefix: string;
  readonly group: string;
  readonly version: string;
  readonly namespace: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
}

/** One request and its answer, as the filters and handlers pass it on. */
export interface Exchange {
  readonly request: IncomingMessage | Http2ServerRequest;
  readonly response: ServerResponse | Http2ServerResponse;
  readonly query: URLSearchParams;
  readonly info: RequestInfo;
  readonly user: User;
  /** Aborted when the client is gone or the request's time is up. */
  readonly signal: AbortSignal;
  /** Texts for `Warning: 299 - "…"` headers. */
  readonly warnings: string[];
}
