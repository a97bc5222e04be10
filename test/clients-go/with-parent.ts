/** Ends servers together with the suite that started them, also if the suite crashes. */
const between = 1_000;
const parent = process.ppid;

export function endWithParent(): void {
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, between).unref();
}
