// `--config FILE`: flags of the server in a YAML or JSON file, by their names without dashes.
import { readFileSync } from 'node:fs';
import { isObject, type JsonValue } from '../codec/json/json-value.ts';
import { decodeYaml } from '../codec/yaml/decode.ts';
import { YamlError } from '../codec/yaml/yaml-error.ts';
import { CommandError } from './command.ts';
import { type Flag, parseFlags } from './flags.ts';
import { explainFileError } from './start-failure.ts';

export const configFlagName = 'config';

/** The file that the arguments name; undefined if there is none. */
export function configFileOf(args: readonly string[]): string | undefined {
  const flag = `--${configFlagName}`;
  const index = args.findIndex((arg) => arg === flag || arg.startsWith(`${flag}=`));
  if (index < 0) return undefined;
  return args[index] === flag ? args[index + 1] : args[index]!.slice(flag.length + 1);
}

/** The settings of a file. Lists and maps are those of the flags: `tls-san: [a, b]`, `feature-gates: { AllAlpha: true }`. */
export function readConfigFile<Settings>(flags: readonly Flag<Settings>[], file: string): Partial<Settings> {
  const content = readYaml(file);
  if (!isObject(content))
    throw new CommandError(`${file}: expected flags and their values, such as "secure-port: 6443"`);
  try {
    const args = Object.entries(content).map(([name, value]) => `--${name}=${toFlagValue(value)}`);
    return parseFlags(flags, args).settings;
  } catch (error) {
    throw error instanceof CommandError ? new CommandError(`${file}: ${error.message}`) : error;
  }
}

function readYaml(file: string): JsonValue {
  try {
    return decodeYaml(readFileSync(file)).value;
  } catch (error) {
    if (error instanceof YamlError) throw new CommandError(`${file}: ${error.message}`);
    throw explainFileError(error as Error);
  }
}

function toFlagValue(value: JsonValue): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  if (isObject(value))
    return Object.entries(value)
      .map(([key, item]) => `${key}=${item}`)
      .join(',');
  return value === null ? '' : String(value);
}
