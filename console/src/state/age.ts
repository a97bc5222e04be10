// Ages and durations as kubectl prints them.

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `42s`, `5m10s`, `3h`, `12d`: two units while the first is small. */
export function formatAge(milliseconds: number): string {
  const ms = Math.max(0, milliseconds);
  if (ms < 2 * minute) return `${Math.floor(ms / second)}s`;
  if (ms < 10 * minute) return withRest(ms, minute, 'm', second, 's');
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return withRest(ms, hour, 'h', minute, 'm');
  if (ms < 2 * day) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return withRest(ms, day, 'd', hour, 'h');
  return `${Math.floor(ms / day)}d`;
}

function withRest(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeUnit}${rest > 0 ? `${rest}${smallUnit}` : ''}`;
}

export const ageOf = (timestamp: string | undefined, now: number) =>
  timestamp ? formatAge(now - Date.parse(timestamp)) : '';
