// `orch envtest kube-apiserver`: Orch in the place of the kube-apiserver that envtest starts.
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { orchVersion } from '../../base/version.ts';
import { kubernetes } from '../../dialect/index.ts';
import { loadCertificates } from '../../server/certificates.ts';
import type { Terminal } from '../command.ts';
import { endWithParent } from '../end-with-parent.ts';
import { runUntilStopped } from '../run-until-stopped.ts';
import { serverFlags } from '../server-flags.ts';
import { parseServerOptions, serveDefaults } from '../server-options.ts';
import { translateFlags } from './apiserver-flags.ts';
import { takeOverEtcdHealth } from './etcd-health.ts';
import { flagValue } from './flag-value.ts';

export async function runApiServer(args: readonly string[], terminal: Terminal): Promise<number> {
  const etcd = flagValue(args, 'etcd-servers')?.split(',')[0];
  if (etcd !== undefined) await takeOverEtcdHealth(etcd);
  const { flags, ignored, certDir, hasServingCertificate } = translateFlags(args, serverFlags);
  if (ignored.length > 0) {
    const names = ignored.map((name) => `--${name}`).join(', ');
    terminal.err(`orch: ignored flags of kube-apiserver that Orch does not have: ${names}`);
  }
  const servingFiles =
    certDir !== undefined && !hasServingCertificate ? await ensureServingFiles(certDir, flags) : [];
  const options = parseServerOptions(serverFlags, serveDefaults, [...flags, ...servingFiles], (warning) =>
    terminal.err(warning),
  );
  endWithParent();
  return runUntilStopped(options, join(options.dataDir, 'kubeconfig'), terminal, ({ secureUrl }) => {
    terminal.out(`Orch ${orchVersion} ready on ${secureUrl}`);
  });
}

/**
 * The flags that name the serving certificate. As kube-apiserver, Orch takes `apiserver.crt` from the folder for certificates
 * if it is there, and creates it otherwise; the created file contains its CA, so that clients can trust the file.
 */
async function ensureServingFiles(certDir: string, flags: readonly string[]): Promise<string[]> {
  const [certificate, key] = [join(certDir, 'apiserver.crt'), join(certDir, 'apiserver.key')];
  if (!existsSync(certificate) || !existsSync(key)) {
    const options = parseServerOptions(serverFlags, serveDefaults, flags);
    const { pki } = await loadCertificates(options, kubernetes, systemClock);
    await writeFile(certificate, `${pki.serving.certificate}\n${pki.ca.certificate}`);
    await writeFile(key, pki.serving.key, { mode: 0o600 });
  }
  return [`--tls-cert-file=${certificate}`, `--tls-private-key-file=${key}`];
}
