// `orch version`: prints the versions of Orch, of the API and of Node.js.
import { apiRelease } from '../base/release.ts';
import { orchVersion } from '../base/version.ts';
import type { Command } from './command.ts';

export const version: Command = {
  name: 'version',
  usage: '',
  about: 'print the version',
  flags: [],
  help: () => [
    'Prints the version of Orch, the Kubernetes release whose API it has, and the version of Node.js.',
  ],
  async run(_args, terminal) {
    const { platform, arch, versions } = process;
    terminal.out(
      `orch ${orchVersion} (Kubernetes ${apiRelease}, node ${versions.node}, ${platform}/${arch})`,
    );
    return 0;
  },
};
