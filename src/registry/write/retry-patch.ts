import { badRequest } from '../../errors/catalogue.ts';
import { ApiError } from '../../errors/status.ts';

/** Every attempt that comes too late has let somebody else's write through: as many writers as this all succeed. */
const attempts = 1000;

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
    const tell = () => warnings.push(...said.filter((warning) => !warnings.includes(warning)));
    try {
      const written = await write(said);
      tell();
      return written;
    } catch (error) {
      if (error instanceof RangeError) throw badRequest('the patch is nested too deeply');
      if (isTooLate(error) && attempt < attempts && !namesState()) continue;
      tell();
      throw error;
    }
  }
}

function isTooLate(error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 409) return false;
  return (
    error.reason === 'AlreadyExists' || (error.reason === 'Conflict' && error.details?.name !== undefined)
  );
}
