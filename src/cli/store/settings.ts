// Flags and arguments of `orch store`.
import { defaultOptions, type ServerOptions } from '../../server/options.ts';
import { CommandError } from '../command.ts';
import { type Flag, parseFlags } from '../flags.ts';
import { type OutputSettings, outputDefaults, textOutputFlag } from '../output.ts';
import { serverFlags } from '../server-flags.ts';

type EtcdOption = 'etcdServers' | 'etcdCafile' | 'etcdCertfile' | 'etcdKeyfile' | 'etcdPrefix';

export interface StoreSettings extends Pick<ServerOptions, EtcdOption>, OutputSettings {
  readonly force: boolean;
}

export const storeDefaults: StoreSettings = { ...defaultOptions, force: false, ...outputDefaults };

const output = textOutputFlag<StoreSettings>();

/** Of check and stat. */
export const checkFlags: readonly Flag<StoreSettings>[] = [output];

/** Of backup and restore. */
export const etcdFlags: readonly Flag<StoreSettings>[] = [
  output,
  etcdFlag('etcd-servers', 'backup, restore: etcd client URLs, instead of DIR'),
  etcdFlag('etcd-cafile'),
  etcdFlag('etcd-certfile'),
  etcdFlag('etcd-keyfile'),
  etcdFlag('etcd-prefix'),
];

export const storeFlags: readonly Flag<StoreSettings>[] = [
  ...etcdFlags,
  {
    name: 'force',
    isSwitch: true,
    placeholder: '',
    about: 'restore: replace existing data, which is deleted',
    parse: (value) => ({ force: value === 'true' }),
    format: () => '',
  },
];

/** The server flag of this name, which has the same meaning here. */
function etcdFlag(name: string, about?: string): Flag<StoreSettings> {
  const flag = serverFlags.find((candidate) => candidate.name === name)!;
  return {
    ...flag,
    about: about ?? flag.about,
    format: (settings) => flag.format({ ...defaultOptions, ...settings }),
  };
}

export interface StoreArgs {
  readonly settings: StoreSettings;
  readonly positional: readonly string[];
}

export function readStoreArgs(args: readonly string[]): StoreArgs {
  const { settings: parsed, positional } = parseFlags(storeFlags, args);
  const settings = { ...storeDefaults, ...parsed };
  if ((settings.etcdCertfile === undefined) !== (settings.etcdKeyfile === undefined))
    throw new CommandError('--etcd-certfile and --etcd-keyfile must be given together');
  return { settings, positional };
}
