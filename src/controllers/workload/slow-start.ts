// Slow start: runs a number of equal operations in concurrent batches of 1, 2, 4 and so on, so that operations that all fail for the
// same reason fail once and not many times (upstream: slowStartBatch).

export interface SlowStartResult {
  readonly succeeded: number;
  /** The first error of the last batch; undefined if all operations succeeded. */
  readonly error: unknown;
}

/** Stops after the first batch with an error. */
export async function slowStart(count: number, operation: () => Promise<void>): Promise<SlowStartResult> {
  let succeeded = 0;
  for (let size = 1; succeeded < count; size *= 2) {
    const batch = Array.from({ length: Math.min(size, count - succeeded) }, () => operation());
    const results = await Promise.allSettled(batch);
    const failed = results.filter((result) => result.status === 'rejected');
    succeeded += results.length - failed.length;
    if (failed[0]) return { succeeded, error: failed[0].reason };
  }
  return { succeeded, error: undefined };
}
