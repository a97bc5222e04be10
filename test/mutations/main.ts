/** Breaks one rule of the specification at a time, and expects its test to fail; see README.md. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CoverageRow, coverageRows, isProven } from '../docs/coverage-rows.ts';
import { mistakesIn, testOf } from './check-table.ts';
import { type Mutation, nameOf } from './mutation.ts';
import { runNamedTests, type TestRun } from './named-test.ts';
import { mutations as all } from './table/index.ts';
import { Workspace } from './workspace.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    'at-once': { type: 'string', default: '2' },
    verbose: { type: 'boolean', default: false },
  },
});
const root = resolve(import.meta.dirname, '../..');
const rows = coverageRows(readFileSync(join(root, 'docs/reference/spec-coverage.md'), 'utf8'));

async function main(): Promise<number> {
  const mistakes = mistakesIn(root, all, rows);
  for (const mistake of mistakes) console.log(`✗ ${mistake}`);
  if (mistakes.length > 0) return 1;
  const chosen = all.filter((mutation) => new RegExp(options.only).test(nameOf(mutation)));
  const workspaces = Array.from({ length: Number(options['at-once']) }, () => new Workspace(root));
  const removeAll = () => {
    for (const workspace of workspaces) workspace.remove();
  };
  process.once('SIGINT', () => process.exit(130));
  process.once('exit', removeAll);
  const failing = await unmutated(chosen, workspaces);
  const tried = chosen.filter((mutation) => !failing.includes(nameOf(mutation)));
  const unexpected = [...failing, ...(await mutated(tried, workspaces))];
  for (const line of sectionCounts(rows, all)) console.log(line);
  console.log(`${chosen.length - unexpected.length} caught, ${unexpected.length} not caught`);
  for (const name of unexpected) console.log(`  ${name}`);
  return unexpected.length === 0 && chosen.length > 0 ? 0 : 1;
}

/** The names of the mutations whose test fails on the unchanged sources. */
async function unmutated(chosen: readonly Mutation[], workspaces: readonly Workspace[]): Promise<string[]> {
  const byFile = groupedBy(chosen, (mutation) => testOf(mutation, rows)!.file);
  const failing: string[] = [];
  await inParallel([...byFile], workspaces, async ([file, mutations], workspace) => {
    const names = new Set(mutations.map((mutation) => testOf(mutation, rows)!.name));
    const run = await runNamedTests(workspace.folder, file, [...names]);
    for (const mutation of mutations) {
      const { name } = testOf(mutation, rows)!;
      const result = run.results.get(name);
      if (result === 'passed') continue;
      failing.push(nameOf(mutation));
      console.log(`✗ ${nameOf(mutation)}: ${result} without any mutation (${file}: ${name})`);
      show(run);
    }
  });
  return failing;
}

/** The names of the mutations that their test does not detect. */
async function mutated(chosen: readonly Mutation[], workspaces: readonly Workspace[]): Promise<string[]> {
  const missed: string[] = [];
  await inParallel(chosen, workspaces, async (mutation, workspace) => {
    const { file, name } = testOf(mutation, rows)!;
    const run = await workspace.with(mutation, () => runNamedTests(workspace.folder, file, [name]));
    const result = run.results.get(name);
    if (result === 'failed') {
      // Under load a test may also time out for another reason: try such a mutation again with --only.
      console.log(
        `✓ ${nameOf(mutation)}${run.output.includes('test timed out after') ? ' (timed out)' : ''}`,
      );
      if (options.verbose) show(run);
      return;
    }
    missed.push(nameOf(mutation));
    console.log(`✗ ${nameOf(mutation)}: ${result} (${file}: ${name})`);
    // A mutation that keeps the test from running proves nothing: it breaks more than its rule.
    if (result === 'absent') show(run);
  });
  return missed;
}

async function inParallel<T>(
  items: readonly T[],
  workspaces: readonly Workspace[],
  run: (item: T, workspace: Workspace) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  await Promise.all(
    workspaces.map(async (workspace) => {
      for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item, workspace);
    }),
  );
}

function show({ output }: TestRun): void {
  console.log(output.replace(/^/gm, '    '));
}

/** For each section of spec-coverage.md, how many of its proven rules have a mutation. */
function sectionCounts(coverage: readonly CoverageRow[], mutations: readonly Mutation[]): string[] {
  const proven = groupedBy(coverage.filter(isProven), ({ section }) => section);
  return [...proven].map(([section, { length }]) => {
    const count = mutations.filter((mutation) => mutation.section === section).length;
    return `  ${section}: ${count} of ${length}`;
  });
}

function groupedBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

process.exitCode = await main();
