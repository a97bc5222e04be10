// Opens the plain HTTP and the HTTPS listener, and returns their URLs.
import { once } from 'node:events';
import { createServer } from 'node:net';
import { publicAddress } from '../controllers/kubernetesservice/kubernetes-service.ts';
import type { HttpServer } from '../http/http-server.ts';
import type { TlsMaterial } from '../http/listeners/listener.ts';
import type { ServerCertificates } from './certificates.ts';
import type { ServerOptions } from './options.ts';

/**
 * Listens on loopback only: requests without credentials are served there. Undefined if the options disable it. `reusePort`: several
 * threads listen on the port.
 */
export async function openPlainListener(
  http: HttpServer,
  { httpPort }: ServerOptions,
  reusePort = false,
): Promise<string | undefined> {
  if (httpPort === undefined) return undefined;
  const { port } = await http.listenPlain('127.0.0.1', httpPort, reusePort);
  return `http://127.0.0.1:${port}`;
}

/** Throws if another program listens on a port: threads that share a port would not notice. */
export async function assertPortsFree({ httpPort, securePort, bindAddress }: ServerOptions): Promise<void> {
  if (httpPort) await assertPortFree('127.0.0.1', httpPort);
  if (securePort) await assertPortFree(bindAddress, securePort);
}

async function assertPortFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  probe.listen(port, host);
  await once(probe, 'listening');
  probe.close();
  await once(probe, 'close');
}

/** `proxyCa`: the CA of front proxies, whose client certificates the listener accepts too. */
export async function openSecureListener(
  http: HttpServer,
  options: ServerOptions,
  certificates: ServerCertificates,
  proxyCa = '',
  reusePort = false,
): Promise<string> {
  const { bindAddress, securePort = 0 } = options;
  const tls = tlsMaterial(certificates, proxyCa);
  const { port } = await http.listenSecure(bindAddress, securePort, tls, reusePort);
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
