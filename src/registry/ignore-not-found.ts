import { ApiError } from '../errors/status.ts';

/** Does what is to be done to an object, or nothing where there is none any more. */
export async function ignoreNotFound(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
