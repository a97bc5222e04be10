// `orch dev` and `npm start`: runs a development server that needs no configuration.
import { join } from 'node:path';
import { orchVersion } from '../base/version.ts';
import type { Command } from './command.ts';
import { groupedFlagHelp } from './flag-help.ts';
import { gateHelp } from './gate-help.ts';
import { httpPort, serverFlagGroups, serverFlags } from './server-flags.ts';
import { devDefaults, parseServerOptions } from './server-options.ts';

const flags = [httpPort, ...serverFlags];

export const dev: Command = {
  name: 'dev',
  usage: '[FLAGS]',
  about: 'run a development server without any configuration',
  flags,
  help: () => [
    'Runs a development server: plain HTTP on loopback where every request runs as cluster admin, HTTPS, all API versions,',
    'data and a kubeconfig in the data directory. Ctrl-C stops the server and keeps the data.',
    ...groupedFlagHelp([{ title: 'Plain HTTP', flags: [httpPort] }, ...serverFlagGroups], devDefaults),
    ...gateHelp(),
  ],
  async run(args, terminal) {
    const startMs = performance.now();
    const options = parseServerOptions(flags, devDefaults, args, (warning) => terminal.err(warning));
    const kubeconfig = join(options.dataDir, 'kubeconfig');
    // Loaded lazily, so that help and version load neither database nor TLS.
    const { runUntilStopped } = await import('./run-until-stopped.ts');
    return runUntilStopped(options, kubeconfig, terminal, (server) => {
      const milliseconds = Math.round(performance.now() - startMs);
      const dataLocation =
        options.storage === 'memory' ? 'data in memory only' : `data in ${options.dataDir}`;
      terminal.out(
        `Orch ${orchVersion} ready in ${milliseconds} ms, dialect ${options.dialect}, ${dataLocation}`,
      );
      if (options.httpPort !== undefined) {
        terminal.out(`  http     ${server.url}    cluster admin without credentials, loopback only`);
      }
      if (options.console && options.httpPort !== undefined) {
        terminal.out(`  console  ${server.url}/console/    the web console`);
      }
      terminal.out(`  https    ${server.secureUrl}   client certificate or token, see ${kubeconfig}`);
      if (options.httpPort !== undefined) terminal.out(`  try      curl ${server.url}/api/v1/namespaces`);
      // In the other dialect the groups and media types have names that kubectl does not know.
      terminal.out(
        options.dialect === 'kubernetes'
          ? `  try      kubectl --kubeconfig ${kubeconfig} get namespaces`
          : '  kubectl  and operators need the names of Kubernetes: --dialect kubernetes --data-dir .kubernetes',
      );
    });
  },
};
