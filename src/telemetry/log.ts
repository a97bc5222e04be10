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

/** Names of fields that are never written, wherever they stand. */
const secrets = ['authorization', 'token', 'password', 'cookie'];

export function createLogger({ verbosity, destination }: LogOptions): Logger {
  const log = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
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
