// Explains a failed start of the server: one line with the cause and the flag to change, without a stack trace.
import type { ServerOptions } from '../server/options.ts';
import { DataDirectoryError } from '../store/lmdb/directory.ts';
import { StorageUnavailable } from '../store/store.ts';
import { CommandError } from './command.ts';

/** Explanations of system error codes. */
const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'no such file or directory',
  ENOTDIR: 'a component of the path is not a directory',
  EEXIST: 'a file with this name exists',
  EISDIR: 'it is a directory',
  ENOSPC: 'the disk is full',
};

/** Returns a CommandError if the error can be explained, else the error itself. */
export function explainStartError(error: unknown, options: ServerOptions): unknown {
  if (error instanceof CommandError || !(error instanceof Error)) return error;
  if (isSystemError(error)) return explainSystemError(error, options);
  // Expected errors explain themselves. A TypeError or similar is a bug and keeps its stack trace.
  const isExpected =
    error.constructor === Error || error instanceof DataDirectoryError || error instanceof StorageUnavailable;
  return isExpected ? new CommandError(error.message) : error;
}

function explainSystemError(error: SystemError, options: ServerOptions): Error {
  if (error.syscall === 'listen' || error.code === 'EADDRINUSE') return explainListenError(error, options);
  return explainFileError(error);
}

/** Explains file system errors; other errors are returned as they are. */
export function explainFileError(error: Error): Error {
  if (!isSystemError(error)) return error;
  const reason = reasons[error.code];
  return reason && error.path ? new CommandError(`cannot use ${error.path}: ${reason}`) : error;
}

function explainListenError(error: SystemError, options: ServerOptions): CommandError {
  const flag = error.port === options.httpPort ? '--http-port' : '--secure-port';
  const address = `${error.address ?? options.bindAddress}:${error.port ?? options.securePort}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return new CommandError(`${address} is already in use; choose another port with ${flag}`);
    case 'EACCES':
      return new CommandError(
        `cannot listen on ${address}: permission denied; choose another port with ${flag}`,
      );
    default:
      return new CommandError(
        `cannot listen on ${address} (${error.code}); choose another address with --bind-address`,
      );
  }
}

interface SystemError extends Error {
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
  readonly address?: string;
  readonly port?: number;
}

function isSystemError(error: Error): error is SystemError {
  return 'code' in error && typeof error.code === 'string';
}
