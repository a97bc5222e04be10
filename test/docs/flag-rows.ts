import type { Flag } from '../../src/cli/flags.ts';

/** The rows about flags of a page, and the expected ones. */
export const flagRows = {
  on: (page: string) =>
    page
      .replace(/ +\|/g, ' |')
      .split('\n')
      .filter((line) => line.startsWith('| `-')),

  of<Settings>(flags: readonly Flag<Settings>[], defaults: Settings): string[] {
    return flags.map((flag) => {
      const value = flag.format(defaults);
      const name = `--${flag.name}${flag.short === undefined ? '' : `, -${flag.short}`}`;
      const meaning = `${flag.about}${value === '' ? '' : ` (default ${value})`}`;
      return `| \`${`${name} ${flag.placeholder.replaceAll('|', '\\|')}`.trimEnd()}\` | ${meaning} |`;
    });
  },
};
