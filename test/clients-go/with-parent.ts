/** A suite that breaks off leaves behind the servers that it has started. These end with it. */
const between = 1_000;
const parent = process.ppid;

export function endWithParent(): void {
  setInterval(() => {
    if (process.ppid !== parent) process.exit(1);
  }, between).unref();
}
