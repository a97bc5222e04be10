// The import graph of src/, types included, and its cycles.
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/** Each file with the files of src/ and console/ that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

const importPattern = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

/** `root` is `src` or `console/src`. */
export function readImports(root = 'src'): ImportGraph {
  const files = globSync(`${root}/**/*.{ts,tsx}`).filter((file) => !file.endsWith('.test.ts'));
  return new Map(files.sort().map((file) => [file, importsOf(file, readFileSync(file, 'utf8'))]));
}

export function importsOf(file: string, text: string): string[] {
  const imported = [...text.matchAll(importPattern)].map(([, path]) => normalize(join(dirname(file), path!)));
  return [...new Set(imported)].filter((path) => /^(console\/)?src\//.test(path)).sort();
}

/** Strongly connected components of more than one file (Tarjan), each sorted. */
export function cyclesIn(graph: ImportGraph): string[][] {
  const order = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string): number => {
    const index = order.size;
    let low = index;
    order.set(file, index);
    stack.push(file);
    onStack.add(file);
    for (const next of graph.get(file) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (onStack.has(next)) low = Math.min(low, order.get(next)!);
    }
    if (low === index) {
      const component = stack.splice(stack.indexOf(file));
      for (const member of component) onStack.delete(member);
      if (component.length > 1) circles.push(component.sort());
    }
    return low;
  };
  for (const file of graph.keys()) if (!order.has(file)) visit(file);
  return circles;
}
