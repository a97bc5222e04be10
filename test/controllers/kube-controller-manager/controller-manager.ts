import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kubeconfig, writeKubeconfig } from '../../../src/cli/kubeconfig.ts';
import { end, freePorts, type StartedServer, type Undo } from '../../parity/servers.ts';

/** kube-controller-manager as with a kube-apiserver: every controller that is on by default, with leader election. */
export interface ControllerManager {
  log(): string;
  /** Its exit code, if it has exited by itself. */
  ended(): number | undefined;
  stop(): Promise<void>;
}

export async function startControllerManager(
  kit: string,
  server: StartedServer,
  undo: Undo,
  more: Readonly<Record<string, string>> = {},
): Promise<ControllerManager> {
  const program = join(
    execFileSync(join(kit, 'unpack'), { encoding: 'utf8' }).trim(),
    'kube-controller-manager',
  );
  const folder = await mkdtemp(join(tmpdir(), 'controllers-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const access = join(folder, 'kubeconfig');
  writeKubeconfig(
    access,
    kubeconfig({
      url: server.url.origin,
      caCertificate: readFileSync(server.authority, 'utf8'),
      credentials: { token: server.token },
    }),
  );
  const flags = {
    kubeconfig: access,
    'authentication-kubeconfig': access,
    'authorization-kubeconfig': access,
    'bind-address': '127.0.0.1',
    'secure-port': `${await freePorts(1)}`,
    'cert-dir': folder,
    // The requestheader CA is passed by a flag, as kubeadm does.
    'requestheader-client-ca-file': server.clientAuthority.certificate,
    'requestheader-allowed-names': 'front-proxy-client',
    'service-account-private-key-file': server.tokenKey,
    'root-ca-file': server.authority,
    'cluster-signing-cert-file': server.clientAuthority.certificate,
    'cluster-signing-key-file': server.clientAuthority.key,
    ...more,
  };
  const logFile = join(folder, 'log');
  const output = openSync(logFile, 'a');
  const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(program, words, { stdio: ['ignore', output, output] });
  closeSync(output);
  const stop = () => end(child);
  undo.unshift(stop);
  return { log: () => readFileSync(logFile, 'utf8'), ended: () => child.exitCode ?? undefined, stop };
}
