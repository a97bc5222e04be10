// `orch version`: prints the versions of Orch and of Node.js.
import { orchVersion } from '../base/version.ts';
import type { Command } from './command.ts';

export const version: Command = {
  name: 'version',
  usage: '',
  about: 'print the version',
  help: () => ['Prints the version of Orch and of Node.js.'],
  async run(_args, terminal) {
    terminal.out(`orch ${orchVersion} (node ${process.versions.node}, ${process.platform}/${process.arch})`);
    return 0;
  },
};
