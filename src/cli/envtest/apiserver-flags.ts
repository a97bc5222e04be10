// Translates the flags that envtest and similar launchers pass to kube-apiserver to those of `orch serve`.
import { join } from 'node:path';
import { CommandError } from '../command.ts';

/** What the translation needs to know about a flag of `orch serve`. */
export interface KnownFlag {
  readonly name: string;
  readonly isSwitch?: boolean;
  /** Throws CommandError for an invalid value. */
  parse(text: string, previous: object): unknown;
}

export interface TranslatedFlags {
  /** The flags of `orch serve`. */
  readonly flags: readonly string[];
  /** Flags that Orch does not have, and elements of lists that it does not know: `name`, `name=element`. */
  readonly ignored: readonly string[];
  /** The folder for certificates, if it is given. */
  readonly certDir: string | undefined;
  /** Whether a serving certificate is given. */
  readonly hasServingCertificate: boolean;
}

/** Flags without meaning here: Orch stores its objects itself, and has no insecure port. */
const withoutMeaning = new Set([
  'etcd-servers',
  'etcd-cafile',
  'etcd-certfile',
  'etcd-keyfile',
  'etcd-prefix',
  'insecure-port',
  'insecure-bind-address',
]);

/** Flags whose unknown elements are left out: modes and plugins of kube-apiserver that Orch does not have. */
const lenientLists = new Set(['authorization-mode', 'enable-admission-plugins', 'disable-admission-plugins']);

/**
 * Memory storage, and the controllers whose absence users of envtest notice first. Suites that finalize a deleted namespace themselves
 * have half a second for it. Flags of the launcher override them.
 */
const defaults = [
  '--dialect=kubernetes',
  '--storage=memory',
  '--controllers=namespace-controller,garbage-collector-controller',
  '--namespace-deletion-delay=500ms',
];

/** Flags that `orch serve` does not have are left out, and named in the result. */
export function translateFlags(args: readonly string[], known: readonly KnownFlag[]): TranslatedFlags {
  const given = readFlags(args, known);
  const storesInEtcd = given.some(({ name, value }) => name === 'storage' && value === 'etcd');
  const isDropped = ({ name }: GivenFlag) =>
    name === 'cert-dir' || (withoutMeaning.has(name) && !storesInEtcd);
  const ignored = new Set<string>();
  const kept = given
    .filter((flag) => !isDropped(flag))
    .flatMap(({ name, value }) => {
      const flag = known.find((candidate) => candidate.name === name);
      if (!flag) ignored.add(name);
      if (!flag || !lenientLists.has(name)) return flag ? [{ name, value }] : [];
      const elements = value.split(',');
      const supported = elements.filter((element) => isValid(flag, element));
      for (const element of elements) if (!supported.includes(element)) ignored.add(`${name}=${element}`);
      return supported.length > 0 ? [{ name, value: supported.join(',') }] : [];
    });
  const certDir = given.findLast(({ name }) => name === 'cert-dir')?.value;
  return {
    flags: [
      ...defaults,
      ...(certDir === undefined ? [] : ownFolders(certDir)),
      ...kept.map(({ name, value }) => `--${name}=${value}`),
    ],
    ignored: [...ignored],
    certDir,
    hasServingCertificate: given.some(({ name }) => name === 'tls-cert-file'),
  };
}

function isValid({ parse }: KnownFlag, value: string): boolean {
  try {
    parse(value, {});
    return true;
  } catch (error) {
    if (error instanceof CommandError) return false;
    throw error;
  }
}

/** Orch's own files must not replace those of the launcher. */
const ownFolders = (certDir: string) => [
  `--data-dir=${join(certDir, 'orch')}`,
  `--cert-dir=${join(certDir, 'orch', 'pki')}`,
];

interface GivenFlag {
  readonly name: string;
  readonly value: string;
}

/** `--name=value`, `--name value` and `--switch`. */
function readFlags(args: readonly string[], known: readonly KnownFlag[]): GivenFlag[] {
  const flags: GivenFlag[] = [];
  for (let index = 0; index < args.length; index++) {
    const [, name, attached] = /^--?([^=]+)(?:=(.*))?$/s.exec(args[index]!) ?? [];
    if (name === undefined) continue;
    const next = args[index + 1];
    const isSwitch = known.find((flag) => flag.name === name)?.isSwitch ?? false;
    // The next word is the value of an unknown flag unless it looks like a flag.
    const takesNext = attached === undefined && !isSwitch && next !== undefined && !next.startsWith('-');
    if (takesNext) index++;
    flags.push({ name, value: attached ?? (takesNext ? next : 'true') });
  }
  return flags;
}
