// Opens the plain HTTP and HTTPS listeners.
import { publicAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { ServerOptions } from './options.ts';
import type { ServerCertificates } from './secure.ts';

export async function openPlainListener(
  http: HttpServer,
  { httpPort }: ServerOptions,
): Promise<string | undefined> {
  if (httpPort === undefined) return undefined;
  const { port } = await http.listenPlain('127.0.0.1', httpPort);
  return `http://127.0.0.1:${port}`;
}

export async function openSecureListener(
  http: HttpServer,
  options: ServerOptions,
  certificates: ServerCertificates,
  proxyCa = '',
): Promise<string> {
  const { certificate, key } = certificates.serving;
  const { bindAddress, securePort = 0 } = options;
  const clientCa = `${certificates.clientCa}\n${proxyCa}`;
  const { port } = await http.listenSecure(bindAddress, securePort, { certificate, key, clientCa });
  return `https://${bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress}:${port}`;
}

/** The URL at which other machines reach the HTTPS listener. */
export function publicSecureUrl(
  { bindAddress }: ServerOptions,
  secureUrl: string | undefined,
): string | undefined {
  if (secureUrl === undefined) return undefined;
  const url = new URL(secureUrl);
  const address = publicAddress(bindAddress);
  if (address !== undefined) url.hostname = address.includes(':') ? `[${address}]` : address;
  return url.origin;
}
