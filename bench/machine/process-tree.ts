// Reads child processes and CPU time from /proc/PID/stat.
import { readdirSync, readFileSync } from 'node:fs';

/** The fields of /proc/PID/stat after the command name, which may contain spaces and brackets. */
function statFields(pid: number): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/** These processes and their descendants. */
export function withDescendants(roots: readonly number[]): number[] {
  const childrenOf = new Map<number, number[]>();
  for (const entry of readdirSync('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const parent = Number(statFields(pid)?.[1]);
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(pid);
    else childrenOf.set(parent, [pid]);
  }
  const found = new Set<number>();
  const visit = (pid: number): void => {
    if (found.has(pid)) return;
    found.add(pid);
    for (const child of childrenOf.get(pid) ?? []) visit(child);
  };
  for (const root of roots) visit(root);
  return [...found];
}

const ticksPerSecond = 100;

/** User and system time of these processes; 0 for a process that has exited. */
export function cpuSeconds(pids: readonly number[]): number {
  let ticks = 0;
  for (const pid of pids) {
    const fields = statFields(pid);
    if (fields) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / ticksPerSecond;
}
