const units =
  'ns|us|µs|μs|ms|s|m|h|d|w|nano|nanos|nanosecond|nanoseconds|micro|micros|microsecond|microseconds|milli|millis|millisecond|milliseconds|sec|secs|second|seconds|min|mins|minute|minutes|hr|hour|hours|day|days|week|weeks';
const compact = new RegExp(`^[-+]?(?:\\d+(?:\\.\\d*)?(?:${units}))+$`);
const spaced = new RegExp(`^\\d+\\s*(?:${units})$`);

/** A length of time: `1h30m`, `-1.5s`, `3 days`. */
export function isDuration(text: string): boolean {
  return text === '0' || compact.test(text) || spaced.test(text);
}
