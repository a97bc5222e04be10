// The error message of a command whose request the API server rejects.
import { CommandError } from '../command.ts';
import type { ApiResponse } from './connection.ts';

export function responseError(path: string, { code, body }: ApiResponse): CommandError {
  const message = body?.kind === 'Status' && typeof body.message === 'string' ? body.message : undefined;
  if (code === 401) {
    return new CommandError(
      'the server rejected the credentials (401 Unauthorized); check the user of the context in the kubeconfig',
    );
  }
  if (message !== undefined) return new CommandError(`the server answered: ${message} (${code})`);
  return new CommandError(
    `${path} answered ${code} without a Status object; check that the URL is that of an API server`,
  );
}
