/**
 * More warnings than the headers of a response have room for (4,096 characters). A request with many invalid elements can
 * produce millions.
 */
const maxWarnings = 5_000;

/** Appends warnings, unless there are more than a response can carry. */
export function addWarnings(warnings: string[], more: Iterable<string>): void {
  for (const warning of more) {
    if (warnings.length >= maxWarnings) return;
    warnings.push(warning);
  }
}
