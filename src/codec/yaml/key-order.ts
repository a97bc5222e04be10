// The order in which go-yaml emits the keys of a mapping.

const asciiLetters = /^[A-Za-z]+$/;

/** The keys of an object in the order of go-yaml. Keys of ASCII letters have the same order in JavaScript. */
export function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  return keys.every((key) => asciiLetters.test(key)) ? keys.sort() : keys.sort(compareKeys);
}

const letterPattern = /^\p{L}$/u;
const digitPattern = /^\p{Nd}$/u;

/** Natural order: numbers inside keys are compared by value, and letters come last. */
function compareKeys(a: string, b: string): number {
  const left = [...a];
  const right = [...b];
  let inDigits = false;
  for (let i = 0; i < left.length && i < right.length; i++) {
    const leftCharacter = left[i]!;
    const rightCharacter = right[i]!;
    if (leftCharacter === rightCharacter) {
      inDigits = digitPattern.test(leftCharacter);
      continue;
    }
    const leftIsLetter = letterPattern.test(leftCharacter);
    const rightIsLetter = letterPattern.test(rightCharacter);
    if (leftIsLetter && rightIsLetter) return leftCharacter.codePointAt(0)! - rightCharacter.codePointAt(0)!;
    // After a digit a letter comes first, because it ends the number; otherwise last.
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
  const leftNumber = parseNumberAt(left, index, leadingValue);
  const rightNumber = parseNumberAt(right, index, leadingValue);
  if (leftNumber.value !== rightNumber.value) return leftNumber.value < rightNumber.value ? -1 : 1;
  if (leftNumber.end !== rightNumber.end) return leftNumber.end - rightNumber.end;
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
