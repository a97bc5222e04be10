// The certificate chain that a TLS client has sent, read at the end of the handshake.
import type { DetailedPeerCertificate, Server, TLSSocket } from 'node:tls';

const chains = new WeakMap<TLSSocket, DetailedPeerCertificate>();

/**
 * Reads the chain of each client before the server does. Node 24.21 and 26.8 remove the first intermediate from it
 * (nodejs/node#65579) in their own listener of `secure`; `keylog` is the only earlier event that has the connection.
 */
export function keepPeerChains(server: Server): void {
  server.on('keylog', (_secret, connection) => {
    if (connection.listenerCount('secure', keepChain) > 0) return;
    connection.prependListener('secure', keepChain);
  });
}

function keepChain(this: TLSSocket): void {
  chains.set(this, this.getPeerCertificate(true));
}

/** The client's certificate with its issuers; undefined without one. */
export function peerChainOf(connection: TLSSocket): DetailedPeerCertificate | undefined {
  const certificate = chains.get(connection) ?? connection.getPeerCertificate(true);
  // Node returns an empty object for a client without a certificate.
  return certificate?.subject === undefined ? undefined : certificate;
}
