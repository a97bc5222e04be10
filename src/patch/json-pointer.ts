import { isObject, type JsonObject, type JsonValue } from '../codec/json/json-value.ts';
import { quote } from '../errors/quote.ts';
import { NoSuchPart, NoSuchPath } from './patch-error.ts';

/** How strictly a pointer (RFC 6901) is read. */
export interface PointerManner {
  /**
   * The number of an element may have a sign and zeros in front, and one below zero counts from the end. What stands
   * before the first slash is not looked at.
   */
  readonly looseNumbers: boolean;
}

/** Where a pointer leads: what holds the last part of it, and that part. */
export interface Place {
  readonly holder: JsonObject | JsonValue[];
  readonly key: string;
}

/** Nothing for the pointer to the whole document, which nothing holds. Notes what lies on the way. */
export function placeOf(
  document: JsonValue,
  pointer: string,
  manner: PointerManner,
  passed: Set<JsonValue>,
): Place | undefined {
  const parts = partsOf(pointer, manner);
  const key = parts.pop();
  if (key === undefined) return undefined;
  let holder = document;
  for (const part of parts) {
    passed.add(holder);
    const next = Array.isArray(holder)
      ? holder[indexIn(holder, part, manner)]
      : isObject(holder) && Object.hasOwn(holder, part)
        ? holder[part]
        : undefined;
    if (next === undefined) throw nothingAt(pointer);
    holder = next;
  }
  if (!isObject(holder) && !Array.isArray(holder)) throw nothingAt(pointer);
  passed.add(holder);
  return { holder, key };
}

export const nothingAt = (pointer: string) => new NoSuchPath(pointer);

function partsOf(pointer: string, { looseNumbers }: PointerManner): string[] {
  const [before, ...parts] = pointer.split('/');
  if (before !== '' && !looseNumbers) throw nothingAt(pointer);
  return parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The place that a part of a pointer names in a list of `places`. It may be beyond the list, on either side. */
function numberIn(places: number, part: string, { looseNumbers }: PointerManner): number {
  const form = looseNumbers ? /^[-+]?\d{1,18}$/ : /^(?:0|[1-9]\d{0,17})$/;
  if (!form.test(part)) throw new NoSuchPart(`strconv.Atoi: parsing ${quote(part)}: invalid syntax`);
  const number = Number(part);
  return number < 0 ? number + places : number;
}

/** The place of an element that is there. */
export function indexIn(list: readonly JsonValue[], part: string, manner: PointerManner): number {
  const index = numberIn(list.length, part, manner);
  if (index < 0 || index >= list.length) throw noSuchIndex(part);
  return index;
}

/** The place at which an element can be put in: there is one more than elements. */
export function gapIn(list: readonly JsonValue[], part: string, manner: PointerManner): number {
  if (part === '-') return list.length;
  const index = numberIn(list.length + 1, part, manner);
  if (index < 0 || index > list.length) throw noSuchIndex(part);
  return index;
}

const noSuchIndex = (part: string) =>
  new NoSuchPart(`Unable to access invalid index: ${part}: invalid index referenced`);
