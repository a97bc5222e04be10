// The flag --output (-o): prints the result of a command as a JSON or YAML document instead of text for people.
import type { JsonValue } from '../codec/json/json-value.ts';
import { CommandError, type Terminal } from './command.ts';
import type { Flag } from './flags.ts';

export interface OutputSettings {
  readonly output: 'text' | 'json' | 'yaml';
}

export const outputDefaults: OutputSettings = { output: 'text' };

/** The first format is the default. */
export function outputFlag<Settings extends { readonly output: string }>(
  formats: readonly Settings['output'][],
  about = 'output format',
): Flag<Settings> {
  return {
    name: 'output',
    short: 'o',
    placeholder: formats.join('|'),
    about,
    parse(value) {
      const output = formats.find((format) => format === value);
      if (output === undefined)
        throw new CommandError(`${JSON.stringify(value)} is not one of ${formats.join(', ')}`);
      return { output } as Partial<Settings>;
    },
    format: ({ output }) => output,
  };
}

export const textOutputFlag = <Settings extends OutputSettings>() =>
  outputFlag<Settings>(['text', 'json', 'yaml']);

/** Prints a document. The encoder of YAML is loaded here, so that other commands do not load it. */
export async function printDocument(
  terminal: Terminal,
  output: 'json' | 'yaml',
  document: JsonValue,
): Promise<void> {
  if (output === 'json') {
    terminal.out(JSON.stringify(document, null, 2));
    return;
  }
  const { encodeYaml } = await import('../codec/yaml/encode.ts');
  terminal.out(encodeYaml(document).trimEnd());
}
