// Flags in `--help`, with their defaults.
import { type Flag, spelled } from './flags.ts';

export function flagHelp<Settings>(flags: readonly Flag<Settings>[], defaults: Settings): string[] {
  return [
    '',
    'Flags:',
    ...flags.flatMap((flag) => {
      const value = flag.show(defaults);
      return [
        `  ${spelled(flag)}${flag.short ? `, -${flag.short}` : ''} ${flag.placeholder}`.trimEnd(),
        `      ${remark(flag)}${flag.about}${value === '' ? '' : ` (default ${value})`}`,
      ];
    }),
  ];
}

function remark<Settings>({ stage, deprecated }: Flag<Settings>): string {
  return `${stage === undefined ? '' : `[${stage}] `}${deprecated === undefined ? '' : `deprecated, ${deprecated.advice}: `}`;
}
