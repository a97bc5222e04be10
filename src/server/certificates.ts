// The certificates of the server: its CA, the serving certificate, the admin's and the front proxy's client certificates.
import { hostname } from 'node:os';
import { assignableRange } from '../base/cidr.ts';
import type { Clock } from '../base/clock.ts';
import { formatIp } from '../base/ip-address.ts';
import { advertisedAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import type { Dialect } from '../dialect/index.ts';
import type { KeyPair } from '../pki/certificates.ts';
import { ClusterSigner } from '../pki/cluster-signer.ts';
import {
  ensurePki,
  ensureProxyPki,
  frontProxyCommonName,
  type Pki,
  type ProxyPki,
} from '../pki/ensure-pki.ts';
import { readCABundle, readServingFiles } from '../pki/serving-files.ts';
import { mastersGroup } from '../request/authenticator.ts';
import type { ServerOptions } from './options.ts';
import type { ServerProxyIdentity } from './request-header-config.ts';
import { serviceRanges } from './service-ranges.ts';

export interface ServerCertificates {
  readonly pki: Pki;
  readonly serving: KeyPair;
  /** CAs of client certificates, PEM: the server's own and the user's. */
  readonly clientCa: string;
  /** The client certificate for aggregated API servers. */
  readonly proxy: KeyPair;
  /** `proxy` and its CA; undefined if the options name the certificate. */
  readonly proxyPki: ProxyPki | undefined;
}

/** Reads the certificates that the options name, and creates the others. `current`: those of a server that runs. */
export async function loadCertificates(
  options: ServerOptions,
  dialect: Dialect,
  clock: Clock,
  current?: ServerCertificates,
): Promise<ServerCertificates> {
  const { tlsCertFile, tlsPrivateKeyFile, clientCaFile } = options;
  const pki = await ensurePki({
    dir: options.certDir,
    serverName: dialect.serverName,
    hostNames: servingNames(options, dialect),
    admin: { user: 'admin', groups: [mastersGroup] },
    now: clock.now(),
    current: current?.pki,
  });
  const serving =
    tlsCertFile !== undefined && tlsPrivateKeyFile !== undefined
      ? await readServingFiles(tlsCertFile, tlsPrivateKeyFile)
      : pki.serving;
  const configuredCas = clientCaFile === undefined ? '' : await readCABundle(clientCaFile);
  const clientCa = `${pki.ca.certificate}\n${configuredCas}`;
  return { pki, serving, clientCa, ...(await loadProxyCertificate(options, dialect, clock, current)) };
}

/** The server's own identity as a front proxy; undefined if the options name its certificate. */
export const proxyIdentityOf = ({ proxyPki }: ServerCertificates): ServerProxyIdentity | undefined =>
  proxyPki && { authority: proxyPki.ca.certificate, name: frontProxyCommonName };

async function loadProxyCertificate(
  { proxyClientCertFile, proxyClientKeyFile, certDir }: ServerOptions,
  { serverName }: Dialect,
  clock: Clock,
  current: ServerCertificates | undefined,
): Promise<Pick<ServerCertificates, 'proxy' | 'proxyPki'>> {
  if (proxyClientCertFile !== undefined && proxyClientKeyFile !== undefined) {
    return { proxy: await readServingFiles(proxyClientCertFile, proxyClientKeyFile), proxyPki: undefined };
  }
  const now = clock.now();
  const proxyPki = await ensureProxyPki({ dir: certDir, serverName, now, current: current?.proxyPki });
  return { proxy: proxyPki.client, proxyPki };
}

/** The signer of CertificateSigningRequests, with the configured CA or else the server's own; undefined without either. */
export async function createClusterSigner(
  options: ServerOptions,
  certificates: ServerCertificates | undefined,
) {
  const { clusterSigningCertFile: certificate, clusterSigningKeyFile: key, clusterSigningDuration } = options;
  const ca =
    certificate !== undefined && key !== undefined
      ? await readServingFiles(certificate, key)
      : certificates?.pki.ca;
  return ca && new ClusterSigner(ca, clusterSigningDuration);
}

/** Names and addresses in the serving certificate. */
function servingNames(options: ServerOptions, { apiServiceName }: Dialect): string[] {
  const { bindAddress, tlsSan } = options;
  const service = `${apiServiceName}.default`;
  const names = ['localhost', '127.0.0.1', '::1', hostname(), apiServiceName, service, `${service}.svc`];
  const isSpecificAddress = bindAddress !== '0.0.0.0' && bindAddress !== '::';
  if (isSpecificAddress) names.push(bindAddress);
  const { address, isLocal } = advertisedAddress(options);
  if (address !== undefined && !isLocal) names.push(address);
  // The cluster IPs of the server's Service.
  for (const range of serviceRanges(options).clusterIps) {
    names.push(formatIp({ family: range.family, value: assignableRange(range).first }));
  }
  return [...new Set([...names, ...tlsSan])];
}
