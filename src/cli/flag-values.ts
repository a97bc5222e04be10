// The value types of server flags: parsing, formatting and the placeholder in `--help`.
import { isIP } from 'node:net';
import { pluginNames } from '../admission/plugins.ts';
import { type AuthorizationMode, authorizationModes } from '../auth/authorization-modes.ts';
import { parseCidr } from '../base/cidr.ts';
import { formatDuration, InvalidDuration, parseDuration } from '../base/duration.ts';
import { controllers as allControllers } from '../controllers/index.ts';
import { validateCanonicalCidr } from '../kind/meta/address-rules.ts';
import { nameIsSubdomain } from '../schema/names.ts';
import type { ServerOptions } from '../server/options.ts';
import { CommandError } from './command.ts';

/** The type of a flag's value. `parse` throws CommandError; `format` writes the default value in `--help`. */
export interface ValueType<T> {
  readonly placeholder: string;
  parse(text: string): T;
  format(value: T): string;
}

export const directory: ValueType<string> = { placeholder: 'DIR', parse: requireNonEmpty, format: String };
export const file: ValueType<string | undefined> = {
  placeholder: 'FILE',
  parse: requireNonEmpty,
  format: (path) => path ?? '',
};
export const address: ValueType<string> = { placeholder: 'ADDRESS', parse: requireNonEmpty, format: String };
export const ipAddress: ValueType<string | undefined> = {
  placeholder: 'IP',
  parse(text) {
    if (isIP(text) === 0) throw new CommandError(`${JSON.stringify(text)} is not an IP address`);
    return text;
  },
  format: (value) => value ?? '',
};
/** Subject alternative names of a certificate. */
export const hostNames: ValueType<readonly string[]> = {
  placeholder: 'NAME|IP,...',
  parse(text) {
    const hosts = text.split(',').map((part) => part.trim());
    for (const host of hosts) {
      if (isIP(host) === 0 && !isDnsName(host)) {
        throw new CommandError(`${JSON.stringify(host)} is neither an IP address nor a DNS name`);
      }
    }
    return hosts;
  },
  format: (values) => values.join(','),
};
/** Also with a wildcard as its first label. */
const isDnsName = (text: string) =>
  nameIsSubdomain(text.replace(/^\*\./, '').toLowerCase(), false).length === 0;
export const count: ValueType<number> = {
  placeholder: 'N',
  parse: (text) => parseWholeNumber(text, 1_000_000),
  format: String,
};
export const bytes: ValueType<number> = {
  placeholder: 'N',
  parse: (text) => parseWholeNumber(text, 999_999_999),
  format: String,
};
export const size: ValueType<number> = {
  placeholder: 'N',
  parse: (text) => parseWholeNumber(text, 999_999_999_999_999),
  format: String,
};
export const countOrAuto: ValueType<number | 'auto'> = {
  placeholder: 'auto|N',
  parse: (text) => (text === 'auto' ? text : parseWholeNumber(text, 64)),
  format: String,
};
export const duration: ValueType<number> = {
  placeholder: 'DURATION',
  parse: parseDurationFlag,
  format: formatDuration,
};

function parseDurationFlag(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw error instanceof InvalidDuration ? new CommandError(error.message) : error;
  }
}

/** 0 disables the listener. */
export const portOrOff: ValueType<number | undefined> = {
  placeholder: 'PORT',
  parse: (text) => parseWholeNumber(text, 65_535) || undefined,
  format: (port) => String(port ?? 0),
};

/** In the options, 0 picks a free port. */
export const port: ValueType<number | undefined> = {
  placeholder: 'PORT|auto',
  parse(text) {
    if (text === 'auto') return 0;
    const number = parseWholeNumber(text, 65_535);
    if (number === 0)
      throw new CommandError('must not be 0: HTTPS cannot be disabled; auto picks a free port');
    return number;
  },
  format: String,
};

export function choice<T extends string>(...values: readonly T[]): ValueType<T> {
  return {
    placeholder: values.join('|'),
    parse(text) {
      const value = values.find((candidate) => candidate === text);
      if (value === undefined)
        throw new CommandError(`${JSON.stringify(text)} is not one of ${values.join(', ')}`);
      return value;
    },
    format: String,
  };
}

/** `A=true,B=false`. A key without a value gets `bareValue`; if that is undefined, the key is rejected. */
export function boolMap(placeholder: string, bareValue?: true): ValueType<Readonly<Record<string, boolean>>> {
  return {
    placeholder,
    parse: (text) =>
      Object.fromEntries(
        text
          .split(',')
          .filter((pair) => pair.trim() !== '')
          .map(parsePair),
      ),
    format: (values) =>
      Object.entries(values)
        .map(([key, value]) => `${key}=${value}`)
        .join(','),
  };

  function parsePair(pair: string): [key: string, on: boolean] {
    const [key = '', value] = pair.split('=', 2).map((part) => part.trim());
    const parsedValue = value === undefined ? bareValue : parseBool(value);
    if (parsedValue !== undefined) return [key, parsedValue];
    throw new CommandError(
      value === undefined
        ? `missing bool value for ${key}; write ${key}=true or ${key}=false`
        : `invalid value of ${key}=${value}; write ${key}=true or ${key}=false`,
    );
  }
}

/** Parses the boolean values that Go's flag package accepts; undefined for other text. */
function parseBool(text: string): boolean | undefined {
  if (/^(1|t|T|true|True|TRUE)$/.test(text)) return true;
  return /^(0|f|F|false|False|FALSE)$/.test(text) ? false : undefined;
}

export const bool: ValueType<boolean> = {
  placeholder: 'BOOL',
  parse(text) {
    const value = parseBool(text);
    if (value === undefined) throw new CommandError(`${JSON.stringify(text)} is neither true nor false`);
    return value;
  },
  format: String,
};

/** A boolean without a default in `--help`. */
export const optionalBool: ValueType<boolean | undefined> = {
  ...bool,
  format: (value) => (value === undefined ? '' : String(value)),
};

export const servers: ValueType<readonly string[]> = {
  placeholder: 'URL[,URL]',
  parse(text) {
    const urls = text.split(',').map((part) => part.trim());
    for (const url of urls) {
      if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
        throw new CommandError(`${JSON.stringify(url)} is not an http:// or https:// URL`);
      }
    }
    return urls;
  },
  format: (urls) => urls.join(','),
};

export const keyPrefix: ValueType<string> = {
  placeholder: 'PREFIX',
  parse(text) {
    if (!/^\/[\w./-]*\w$/.test(text)) {
      throw new CommandError(
        `${JSON.stringify(text)} must begin with a slash and end with a letter or digit`,
      );
    }
    return text;
  },
  format: String,
};

export const textList = (placeholder: string): ValueType<readonly string[]> => ({
  placeholder,
  parse: (text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  format: (values) => values.join(','),
});

/** A repeatable flag with one file per use. */
export const files: ValueType<readonly string[]> = {
  placeholder: 'FILE',
  parse: (text) => [requireNonEmpty(text)],
  format: (paths) => paths.join(','),
};

/** A repeatable flag with one issuer per use. */
export const issuer: ValueType<readonly string[]> = {
  placeholder: 'ISSUER',
  parse(text) {
    if (text.includes(':') && !URL.canParse(text)) {
      throw new CommandError(`${JSON.stringify(text)} contains a ':' but is not a valid URL`);
    }
    return [requireNonEmpty(text)];
  },
  format: (issuers) => issuers.join(','),
};

export const httpsUrl: ValueType<string | undefined> = {
  placeholder: 'URL',
  parse(text) {
    if (!URL.canParse(text) || !text.startsWith('https://')) {
      throw new CommandError(`${JSON.stringify(text)} is not an https:// URL`);
    }
    return text;
  },
  format: (url) => url ?? '',
};

const minTokenLifetimeMs = 3_600_000;
const maxTokenLifetimeMs = 2 ** 32 * 1000;
/** A duration of 0 is no limit. */
export const tokenLifetime: ValueType<number> = {
  ...duration,
  parse(text) {
    const lifetimeMs = parseDurationFlag(text);
    if (lifetimeMs !== 0 && (lifetimeMs < minTokenLifetimeMs || lifetimeMs > maxTokenLifetimeMs)) {
      throw new CommandError('must be between 1 hour and 2^32 seconds');
    }
    return lifetimeMs;
  },
};

export const cidrs: ValueType<readonly string[]> = {
  placeholder: 'CIDR[,CIDR]',
  parse(text) {
    const ranges = text.split(',').map((part) => part.trim());
    for (const range of ranges) {
      const problem = validateCanonicalCidr(range)[0];
      if (problem !== undefined) throw new CommandError(`${JSON.stringify(range)} ${problem}`);
    }
    const families = ranges.map((range) => parseCidr(range)?.family);
    if (ranges.length > 2) throw new CommandError('must not have more than two ranges');
    if (families[0] === families[1]) throw new CommandError('two ranges must be of different IP families');
    return ranges;
  },
  format: (ranges) => ranges.join(','),
};

/** `FIRST-LAST`, `FIRST+COUNT` or a single port. */
export const portRange: ValueType<ServerOptions['serviceNodePortRange']> = {
  placeholder: 'FIRST-LAST',
  parse(text) {
    const [, start = '', sign, end = ''] = /^(\d{1,5})(?:([-+])(\d{1,5}))?$/.exec(text.trim()) ?? [];
    const first = parseWholeNumber(start, 65_535);
    let last = first;
    if (sign === '-') last = Number(end);
    if (sign === '+') last = first + Number(end);
    if (first < 1 || last > 65_535 || last < first) {
      throw new CommandError(`${JSON.stringify(text)} is not a port range such as 30000-32767`);
    }
    return { first, last };
  },
  format: ({ first, last }) => `${first}-${last}`,
};

export const release: ValueType<string> = { placeholder: 'RELEASE', parse: String, format: String };

export const names: ValueType<readonly string[]> = {
  placeholder: 'NAME,...',
  parse: (text) => text.split(',').filter((name) => name !== ''),
  format: (values) => values.join(','),
};

/** `metric,label=value,value`; several of them in double quotes, separated by commas. */
export const labelLists: ValueType<Readonly<Record<string, string>>> = {
  placeholder: 'METRIC,LABEL=VALUE,...',
  parse: (text) => Object.fromEntries(splitLabelPairs(text).map(parseLabelPair)),
  format: (lists) =>
    Object.entries(lists)
      .map(([key, values]) => JSON.stringify(`${key}=${values}`))
      .join(','),
};

/** Splits at commas outside of quotes. A text with one `=` is one pair, whose values contain the commas. */
function splitLabelPairs(text: string): string[] {
  if (text.split('=').length <= 2) return [text.replace(/^"+|"+$/g, '')];
  return [...text.matchAll(/"((?:[^"]|"")*)"(?:,|$)|([^,]*)(?:,|$)/g)]
    .map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '')
    .filter((pair) => pair !== '');
}

function parseLabelPair(pair: string): [key: string, values: string] {
  const equals = pair.indexOf('=');
  if (equals < 0) throw new CommandError(`${pair} must be formatted as key=value`);
  return [pair.slice(0, equals), pair.slice(equals + 1)];
}

export const modes: ValueType<readonly AuthorizationMode[]> = {
  placeholder: 'MODE[,MODE]',
  parse(text) {
    const requested = text.split(',').map((part) => part.trim());
    for (const mode of requested) {
      // Modes of kube-apiserver that Orch does not have get a message of their own.
      if (mode === 'Node' || mode === 'ABAC' || mode === 'Webhook') {
        throw new CommandError(`${mode} is not supported; the modes are ${authorizationModes.join(', ')}`);
      }
      if (!isMode(mode)) {
        throw new CommandError(`${JSON.stringify(mode)} is not one of ${authorizationModes.join(', ')}`);
      }
    }
    if (new Set(requested).size < requested.length) throw new CommandError('must not contain a mode twice');
    return requested.filter(isMode);
  },
  format: (requested) => requested.join(','),
};

export const plugins: ValueType<readonly string[]> = {
  placeholder: 'PLUGIN,...',
  parse(text) {
    const requested = text.split(',').map((part) => part.trim());
    for (const name of requested) {
      if (pluginNames.includes(name)) continue;
      throw new CommandError(`${JSON.stringify(name)} is not one of ${pluginNames.join(', ')}`);
    }
    return requested;
  },
  format: (requested) => requested.join(','),
};

export const controllers: ValueType<readonly string[]> = {
  placeholder: '*|NAME|-NAME,...',
  parse(text) {
    const entries = text.split(',').map((part) => part.trim());
    for (const entry of entries) {
      const requested = entry.replace(/^-/, '');
      if (requested !== '*' && !allControllers.some((controller) => controller.name === requested)) {
        throw new CommandError(`${JSON.stringify(entry)} is not in the list of known controllers`);
      }
    }
    return entries;
  },
  format: (requested) => requested.join(','),
};

const isMode = (text: string): text is AuthorizationMode => authorizationModes.some((mode) => mode === text);

function requireNonEmpty(text: string): string {
  if (text === '') throw new CommandError('must not be empty');
  return text;
}

function parseWholeNumber(text: string, max: number): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(number <= max)) throw new CommandError(`${JSON.stringify(text)} is not a number from 0 to ${max}`);
  return number;
}
