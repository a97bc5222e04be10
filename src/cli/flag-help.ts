// The list of flags in the output of `--help`, with their defaults.
import { type Flag, spelled } from './flags.ts';

export function flagHelp<Settings>(flags: readonly Flag<Settings>[], defaults: Settings): string[] {
  return [
    '',
    'Flags:',
    ...flags.flatMap((flag) => {
      const value = flag.format(defaults);
      return [
        `  ${spelled(flag)}${flag.short ? `, -${flag.short}` : ''} ${flag.placeholder}`.trimEnd(),
        `      ${prefix(flag)}${flag.about}${value === '' ? '' : ` (default ${value})`}`,
      ];
    }),
  ];
}

function prefix<Settings>({ stage, deprecated }: Flag<Settings>): string {
  return `${stage === undefined ? '' : `[${stage}] `}${deprecated === undefined ? '' : `deprecated, ${deprecated.advice}: `}`;
}
