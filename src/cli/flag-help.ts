// The list of flags in the output of `--help`, with their defaults.
import { type Flag, withDashes } from './flags.ts';

export function flagHelp<Settings>(flags: readonly Flag<Settings>[], defaults: Settings): string[] {
  return [
    '',
    'Flags:',
    ...flags.flatMap((flag) => {
      const shorthand = flag.short ? `, -${flag.short}` : '';
      const defaultValue = flag.format(defaults);
      const defaultNote = defaultValue === '' ? '' : ` (default ${defaultValue})`;
      return [
        `  ${withDashes(flag)}${shorthand} ${flag.placeholder}`.trimEnd(),
        `      ${stageNote(flag)}${deprecationNote(flag)}${flag.about}${defaultNote}`,
      ];
    }),
  ];
}

function stageNote<Settings>({ stage }: Flag<Settings>): string {
  return stage === undefined ? '' : `[${stage}] `;
}

function deprecationNote<Settings>({ deprecated }: Flag<Settings>): string {
  return deprecated === undefined ? '' : `deprecated, ${deprecated.advice}: `;
}
