// The order in which go-yaml emits the keys of a mapping.

const letterPattern = /^\p{L}$/u;
const digitPattern = /^\p{Nd}$/u;

/** Natural order: numbers inside keys are compared by value, and letters come last. */
function compareKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  let inDigits = false;
  for (let i = 0; i < left.length && i < right.length; i++) {
    const l = left[i]!;
    const r = right[i]!;
    if (l === r) {
      inDigits = digitPattern.test(l);
      continue;
    }
    const leftIsLetter = letterPattern.test(l);
    const rightIsLetter = letterPattern.test(r);
    if (leftIsLetter && rightIsLetter) return l.codePointAt(0)! - r.codePointAt(0)!;
    if (leftIsLetter || rightIsLetter) return leftIsLetter === inDigits ? -1 : 1;
    return compareNumbers(left, right, i);
  }
  return left.length - right.length;
}

/** Compares keys whose first difference is not in letters but possibly inside numbers, which may start before the index. */
function compareNumbers(left: readonly string[], right: readonly string[], index: number): number {
  // 1 if the number has a nonzero digit before the index, so that a zero at the index is not a leading zero.
  let leadingValue = 0;
  if (left[index] === '0' || right[index] === '0') {
    for (let i = index - 1; i >= 0 && digitPattern.test(left[i]!); i--) {
      if (left[i] !== '0') {
        leadingValue = 1;
        break;
      }
    }
  }
  const l = parseNumberAt(left, index, leadingValue);
  const r = parseNumberAt(right, index, leadingValue);
  if (l.value !== r.value) return l.value < r.value ? -1 : 1;
  if (l.end !== r.end) return l.end - r.end;
  return left[index]!.codePointAt(0)! - right[index]!.codePointAt(0)!;
}

function parseNumberAt(
  text: readonly string[],
  start: number,
  leadingValue: number,
): { value: bigint; end: number } {
  let value = BigInt(leadingValue);
  let end = start;
  for (; end < text.length && /^[0-9]$/.test(text[end]!); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(text[end]!));
  }
  return { value, end };
}

const asciiLetters = /^[A-Za-z]+$/;

/** The keys of an object in the order of go-yaml. Keys of ASCII letters have the same order in JavaScript. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  return keys.every((key) => asciiLetters.test(key)) ? keys.sort() : keys.sort(compareKeys);
}
