// The backend of requests to a kubelet: address, port and TLS of its node.
import type { ConnectionOptions } from 'node:tls';
import type { Node } from '../../apis/core/node.ts';
import { ApiError } from '../../errors/status.ts';
import { serverVerification } from '../../pki/ca-bundle.ts';
import type { Backend } from '../../transport/proxy/backend.ts';

/** The client certificate for kubelets and the CA that signs theirs, as PEM. */
export interface KubeletCredentials {
  readonly certificate?: string;
  readonly key?: string;
  /** Absent: kubelet certificates are not verified, as upstream. */
  readonly caBundle?: string;
}

/** Address types in order of preference (--kubelet-preferred-address-types). */
const preferredAddresses = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'];
const defaultPort = 10_250;

/** The fields of a Node that locate its kubelet. */
export interface NodeAddress {
  readonly status: Pick<Node['status'], 'addresses' | 'daemonEndpoints'>;
}

/** Throws 500 if the node has no address of a preferred type. */
export function kubeletBackend(node: NodeAddress, credentials: KubeletCredentials): Backend {
  const { addresses = [], daemonEndpoints } = node.status;
  const preferred = preferredAddresses.flatMap((type) =>
    addresses.filter((address) => address.type === type),
  )[0];
  if (!preferred) {
    const addressList = addresses.map(({ type, address }) => `{${type} ${address}}`).join(' ');
    throw new ApiError(500, '', `no preferred addresses found; known addresses: [${addressList}]`);
  }
  const port = String(daemonEndpoints.kubeletEndpoint.Port || defaultPort);
  return { scheme: 'https', host: preferred.address, port, tls: tlsOptions(credentials) };
}

function tlsOptions({ certificate, key, caBundle }: KubeletCredentials): ConnectionOptions {
  return {
    ...(certificate !== undefined && key !== undefined && { cert: certificate, key }),
    ...(caBundle === undefined ? { rejectUnauthorized: false } : { ...serverVerification, ca: caBundle }),
  };
}
