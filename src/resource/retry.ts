import { ApiError } from '../errors/status.ts';

const attempts = 5;

/**
 * Writes what comes of a patch, again where somebody else was faster: unless the patch names the state that it is for,
 * the next one will do as well. What is said on the way is heard once.
 */
export async function retrying<T>(
  warnings: string[],
  write: (warnings: string[]) => Promise<T>,
  namesState: () => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const said: string[] = [];
    try {
      const written = await write(said);
      for (const warning of said) if (!warnings.includes(warning)) warnings.push(warning);
      return written;
    } catch (error) {
      if (!isTooLate(error) || attempt === attempts || namesState()) throw error;
    }
  }
}

function isTooLate(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 409) return false;
  return (
    error.reason === 'AlreadyExists' || (error.reason === 'Conflict' && error.details?.name !== undefined)
  );
}
