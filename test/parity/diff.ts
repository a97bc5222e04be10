/** A readable line diff: lines around a difference are kept as context, the rest is omitted. */
export function lineDiff(expected: string[], actual: string[], context = 2): string[] {
  const marked = mark(expected, actual);
  const near = marked.map((_, index) =>
    marked.slice(Math.max(0, index - context), index + context + 1).some((line) => line[0] !== ' '),
  );
  return marked.flatMap((line, index) => {
    if (near[index]) return [line];
    return near[index - 1] ? ['  …'] : [];
  });
}

function mark(expected: string[], actual: string[]): string[] {
  const common = longestCommon(expected, actual);
  const lines: string[] = [];
  let a = 0;
  let b = 0;
  while (a < expected.length || b < actual.length) {
    if (a < expected.length && b < actual.length && expected[a] === actual[b]) {
      lines.push(`  ${expected[a++]}`);
      b++;
    } else if (b < actual.length && (a >= expected.length || common(a, b + 1) > common(a + 1, b))) {
      lines.push(`+ ${actual[b++]}`);
    } else {
      lines.push(`- ${expected[a++]}`);
    }
  }
  return lines;
}

/** How many lines the rest of `expected` from `a` and of `actual` from `b` have in common, in order. */
function longestCommon(expected: string[], actual: string[]): (a: number, b: number) => number {
  const width = actual.length + 1;
  // A very long pair is compared greedily: a readable diff of it does not exist anyway.
  if ((expected.length + 1) * width > 4_000_000) return () => 0;
  const table = new Uint32Array((expected.length + 2) * (width + 1));
  const at = (a: number, b: number) => table[a * (width + 1) + b] ?? 0;
  for (let a = expected.length - 1; a >= 0; a--) {
    for (let b = actual.length - 1; b >= 0; b--) {
      table[a * (width + 1) + b] =
        expected[a] === actual[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
    }
  }
  return at;
}
