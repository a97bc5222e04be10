// `orch envtest`: a folder of programs for envtest and similar launchers, in which kube-apiserver is Orch.
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { orchVersion } from '../base/version.ts';
import { versionInfo } from '../http/endpoints/version.ts';
import { type Command, CommandError, type Terminal } from './command.ts';
import { writeAssets } from './envtest/assets.ts';
import { flagHelp } from './flag-help.ts';
import { controllers } from './flag-values.ts';
import { type Flag, parseFlags } from './flags.ts';
import { type OutputSettings, outputDefaults, printDocument, textOutputFlag } from './output.ts';
import { explainFileError } from './start-failure.ts';
import { thisProgram } from './this-program.ts';

interface EnvtestSettings extends OutputSettings {
  readonly out: string;
  /** Undefined: those of namespaces and garbage. */
  readonly controllers: readonly string[] | undefined;
}

const defaults: EnvtestSettings = {
  out: join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'orch', 'envtest'),
  controllers: undefined,
  ...outputDefaults,
};

const flags: readonly Flag<EnvtestSettings>[] = [
  {
    name: 'out',
    placeholder: 'DIR',
    about: 'the folder to write',
    parse: (out) => ({ out }),
    format: ({ out }) => out,
  },
  {
    name: 'controllers',
    placeholder: controllers.placeholder,
    about: 'the controllers that kube-apiserver of the folder runs; -* disables all',
    parse: (text) => ({ controllers: controllers.parse(text) }),
    format: (settings) => (settings.controllers ? controllers.format(settings.controllers) : ''),
  },
  textOutputFlag<EnvtestSettings>(),
];

export const envtest: Command = {
  name: 'envtest',
  usage: '[--out DIR] [--controllers NAMES]',
  about: 'write a KUBEBUILDER_ASSETS folder in which kube-apiserver is Orch',
  flags,
  help: () => [
    'Writes the programs that envtest (controller-runtime) and similar launchers start, and prints their folder:',
    '',
    '  export KUBEBUILDER_ASSETS=$(orch envtest)',
    '',
    'kube-apiserver is Orch: Kubernetes dialect, memory storage, and the controllers that delete namespaces and garbage,',
    'unless --controllers names others. etcd only reports that it is healthy. kubectl is linked if it is installed. Flags',
    'of kube-apiserver that Orch does not have are ignored with a warning; --storage lmdb stores on disk.',
    ...flagHelp(flags, defaults),
  ],
  async run(args, terminal) {
    const [program, ...rest] = args;
    if (program === 'kube-apiserver' || program === 'etcd') return runProgram(program, rest, terminal);
    const { settings, positional } = parseFlags(flags, args);
    if (positional.length > 0) throw new CommandError(`unexpected argument ${JSON.stringify(positional[0])}`);
    const { out, output, controllers: requested } = { ...defaults, ...settings };
    const folder = resolve(out);
    const apiServerFlags = requested ? [`--controllers=${controllers.format(requested)}`] : [];
    const { hasKubectl } = write(folder, apiServerFlags);
    if (!hasKubectl) terminal.err('kubectl is not in PATH: the folder has none, and most tests need none');
    if (output === 'text') terminal.out(folder);
    else await printDocument(terminal, output, { folder, hasKubectl });
    return 0;
  },
};

function write(folder: string, apiServerFlags: readonly string[]): { hasKubectl: boolean } {
  try {
    return writeAssets(folder, { program: thisProgram(), path: process.env.PATH ?? '', apiServerFlags });
  } catch (error) {
    throw explainFileError(error as Error);
  }
}

/** What the written programs do. Launchers ask for the release with --version, and for flags with --help, as any command. */
async function runProgram(
  program: 'kube-apiserver' | 'etcd',
  args: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (args.includes('--version')) {
    terminal.out(
      program === 'etcd' ? 'etcd Version: 3.6.0' : `Kubernetes ${versionInfo(orchVersion).gitVersion}`,
    );
    return 0;
  }
  if (program === 'etcd') return (await import('./envtest/run-etcd.ts')).runEtcd(args);
  return (await import('./envtest/run-apiserver.ts')).runApiServer(args, terminal);
}
