// Ends a server together with the program that started it, such as a test, also if that is killed.
const checkIntervalMs = 1_000;

export function endWithParent(): void {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, checkIntervalMs).unref();
}
