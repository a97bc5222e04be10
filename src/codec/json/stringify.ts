// JSON serialization with exact numbers and unparsed text.
import { inexactWriteCount, JsonText, RawNumber } from './json-value.ts';

/** Serializes a value; RawNumber and JsonText keep their text. */
export function stringifyJson(value: unknown): string {
  // RawNumber and JsonText count the calls of their toJSON, which JSON.stringify makes.
  const previousCount = inexactWriteCount();
  try {
    const text = JSON.stringify(value);
    if (inexactWriteCount() === previousCount) return text;
  } catch (error) {
    // JSON.stringify recurses, and overflows the stack at nesting that the parser allows.
    if (!(error instanceof RangeError)) throw error;
  }
  return stringifyExactly(value);
}

interface Frame {
  readonly entries: Iterator<readonly [string, unknown] | unknown>;
  readonly isObject: boolean;
  isFirst: boolean;
}

/** Like JSON.stringify, but keeps the text of RawNumber and JsonText, and does not recurse. */
function stringifyExactly(root: unknown): string {
  const frames: Frame[] = [];
  let text = '';

  function writeValue(value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value) ?? 'null';
    } else if (value instanceof RawNumber || value instanceof JsonText) {
      text += value.text;
    } else if (Array.isArray(value)) {
      text += '[';
      frames.push({ entries: value.values(), isObject: false, isFirst: true });
    } else {
      text += '{';
      const entries = Object.entries(value).filter(([, member]) => member !== undefined);
      frames.push({ entries: entries.values(), isObject: true, isFirst: true });
    }
  }

  writeValue(root);
  for (let frame = frames.at(-1); frame; frame = frames.at(-1)) {
    const next = frame.entries.next();
    if (next.done) {
      text += frame.isObject ? '}' : ']';
      frames.pop();
      continue;
    }
    if (!frame.isFirst) text += ',';
    frame.isFirst = false;
    if (frame.isObject) {
      const [key, member] = next.value as [string, unknown];
      text += `${JSON.stringify(key)}:`;
      writeValue(member);
    } else {
      writeValue(next.value);
    }
  }
  return text;
}
