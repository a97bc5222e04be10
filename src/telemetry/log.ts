import { type DestinationStream, pino } from 'pino';

/** What the server says about itself, as JSON lines. */
export interface Logger {
  /** For operators: something is wrong. */
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  /** Only said from this verbosity (`-v`) on. */
  at(verbosity: number, fields: object, message: string): void;
  /** Whether `at(verbosity, …)` would say anything, for what is costly to put into words. */
  says(verbosity: number): boolean;
}

export interface LogOptions {
  readonly verbosity: number;
  /** Where the lines go; standard error if left out. */
  readonly destination?: DestinationStream;
}

export function createLogger({ verbosity, destination }: LogOptions): Logger {
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: (fields) => withoutSecrets(fields, 0) },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
  return {
    error: (fields, message) => log.error(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    info: (fields, message) => log.info(fields, message),
    at: (level, fields, message) => {
      if (level <= verbosity) log.info({ v: level, ...fields }, message);
    },
    says: (level) => level <= verbosity,
  };
}

/** For servers inside another program, which has its own log. */
export const silent: Logger = {
  error() {},
  warn() {},
  info() {},
  at() {},
  says: () => false,
};

/** Names of fields that are never written, wherever they stand. */
const secrets = new Set(['authorization', 'token', 'password', 'cookie', 'key']);
const deepest = 4;

/** Leaves out what must not be told. What is nested deeper than any line of ours is left out whole. */
function withoutSecrets(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (secrets.has(name.toLowerCase())) continue;
    if (!isPlain(value)) told[name] = value;
    else if (depth < deepest) told[name] = withoutSecrets(value, depth + 1);
  }
  return told;
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
}
