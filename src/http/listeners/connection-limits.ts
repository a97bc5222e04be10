// Limits of a connection: timeouts, header sizes, HTTP/2 streams.
import type { ServerOptions as Http1Options } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import type { LingerLimits } from '../../transport/linger.ts';

/** Limits of a connection, in milliseconds and bytes. */
export interface ConnectionLimits extends LingerLimits {
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeout: number;
  /** To the end of the request body. */
  readonly requestTimeout: number;
  /** Idle keep-alive timeout. */
  readonly idleTimeout: number;
  readonly handshakeTimeout: number;
  readonly maxHeaderSize: number;
  /** A request with more headers is rejected: dropping some could drop impersonation headers. */
  readonly maxHeadersCount: number;
  /** Concurrent streams of an HTTP/2 connection. */
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
    // Rapid reset: opening and resetting streams costs the server more than the client. Bursts pass, a steady rate does
    // not.
    streamResetBurst: 500,
    streamResetRate: 33,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    maxOutstandingPings: 10,
    // In megabytes: enough for a large list to one slow client.
    maxSessionMemory: 32,
  };
}
