// Error messages for responses of the API server.
import { CommandError } from '../command.ts';
import type { Answer } from './connection.ts';

export function refusal(path: string, { code, body }: Answer): CommandError {
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
