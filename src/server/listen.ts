// Opens the plain HTTP and the HTTPS listener, and returns their URLs.
import { publicAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { TlsMaterial } from '../http/listeners/listener.ts';
import type { ServerCertificates } from './certificates.ts';
import type { ServerOptions } from './options.ts';

/** Listens on loopback only: requests without credentials are served there. Undefined if the options disable it. */
export async function openPlainListener(
  http: HttpServer,
  { httpPort }: ServerOptions,
): Promise<string | undefined> {
  if (httpPort === undefined) return undefined;
  const { port } = await http.listenPlain('127.0.0.1', httpPort);
  return `http://127.0.0.1:${port}`;
}

/** `proxyCa`: the CA of front proxies, whose client certificates the listener accepts too. */
export async function openSecureListener(
  http: HttpServer,
  options: ServerOptions,
  certificates: ServerCertificates,
  proxyCa = '',
): Promise<string> {
  const { bindAddress, securePort = 0 } = options;
  const { port } = await http.listenSecure(bindAddress, securePort, tlsMaterial(certificates, proxyCa));
  return `https://${urlHost(bindAddress)}:${port}`;
}

export const tlsMaterial = ({ serving, clientCa }: ServerCertificates, proxyCa = ''): TlsMaterial => ({
  ...serving,
  clientCa: `${clientCa}\n${proxyCa}`,
});

/** The URL at which other machines reach the HTTPS listener; undefined without one. */
export function publicSecureUrl(
  { bindAddress, advertiseAddress }: ServerOptions,
  secureUrl: string | undefined,
): string | undefined {
  if (secureUrl === undefined) return undefined;
  const url = new URL(secureUrl);
  const address = advertiseAddress ?? publicAddress(bindAddress);
  if (address !== undefined) url.hostname = urlHost(address);
  return url.origin;
}

/** IPv6 addresses are in brackets. */
function urlHost(address: string): string {
  return address.includes(':') ? `[${address}]` : address;
}
