// `orch envtest etcd`: answers the health check of launchers that start an etcd. It stores nothing: Orch needs no etcd.
import { endWithParent } from '../end-with-parent.ts';
import { serveEtcdHealth } from './etcd-health.ts';
import { flagValue } from './flag-value.ts';

/** Resolves at a termination signal. */
export async function runEtcd(args: readonly string[]): Promise<number> {
  endWithParent();
  const url = flagValue(args, 'listen-client-urls')?.split(',')[0] ?? 'http://127.0.0.1:2379';
  const server = await serveEtcdHealth(url, becomeShell);
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => {
        server.closeAllConnections();
        server.close(() => resolve(0));
      });
    }
  });
}

/** Waits for a termination signal or for the end of the parent. */
const waitScript = `
trap 'kill "$sleep"; exit 0' INT TERM
while kill -0 "$PPID"; do
  sleep 5 &
  sleep=$!
  wait "$sleep"
done`;

/**
 * The launcher expects this process to stay. Node would take 77 MB for that, a shell takes 1. Newer versions of Node can replace
 * their program.
 */
const becomeShell =
  'execve' in process
    ? () => process.execve!('/bin/sh', ['sh', '-c', `exec >/dev/null 2>&1${waitScript}`], process.env)
    : undefined;
