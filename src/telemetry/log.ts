// Structured logging: JSON lines, without secrets.
import { type DestinationStream, pino } from 'pino';

export interface Logger {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
  /** Logs if the server's verbosity (`-v`) is at least this. */
  verbose(verbosity: number, fields: object, message: string): void;
  /** Whether `verbose` logs at this verbosity, to skip costly fields. */
  isEnabled(verbosity: number): boolean;
}

export interface LoggerOptions {
  readonly verbosity: number;
  /** Absent: standard error. */
  readonly destination?: DestinationStream;
}

export function createLogger({ verbosity, destination }: LoggerOptions): Logger {
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
    verbose: (level, fields, message) => {
      if (level <= verbosity) log.info({ v: level, ...fields }, message);
    },
    isEnabled: (level) => level <= verbosity,
  };
}

/** Discards everything: for servers embedded in another program. */
export const silentLogger: Logger = {
  error() {},
  warn() {},
  info() {},
  verbose() {},
  isEnabled: () => false,
};

/** Names of fields that are dropped at every depth. */
const secretFields = new Set(['authorization', 'token', 'password', 'cookie', 'key']);
const maxFieldDepth = 4;

/** Drops secret fields, and fields nested deeper than `maxFieldDepth`. */
function withoutSecrets(fields: Record<string, unknown>, depth: number): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (secretFields.has(name.toLowerCase())) continue;
    if (!isFieldGroup(value)) redacted[name] = value;
    else if (depth < maxFieldDepth) redacted[name] = withoutSecrets(value, depth + 1);
  }
  return redacted;
}

function isFieldGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
}
