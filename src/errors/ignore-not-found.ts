// Ignores 404 errors of writes to objects that may be deleted already.
import { ApiError } from './status.ts';

export async function ignoreNotFound(write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}
