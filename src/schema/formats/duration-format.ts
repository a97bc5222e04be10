// The CRD format `duration`: lengths of time as Go writes them, or numbers with the names of units anywhere in a text.

const goDuration =
  /^[-+]?(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/;
const amount = /\d+[ \t\n\f\r]*([A-Za-zµ]+)/g;
const unit = /^(?:(?:ns|us|µs|ms|s|m|h|hr|d|w|wk)$|(?:nano|micro|milli|sec|min|hour|day|week))/i;

/** A length of time: `1h30m`, `-1.5s`, `3 days`. */
export function isDuration(text: string): boolean {
  if (/^[-+]?0$/.test(text) || goDuration.test(text)) return true;
  return [...text.matchAll(amount)].some(([, name]) => unit.test(name!));
}
