// Flags and arguments of `orch auth`.

import { clusterFlags, textFlag } from '../cluster/cluster-flags.ts';
import type { ClusterSettings } from '../cluster/resolve-access.ts';
import { CommandError } from '../command.ts';
import { type Flag, parseFlags } from '../flags.ts';
import { type OutputSettings, outputDefaults, textOutputFlag } from '../output.ts';

export interface AuthSettings extends ClusterSettings, OutputSettings {
  readonly namespace?: string;
  readonly subresource?: string;
  /** Impersonation; the server must allow it. */
  readonly as?: string;
  readonly asGroups?: readonly string[];
  readonly list: boolean;
}

export const authDefaults: AuthSettings = { list: false, ...outputDefaults };

export const authFlags: readonly Flag<AuthSettings>[] = [
  textFlag<AuthSettings>(
    'namespace',
    'NAMESPACE',
    'namespace to check; by default the namespace of the context',
    {
      short: 'n',
    },
  ),
  textFlag<AuthSettings>('subresource', 'NAME', 'subresource to check, such as log or status'),
  {
    name: 'list',
    isSwitch: true,
    placeholder: '',
    about: 'can-i: list all allowed actions in the namespace',
    parse: (value) => ({ list: value === 'true' }),
    format: () => '',
  },
  textFlag<AuthSettings>('as', 'USER', 'can-i: impersonate this user'),
  {
    name: 'as-group',
    placeholder: 'GROUP',
    about: 'can-i: impersonate this group; may be repeated',
    parse: (value, { asGroups = [] }) => ({ asGroups: [...asGroups, value] }),
    format: () => '',
  },
  textOutputFlag<AuthSettings>(),
  ...(clusterFlags as readonly Flag<AuthSettings>[]),
];

export interface AuthArgs {
  readonly settings: AuthSettings;
  readonly verb: string;
  /** `pods`, `pods/web`, `deployments.apps`, or a path: `/metrics`. */
  readonly target: string;
}

export function readAuthArgs(action: string, args: readonly string[]): AuthArgs {
  const { settings: parsed, positional } = parseFlags(authFlags, args);
  const settings = { ...authDefaults, ...parsed };
  const [verb = '', target = ''] = positional;
  // --list takes no positional argument, a check takes VERB and RESOURCE.
  const unexpected = settings.list ? positional[0] : positional[2];
  if (unexpected !== undefined) {
    throw new CommandError(`unexpected argument ${JSON.stringify(unexpected)}`);
  }
  if (!settings.list && (verb === '' || target === '')) {
    throw new CommandError(
      `VERB and RESOURCE are required: orch auth ${action} VERB RESOURCE, for example orch auth ${action} get pods -n shop`,
    );
  }
  if (settings.asGroups && settings.as === undefined) {
    throw new CommandError('--as-group requires --as USER');
  }
  return { settings, verb, target };
}
