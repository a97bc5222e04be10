import { CommandError } from '../command.ts';
import type { Answer } from './connection.ts';

/** What a user reads when the server does not do what it was asked. */
export function refusal(path: string, { code, body }: Answer): CommandError {
  const message = body?.kind === 'Status' && typeof body.message === 'string' ? body.message : undefined;
  if (code === 401) {
    return new CommandError(
      'the server does not accept these credentials (401); check the user of the context in the kubeconfig',
    );
  }
  if (message !== undefined) return new CommandError(`the server says: ${message} (${code})`);
  return new CommandError(
    `${path} answers ${code}, and not as an API server does; check the URL of the server`,
  );
}
