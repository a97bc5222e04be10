// Connections to the backend of a proxied request, and the error texts of failed ones.
import type * as http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Clock } from '../../base/clock.ts';
import { canonicalHost } from '../../base/ip-address.ts';
import { request as requestOverHttp } from '../node-http.ts';

/** The backend of a proxied request. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: string;
  /** Client certificate and trusted CAs, for https. */
  readonly tls: ConnectionOptions;
  /** Resolves the host, where some addresses are forbidden. */
  readonly lookup?: LookupFunction;
}

export interface BackendRequest {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: http.OutgoingHttpHeaders;
}

/** Escapes a path as Go's net/url does: every character that is neither unreserved nor has a meaning in paths. */
export function escapePath(path: string): string {
  // encodeURIComponent leaves ! ' ( ) * as they are, which Go escapes, and escapes $ & + , / : ; = @, which Go does not.
  return encodeURIComponent(path)
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%(24|26|2B|2C|2F|3A|3B|3D|40)/g, (escaped) => decodeURIComponent(escaped));
}

/** Connect timeout in milliseconds. */
const connectTimeoutMs = 30_000;

/** Starts a request on a connection of its own. The backend may answer with an upgrade. */
export function requestBackend(backend: Backend, request: BackendRequest, clock: Clock): http.ClientRequest {
  const { scheme, port, tls, lookup } = backend;
  const host = canonicalHost(backend.host);
  const options = { ...request, host, port, agent: false, setHost: false, ...(lookup && { lookup }) };
  // Without ALPN the backend cannot choose HTTP/2.
  const clientRequest = scheme === 'https' ? https.request({ ...options, ...tls }) : requestOverHttp(options);
  clientRequest.once('socket', (socket) => {
    const cancelTimeout = clock.after(connectTimeoutMs, () => socket.destroy(new ConnectTimeout()));
    for (const event of [scheme === 'https' ? 'secureConnect' : 'connect', 'close']) {
      socket.once(event, cancelTimeout);
    }
  });
  return clientRequest;
}

class ConnectTimeout extends Error {
  readonly code = 'ETIMEDOUT';
}

export const authorityOf = ({ host, port }: Pick<Backend, 'host' | 'port'>) =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`;

/** Go's texts of Node's connection error codes. */
const dialErrors: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connect: connection refused',
  EHOSTUNREACH: 'connect: no route to host',
  ENETUNREACH: 'connect: network is unreachable',
  EADDRNOTAVAIL: 'connect: cannot assign requested address',
  ETIMEDOUT: 'i/o timeout',
};

/** Go's texts of OpenSSL's verification error codes. */
const certificateErrors: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'x509: certificate has expired or is not yet valid',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'x509: certificate signed by unknown authority',
  SELF_SIGNED_CERT_IN_CHAIN: 'x509: certificate signed by unknown authority',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'x509: certificate signed by unknown authority',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'x509: certificate signed by unknown authority',
};

/** OpenSSL's errors for a peer that does not speak TLS. */
const notTlsPattern = /:(?:wrong version number|packet length too long):/;

/** The error text of a failed connection, in Go's words. */
export function connectionErrorText(error: Error, backend: Pick<Backend, 'host' | 'port'>): string {
  const code = 'code' in error ? String(error.code) : '';
  const certificateError =
    code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? hostnameErrorText(error) : certificateErrors[code];
  if (certificateError) return `tls: failed to verify certificate: ${certificateError}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${backend.host}: no such host`;
  if (notTlsPattern.test(error.message)) return 'http: server gave HTTP response to HTTPS client';
  const dialError = dialErrors[code];
  if (dialError) return `dial tcp ${authorityOf(backend)}: ${dialError}`;
  return code === 'ECONNRESET' ? 'EOF' : error.message;
}

interface HostnameError {
  readonly host?: string;
  readonly cert?: {
    readonly subjectaltname?: string;
    readonly subject?: { readonly CN?: string | string[] };
  };
}

/** The error text of a certificate for another host. */
function hostnameErrorText(error: Error): string {
  const { host = '', cert } = error as HostnameError;
  if (!cert?.subjectaltname && [cert?.subject?.CN].flat().includes(host)) {
    return 'x509: certificate relies on legacy Common Name field, use SANs instead';
  }
  const [sanType, noSanText] = isIP(host)
    ? ['IP Address:', `cannot validate certificate for ${host} because it doesn't contain any IP SANs`]
    : ['DNS:', `certificate is not valid for any names, but wanted to match ${host}`];
  const names = (cert?.subjectaltname ?? '').split(', ').filter((name) => name.startsWith(sanType));
  if (names.length === 0) return `x509: ${noSanText}`;
  return `x509: certificate is valid for ${names.map((name) => name.slice(sanType.length)).join(', ')}, not ${host}`;
}
