// The health endpoint of etcd, which launchers ask before they start kube-apiserver, and its handover to kube-apiserver.
import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';

/** A POST to this path makes `orch envtest etcd` close its port. Not a path of etcd, which answers with 404. */
const handoverPath = '/orch/handover';

const handoverTimeoutMs = 2_000;

/** Answers health checks at the URL. `onHandover` is called once the port is free again; without it, the port is kept. */
export async function serveEtcdHealth(url: string, onHandover?: () => void): Promise<Server> {
  const { hostname, port } = new URL(url);
  const server = createServer((incoming, response) => {
    if (incoming.method !== 'POST' || incoming.url !== handoverPath) return response.end('{"health":"true"}');
    if (!onHandover) return response.writeHead(404).end();
    response.shouldKeepAlive = false;
    server.close(onHandover);
    response.end(() => server.closeAllConnections());
  });
  server.listen(Number(port), hostname.replace(/^\[(.*)\]$/, '$1'));
  await once(server, 'listening');
  return server;
}

/** Takes the port of an `orch envtest etcd`, whose process then needs little memory. Does nothing to a real etcd. */
export async function takeOverEtcdHealth(url: string): Promise<void> {
  if (!url.startsWith('http://') || !(await isHandedOver(new URL(handoverPath, url)))) return;
  const server = await serveEtcdHealth(url);
  server.unref();
}

function isHandedOver(url: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const handover = request(url, { method: 'POST', agent: false, timeout: handoverTimeoutMs });
    let isAccepted = false;
    handover.once('response', (response) => {
      isAccepted = response.statusCode === 200;
      response.resume();
    });
    handover.once('timeout', () => handover.destroy());
    handover.once('error', () => {});
    // The port is free once the connection is closed.
    handover.once('close', () => resolve(isAccepted));
    handover.end();
  });
}
