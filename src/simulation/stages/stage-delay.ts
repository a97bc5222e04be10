// The time at which the next state of a stage is due.
import type { Pod } from '../../apis/core/pod.ts';
import { InvalidDuration, parseDuration } from '../../base/duration.ts';
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import type { StageDelay } from './stage.ts';

/** In milliseconds of the wall clock. `random` is between 0 and 1. */
export function dueTime(delay: StageDelay, pod: Pod, nowMs: number, random: number): number {
  const startMs = (delay.from && timeAt(pod, delay.from)) ?? nowMs;
  return startMs + durationOf(delay, pod) + delay.jitterMs * random;
}

function durationOf(delay: StageDelay, pod: Pod): number {
  const { durationMs, growth = 1, maxMs = Number.POSITIVE_INFINITY, annotation } = delay;
  const annotated = annotation === undefined ? undefined : durationIn(pod.metadata.annotations?.[annotation]);
  const baseMs = annotated ?? durationMs;
  return growth === 1 ? baseMs : Math.min(baseMs * growth ** restartsOf(pod), maxMs);
}

/** Undefined if the text is absent or no duration. */
function durationIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  try {
    return parseDuration(text);
  } catch (error) {
    if (error instanceof InvalidDuration) return undefined;
    throw error;
  }
}

/** The restarts of the container with the most. */
const restartsOf = ({ status }: Pod) =>
  Math.max(
    0,
    ...[...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])].map(
      ({ restartCount }) => restartCount,
    ),
  );

function timeAt(pod: Pod, path: readonly string[]): number | undefined {
  let value = pod as unknown as JsonValue | undefined;
  for (const name of path) value = isObject(value) ? value[name] : undefined;
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) ? undefined : ms;
}
