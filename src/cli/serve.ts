// `orch serve`: runs a production server, with kube-apiserver's defaults.
import { join } from 'node:path';
import { orchVersion } from '../base/version.ts';
import type { Command } from './command.ts';
import { groupedFlagHelp } from './flag-help.ts';
import { gateHelp } from './gate-help.ts';
import { serverFlagGroups, serverFlags } from './server-flags.ts';
import { parseServerOptions, serveDefaults } from './server-options.ts';

export const serve: Command = {
  name: 'serve',
  usage: '[FLAGS]',
  about: 'run a production server: HTTPS only, stable API versions',
  flags: serverFlags,
  help: () => [
    'Runs a production server: HTTPS only, only health and version for anonymous requests, and the API versions that the',
    'release serves by default. The data directory holds a kubeconfig for the cluster admin.',
    ...groupedFlagHelp(serverFlagGroups, serveDefaults),
    ...gateHelp(),
  ],
  async run(args, terminal) {
    const startMs = performance.now();
    const options = parseServerOptions(serverFlags, serveDefaults, args, (warning) => terminal.err(warning));
    const kubeconfig = join(options.dataDir, 'kubeconfig');
    // Loaded lazily, so that help and version load neither database nor TLS.
    const { runUntilStopped } = await import('./run-until-stopped.ts');
    return runUntilStopped(options, kubeconfig, terminal, (server) => {
      const milliseconds = Math.round(performance.now() - startMs);
      terminal.out(
        `Orch ${orchVersion} ready in ${milliseconds} ms on ${server.secureUrl}, dialect ${options.dialect}, kubeconfig ${kubeconfig}`,
      );
    });
  },
};
