// JSON serialization that preserves exact numbers and unparsed text.
import { countInexactWrites, JsonText, RawNumber } from './json-value.ts';

/** The JSON text of a value, with RawNumber and JsonText as they were written. */
export function stringifyJson(value: unknown): string {
  const before = countInexactWrites();
  try {
    const text = JSON.stringify(value);
    if (countInexactWrites() === before) return text;
  } catch (error) {
    // JSON.stringify recurses, and does not reach the nesting that the parser allows.
    if (!(error instanceof RangeError)) throw error;
  }
  return stringifyExactly(value);
}

interface Level {
  readonly entries: Iterator<readonly [string, unknown] | unknown>;
  readonly keyed: boolean;
  first: boolean;
}

/** Like JSON.stringify, but keeps the text of RawNumber and JsonText, and does not recurse. */
function stringifyExactly(root: unknown): string {
  const levels: Level[] = [];
  let text = '';

  function begin(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value) ?? 'null';
    } else if (value instanceof RawNumber || value instanceof JsonText) {
      text += value.text;
    } else if (Array.isArray(value)) {
      text += '[';
      levels.push({ entries: value.values(), keyed: false, first: true });
    } else {
      text += '{';
      const entries = Object.entries(value).filter(([, member]) => member !== undefined);
      levels.push({ entries: entries.values(), keyed: true, first: true });
    }
  }

  begin(root);
  for (let level = levels.at(-1); level; level = levels.at(-1)) {
    const next = level.entries.next();
    if (next.done) {
      text += level.keyed ? '}' : ']';
      levels.pop();
      continue;
    }
    if (!level.first) text += ',';
    level.first = false;
    if (level.keyed) {
      const [key, member] = next.value as [string, unknown];
      text += `${JSON.stringify(key)}:`;
      begin(member);
    } else {
      begin(next.value);
    }
  }
  return text;
}
