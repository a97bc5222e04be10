// The flags --kubeconfig, --context and --server, as in kubectl.
import { CommandError } from '../command.ts';
import type { Flag } from '../flags.ts';
import type { ClusterSettings } from './resolve-access.ts';

/** The names of the settings whose value is a text. */
type TextSetting<Settings> = {
  [Name in keyof Settings & string]-?: string extends Settings[Name] ? Name : never;
}[keyof Settings & string];

/** A flag with a non-empty value. */
export function textFlag<Settings>(
  name: TextSetting<Settings>,
  placeholder: string,
  about: string,
  options: { readonly short?: string; readonly flag?: string } = {},
): Flag<Settings> {
  return {
    name: options.flag ?? name,
    ...(options.short !== undefined && { short: options.short }),
    placeholder,
    about,
    parse(value) {
      if (value === '') throw new CommandError('must not be empty');
      return { [name]: value } as Partial<Settings>;
    },
    format: () => '',
  };
}

export const clusterFlags: readonly Flag<ClusterSettings>[] = [
  textFlag<ClusterSettings>(
    'kubeconfig',
    'FILE',
    'kubeconfig to use; by default $KUBECONFIG, .orch/kubeconfig or ~/.kube/config',
  ),
  textFlag<ClusterSettings>('context', 'NAME', 'kubeconfig context to use; by default the current context'),
  textFlag<ClusterSettings>(
    'server',
    'URL',
    'URL of a server that needs no credentials, instead of a kubeconfig',
    { short: 's' },
  ),
];
