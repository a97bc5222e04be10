// API aggregation: the availability check of an APIService, with upstream's reasons and messages.
import type { OutgoingHttpHeaders } from 'node:http';
import type { APIServiceCondition } from '../apis/apiregistration/apiservice.ts';
import { quote } from '../errors/quote.ts';
import { authorityOf, type Backend } from '../transport/proxy/backend.ts';
import { ServiceResolutionError } from '../webhook/service-resolver.ts';
import type { RegisteredService } from './api-services.ts';
import { NoResponse, type RemoteParts, sendRemote } from './remote-request.ts';
import type { RemoteServer } from './remote-server.ts';

export type AvailabilityStatus = Pick<APIServiceCondition, 'status' | 'reason' | 'message'>;

/** Endpoints probed per check. The APIService is available if one of them responds. */
const maxProbes = 5;
const probeTimeoutMs = 5_000;

const available: AvailabilityStatus = { status: 'True', reason: 'Passed', message: 'all checks passed' };
const unavailable = (reason: string, message: string): AvailabilityStatus => ({
  status: 'False',
  reason,
  message,
});

/** Checks the Service in the store, then probes the discovery of the group version. */
export async function checkAvailability(
  parts: RemoteParts,
  { group, version, remote }: RegisteredService & { readonly remote: RemoteServer },
  headers: OutgoingHttpHeaders,
): Promise<AvailabilityStatus> {
  const problem = serviceUnavailability(parts, remote);
  if (problem) return problem;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  try {
    // Probes do not verify the certificate: each proxied request does.
    const backends = endpointsToProbe(parts, remote);
    await Promise.any(backends.map((backend) => probe(parts, backend, path, headers)));
    return available;
  } catch (error) {
    const [first] = error instanceof AggregateError ? (error.errors as Error[]) : [error as Error];
    if (!(first instanceof NoResponse || first instanceof ServiceResolutionError)) throw first;
    return unavailable('FailedDiscoveryCheck', first.message);
  }
}

/**
 * Checks the Service and its endpoints in the store, before any request is sent; undefined if they are usable. Of a
 * Service whose type is not ClusterIP only the existence is checked.
 */
function serviceUnavailability(
  { addresses }: RemoteParts,
  remote: RemoteServer,
): AvailabilityStatus | undefined {
  const { namespace, service: name, port } = remote;
  const service = addresses.findService(namespace, name);
  const serviceText = `service/${name} in ${quote(namespace)}`;
  if (!service) return unavailable('ServiceNotFound', `${serviceText} is not present`);
  if (service.spec.type !== 'ClusterIP') return undefined;
  const servicePort = service.spec.ports?.find((candidate) => candidate.port === port);
  if (!servicePort) return unavailable('ServicePortError', `${serviceText} is not listening on port ${port}`);
  if (!addresses.hasEndpoints(namespace, name)) {
    return unavailable('EndpointsNotFound', `cannot find endpoints for ${serviceText}`);
  }
  const portName = servicePort.name ?? '';
  if (addresses.readyEndpoints(namespace, name, portName).length > 0) return undefined;
  return unavailable(
    'MissingEndpoints',
    `endpoints for ${serviceText} have no addresses with port name ${quote(portName)}`,
  );
}

/** Up to `maxProbes` different endpoints. Throws ServiceResolutionError. */
function endpointsToProbe(parts: RemoteParts, remote: RemoteServer): Backend[] {
  const clientCertificate = parts.clientCertificate();
  const { namespace, service: name, port, serverName } = remote;
  const tls = {
    servername: serverName,
    rejectUnauthorized: false,
    ...(clientCertificate && { cert: clientCertificate.certificate, key: clientCertificate.key }),
  };
  const backends = new Map<string, Backend>();
  for (let attempt = 0; attempt < maxProbes; attempt++) {
    // Picks a ready endpoint at random, so the same one may come up again.
    const { host, port: endpointPort } = parts.addresses.resolve({ namespace, name, port });
    const backend: Backend = { scheme: 'https', host, port: String(endpointPort), tls };
    backends.set(authorityOf(backend), backend);
  }
  return [...backends.values()];
}

/** Resolves if the endpoint responds with a 2xx status; throws NoResponse otherwise. */
async function probe(
  { clock }: RemoteParts,
  backend: Backend,
  path: string,
  headers: OutgoingHttpHeaders,
): Promise<void> {
  const authority = authorityOf(backend);
  const url = `https://${authority}${path}`;
  const probeError = (reason: string) => new NoResponse(`failing or missing response from ${url}: ${reason}`);
  const request = {
    path,
    headers: { host: authority, ...headers },
    timeoutMs: probeTimeoutMs,
    maxResponseBytes: 0,
  };
  const { code } = await sendRemote(backend, request, clock).catch((error: Error) => {
    throw probeError(`Get ${quote(url)}: ${error.message}`);
  });
  if (code < 200 || code >= 300) throw probeError(`bad status from ${url}: ${code}`);
}
