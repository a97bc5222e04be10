// Checks the table of mutations against the sources and docs/reference/spec-coverage.md, without running anything.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CoverageRow, codeIn, isProven } from '../docs/coverage-rows.ts';
import { type Mutation, nameOf, occurrences } from './mutation.ts';
import type { NamedTest } from './named-test.ts';

/** The mistakes of the table, one sentence each. */
export function mistakesIn(
  root: string,
  mutations: readonly Mutation[],
  rows: readonly CoverageRow[],
): string[] {
  const mistakes: string[] = [];
  const seen = new Set<string>();
  for (const mutation of mutations) {
    const name = nameOf(mutation);
    if (seen.has(name)) mistakes.push(`${name}: has two mutations`);
    seen.add(name);
    if (!testOf(mutation, rows)) mistakes.push(`${name}: is no proven row of spec-coverage.md`);
    const path = join(root, mutation.file);
    const found = existsSync(path) ? occurrences(readFileSync(path, 'utf8'), mutation) : 0;
    if (found !== 1) mistakes.push(`${name}: occurs ${found} times in ${mutation.file}: ${mutation.find}`);
    if (mutation.find === mutation.replace) mistakes.push(`${name}: changes nothing`);
  }
  return mistakes;
}

/** The test that the row of the mutation names. */
export function testOf(
  { section, rule }: { readonly section: string; readonly rule: string },
  rows: readonly CoverageRow[],
): NamedTest | undefined {
  const row = rows.find((each) => each.section === section && each.rule === rule);
  return row && isProven(row) ? { file: codeIn(row.where), name: codeIn(row.what) } : undefined;
}
