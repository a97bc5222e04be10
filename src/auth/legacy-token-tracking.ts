// Legacy token tracking: creates the ConfigMap with the day since which the use of legacy service account tokens is
// recorded.
import type { Clock } from '../base/clock.ts';
import type { Client } from '../client/client.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ensureConfigMap } from './ensure-config-map.ts';

const isDate = (text: string | undefined) =>
  text !== undefined && /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/** Keeps a valid day. The legacy token cleaner deletes unused tokens only a year after it. */
export function ensureLegacyTokenTracking(client: Client, dialect: Dialect, clock: Clock): Promise<void> {
  return ensureConfigMap(client, dialect, dialect.legacyTokenTrackingName, (data) =>
    isDate(data.since) ? data : { ...data, since: new Date(clock.now()).toISOString().slice(0, 10) },
  );
}
