// Limits of a connection: timeouts, header sizes, HTTP/2 streams.
import type { ServerOptions as Http1Options } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import type { LingerLimits } from '../../transport/linger.ts';

/** What a connection may cost before it has shown anything worth it. Milliseconds and bytes. */
export interface ConnectionLimits extends LingerLimits {
  /** From the connection's first byte of a request to the end of its headers. */
  readonly headersTimeout: number;
  /** To the end of the request's body. */
  readonly requestTimeout: number;
  /** A connection without requests is closed after this. */
  readonly idleTimeout: number;
  readonly handshakeTimeout: number;
  readonly maxHeaderSize: number;
  /** A request with more is refused: leaving some out could leave out who it is made for. */
  readonly maxHeadersCount: number;
  /** Requests at a time on one HTTP/2 connection. */
  readonly maxConcurrentStreams: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeout: 32_000,
  requestTimeout: 60_000,
  idleTimeout: 90_000,
  handshakeTimeout: 10_000,
  maxHeaderSize: 128 * 1024,
  maxHeadersCount: 1_000,
  maxConcurrentStreams: 250,
  lingerBytes: 64 * 1024 * 1024,
  lingerTimeout: 30_000,
  lingerIdleTimeout: 5_000,
};

export function http1Options(limits: ConnectionLimits): Http1Options {
  return {
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.requestTimeout,
    keepAliveTimeout: limits.idleTimeout,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeout),
    maxHeaderSize: limits.maxHeaderSize,
    noDelay: true,
    keepAlive: true,
    optimizeEmptyRequests: true,
  };
}

export function http2Options(limits: ConnectionLimits): SecureServerOptions {
  return {
    settings: {
      maxConcurrentStreams: limits.maxConcurrentStreams,
      maxHeaderListSize: limits.maxHeaderSize,
      enablePush: false,
    },
    maxHeaderListPairs: limits.maxHeadersCount,
    // Streams opened and reset at once cost us work and the client nothing: a burst is forgiven, a habit is not.
    streamResetBurst: 500,
    streamResetRate: 33,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    maxOutstandingPings: 10,
    // In megabytes. Leaves room for a large list to one slow reader among many.
    maxSessionMemory: 32,
  };
}
