// `orch envtest etcd`: answers the health check of launchers that start an etcd. It stores nothing: Orch needs no etcd.
import { createServer } from 'node:http';
import { endWithParent } from '../end-with-parent.ts';

const flag = '--listen-client-urls';

/** Resolves at a termination signal. */
export function runEtcd(args: readonly string[]): Promise<number> {
  const { hostname, port } = new URL(addressIn(args) ?? 'http://127.0.0.1:2379');
  endWithParent();
  return new Promise((resolve, reject) => {
    const server = createServer((_request, response) => response.end('{"health":"true"}'));
    server.once('error', reject);
    server.listen(Number(port), hostname.replace(/^\[(.*)\]$/, '$1'));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        server.closeAllConnections();
        server.close(() => resolve(0));
      });
    }
  });
}

/** The first URL to listen on. */
function addressIn(args: readonly string[]): string | undefined {
  const index = args.findIndex((word) => word === flag || word.startsWith(`${flag}=`));
  const value = args[index] === flag ? args[index + 1] : args[index]?.slice(flag.length + 1);
  return value?.split(',')[0];
}
