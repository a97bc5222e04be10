import type { Command } from './command.ts';

/** Kept equal to package.json's by a test, because the built program does not carry that file's text. */
export const orchVersion = '0.1.0';

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
