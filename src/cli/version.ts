// `orch version`: prints the versions of Orch, of the API and of Node.js.
import { apiRelease } from '../base/release.ts';
import { orchVersion } from '../base/version.ts';
import { type Command, CommandError } from './command.ts';
import { flagHelp } from './flag-help.ts';
import { parseFlags } from './flags.ts';
import { type OutputSettings, outputDefaults, printDocument, textOutputFlag } from './output.ts';

const flags = [textOutputFlag<OutputSettings>()];

export const version: Command = {
  name: 'version',
  usage: '[-o text|json|yaml]',
  about: 'print the version',
  flags,
  help: () => [
    'Prints the version of Orch, the Kubernetes release whose API it has, and the version of Node.js.',
    ...flagHelp(flags, outputDefaults),
  ],
  async run(args, terminal) {
    const { settings, positional } = parseFlags(flags, args);
    if (positional.length > 0) throw new CommandError(`unexpected argument ${JSON.stringify(positional[0])}`);
    const { output } = { ...outputDefaults, ...settings };
    const { platform, arch, versions } = process;
    const versionOf = {
      orch: orchVersion,
      kubernetes: apiRelease,
      node: versions.node,
      platform: `${platform}/${arch}`,
    };
    if (output === 'text') {
      terminal.out(
        `orch ${versionOf.orch} (Kubernetes ${versionOf.kubernetes}, node ${versionOf.node}, ${versionOf.platform})`,
      );
    } else await printDocument(terminal, output, versionOf);
    return 0;
  },
};
