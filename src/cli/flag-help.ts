// The list of flags in the output of `--help`, with their defaults.
import { type Flag, type FlagGroup, withDashes } from './flags.ts';

/** As flagHelp, with a title for each subject. */
export const groupedFlagHelp = <Settings>(
  groups: readonly FlagGroup<Settings>[],
  defaults: Settings,
): string[] => groups.flatMap(({ title, flags }) => flagHelp(flags, defaults, title));

export function flagHelp<Settings>(
  flags: readonly Flag<Settings>[],
  defaults: Settings,
  title = 'Flags',
): string[] {
  if (flags.length === 0) return [];
  return [
    '',
    `${title}:`,
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
