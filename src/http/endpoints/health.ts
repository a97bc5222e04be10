// /healthz, /livez and /readyz with their checks.

import type { Exchange } from '../../transport/exchange.ts';
import type { PathTable } from '../../transport/path-table.ts';
import { sendText, sendWithHeaders, textType } from '../../transport/response.ts';

/** Throws or rejects if the check fails. */
export type HealthCheck = () => void | Promise<void>;

export type HealthPath = 'healthz' | 'livez' | 'readyz';

/** Observes the result of each check. */
export type HealthObserver = (name: string, path: HealthPath, healthy: boolean) => void;

const allPaths: readonly HealthPath[] = ['healthz', 'livez', 'readyz'];

/** The checks of /healthz, /livez and /readyz, in order of registration. */
export class HealthChecks {
  readonly #checks: Record<HealthPath, Map<string, HealthCheck>> = {
    healthz: new Map(),
    livez: new Map(),
    readyz: new Map(),
  };

  readonly #observe: HealthObserver;

  constructor(observe: HealthObserver = () => {}) {
    this.#observe = observe;
    this.add('ping', () => {});
  }

  add(name: string, check: HealthCheck, paths: readonly HealthPath[] = allPaths): void {
    for (const path of paths) this.#checks[path].set(name, check);
  }

  /** Adds the paths, including those of single checks (`/readyz/ping`). Call it after all checks are added. */
  addTo(table: PathTable): void {
    for (const path of allPaths) {
      const checks = this.#checks[path];
      table.add(`/${path}`, (exchange) => sendSummary(exchange, path, checks, this.#observe));
      for (const [name, check] of checks) {
        table.add(`/${path}/${name}`, (exchange) => sendSingle(exchange, check));
      }
    }
  }
}

async function sendSummary(
  exchange: Exchange,
  path: HealthPath,
  checks: ReadonlyMap<string, HealthCheck>,
  observe: HealthObserver,
): Promise<void> {
  const unmatchedExclusions = new Set(exchange.query.getAll('exclude'));
  let healthy = true;
  let report = '';
  for (const [name, check] of checks) {
    if (unmatchedExclusions.delete(name)) {
      report += `[+]${name} excluded: ok\n`;
      continue;
    }
    const passed = await passes(check);
    observe(name, path, passed);
    healthy &&= passed;
    // Anonymous clients may read this path, so it withholds the cause; the path of the single check shows it.
    report += passed ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`;
  }
  if (unmatchedExclusions.size > 0) {
    const unknownNames = [...unmatchedExclusions].sort().map((name) => JSON.stringify(name));
    report += `warn: some health checks cannot be excluded: no matches for ${unknownNames.join(',')}\n`;
  }
  if (!healthy) return sendText(exchange, 500, `${report}${path} check failed\n`);
  sendText(exchange, 200, exchange.query.has('verbose') ? `${report}${path} check passed\n` : 'ok');
}

/** The response of a single check's path (`/readyz/ping`). */
async function sendSingle(exchange: Exchange, check: HealthCheck): Promise<void> {
  try {
    await check();
    sendWithHeaders(exchange, 200, ['Content-Type', textType], 'ok');
  } catch (error) {
    sendText(exchange, 500, `internal server error: ${error instanceof Error ? error.message : error}\n`);
  }
}

async function passes(check: HealthCheck): Promise<boolean> {
  try {
    await check();
    return true;
  } catch {
    return false;
  }
}
