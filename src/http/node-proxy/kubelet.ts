// Requests to a node's kubelet: address, port and TLS.
import type { ConnectionOptions } from 'node:tls';
import type { Node } from '../../apis/core/node.ts';
import { ApiError } from '../../errors/status.ts';
import { serverVerification } from '../../pki/ca-bundle.ts';
import type { Backend } from '../../transport/proxy/backend.ts';

/** The client certificate for kubelets and the CA that signs theirs, as PEM. */
export interface KubeletCredentials {
  readonly certificate?: string;
  readonly key?: string;
  /** Without it kubelet certificates are not verified, as upstream. */
  readonly authority?: string;
}

/** Address types in order of preference (--kubelet-preferred-address-types). */
const preferredAddresses = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const usualPort = 10_250;

export function kubeletOf(node: Node, credentials: KubeletCredentials): Backend {
  const { addresses = [], daemonEndpoints } = node.status;
  const preferred = preferredAddresses.flatMap((type) =>
    addresses.filter((address) => address.type === type),
  )[0];
  if (!preferred) {
    const known = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new ApiError(500, '', `no preferred addresses found; known addresses: [${known}]`);
  }
  const port = String(daemonEndpoints.kubeletEndpoint.Port || usualPort);
  return { scheme: 'https', host: preferred.address, port, tls: tlsOf(credentials) };
}

function tlsOf({ certificate, key, authority }: KubeletCredentials): ConnectionOptions {
  return {
    ...(certificate !== undefined && key !== undefined && { cert: certificate, key }),
    ...(authority === undefined ? { rejectUnauthorized: false } : { ...serverVerification, ca: authority }),
  };
}
