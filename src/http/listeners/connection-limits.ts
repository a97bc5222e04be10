// Limits of a connection: timeouts, header sizes, HTTP/2 streams.
import type { ServerOptions as Http1Options } from 'node:http';
import type { SecureServerOptions } from 'node:http2';
import type { LingerLimits } from '../../transport/linger.ts';

/** Limits of a connection, in milliseconds and bytes. */
export interface ConnectionLimits extends LingerLimits {
  /** From the first byte of a request to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** To the end of the request body. */
  readonly requestTimeoutMs: number;
  /** Idle keep-alive timeout. */
  readonly idleTimeoutMs: number;
  readonly handshakeTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** A request with more headers is rejected: dropping some could drop impersonation headers. */
  readonly maxHeadersCount: number;
  /** Concurrent streams of an HTTP/2 connection. */
  readonly maxConcurrentStreams: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headersTimeoutMs: 32_000,
  requestTimeoutMs: 60_000,
  idleTimeoutMs: 90_000,
  handshakeTimeoutMs: 10_000,
  maxHeaderBytes: 128 * 1024,
  maxHeadersCount: 1_000,
  maxConcurrentStreams: 250,
  maxLingerBytes: 64 * 1024 * 1024,
  lingerTimeoutMs: 30_000,
  lingerIdleTimeoutMs: 5_000,
};

export function http1Options(limits: ConnectionLimits): Http1Options {
  return {
    headersTimeout: limits.headersTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    connectionsCheckingInterval: Math.min(5_000, limits.headersTimeoutMs),
    maxHeaderSize: limits.maxHeaderBytes,
    noDelay: true,
    keepAlive: true,
    optimizeEmptyRequests: true,
  };
}

export function http2Options(limits: ConnectionLimits): SecureServerOptions {
  return {
    settings: {
      maxConcurrentStreams: limits.maxConcurrentStreams,
      maxHeaderListSize: limits.maxHeaderBytes,
      enablePush: false,
    },
    maxHeaderListPairs: limits.maxHeadersCount,
    // Rapid reset: opening and resetting streams costs the server more than the client. Bursts pass, a steady rate does
    // not.
    streamResetBurst: 100,
    streamResetRate: 33,
    maxSessionInvalidFrames: 100,
    maxSessionRejectedStreams: 100,
    maxOutstandingPings: 10,
    // In megabytes: enough for a large list to one slow client.
    maxSessionMemory: 32,
  };
}
