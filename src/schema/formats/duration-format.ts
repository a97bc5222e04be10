// The CRD format `duration`: Go durations, or numbers with unit names anywhere in the string.

const goDuration =
  /^[-+]?(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/;
/** A number and a unit name, anywhere in the text: `3 days`. */
const amount = /\d+[ \t\n\f\r]*([A-Za-zµ]+)/g;
const unit = /^(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|(?:nano|micro|milli|sec|min|hour|day|week))/i;

/** `1h30m`, `-1.5s`, `3 days`. */
export function isDuration(text: string): boolean {
  if (/^[-+]?0$/.test(text) || goDuration.test(text)) return true;
  return [...text.matchAll(amount)].some(([, name]) => unit.test(name!));
}
