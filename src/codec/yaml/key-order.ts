// The key order of go-yaml (sigs.k8s.io/yaml), which the emitter follows.
const letter = /^\p{L}$/u;
const digit = /^\p{Nd}$/u;

/** Natural order: numbers inside keys compare by value, letters sort last. */
function compareKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  let inDigits = false;
  for (let i = 0; i < left.length && i < right.length; i++) {
    const l = left[i]!;
    const r = right[i]!;
    if (l === r) {
      inDigits = digit.test(l);
      continue;
    }
    const leftIsLetter = letter.test(l);
    const rightIsLetter = letter.test(r);
    if (leftIsLetter && rightIsLetter) return l.codePointAt(0)! - r.codePointAt(0)!;
    if (leftIsLetter || rightIsLetter) return leftIsLetter === inDigits ? -1 : 1;
    return compareNumbers(left, right, i);
  }
  return left.length - right.length;
}

/** Compares keys that do not differ in a letter: possibly in numbers, whose first digits may be before `at`. */
function compareNumbers(left: readonly string[], right: readonly string[], at: number): number {
  let carried = 0;
  if (left[at] === '0' || right[at] === '0') {
    for (let i = at - 1; i >= 0 && digit.test(left[i]!); i--) {
      if (left[i] !== '0') {
        carried = 1;
        break;
      }
    }
  }
  const l = numberAt(left, at, carried);
  const r = numberAt(right, at, carried);
  if (l.value !== r.value) return l.value < r.value ? -1 : 1;
  if (l.end !== r.end) return l.end - r.end;
  return left[at]!.codePointAt(0)! - right[at]!.codePointAt(0)!;
}

function numberAt(text: readonly string[], at: number, carried: number): { value: bigint; end: number } {
  let value = BigInt(carried);
  let end = at;
  for (; end < text.length && /^[0-9]$/.test(text[end]!); end++) {
    value = BigInt.asIntN(64, value * 10n + BigInt(text[end]!));
  }
  return { value, end };
}

const plainLetters = /^[A-Za-z]+$/;

/** Returns the keys of an object in go-yaml order. Keys of ASCII letters only are sorted natively. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  return keys.every((key) => plainLetters.test(key)) ? keys.sort() : keys.sort(compareKeys);
}
