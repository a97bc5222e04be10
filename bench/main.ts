/** Side by side: the same load on Orch and on kube-apiserver + etcd. See README.md. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Cleanup } from './cleanup.ts';
import { lanes } from './loads/fan-out.ts';
import { measureFull, memoryAfterSettling } from './loads/footprint.ts';
import { type Group, loadGroups } from './loads/groups.ts';
import { seed } from './loads/seed.ts';
import { requireWrk } from './loads/wrk.ts';
import { describeMachine } from './machine/describe.ts';
import { churnNamespace, listNamespace, watchNamespace } from './objects.ts';
import { type Options, readOptions, usage } from './options.ts';
import { Progress } from './progress.ts';
import { ratioChart } from './report/chart.ts';
import { resultsDocument } from './report/document.ts';
import { formatNumber } from './report/format.ts';
import { asText, memoryTable, ratioTable } from './report/tables.ts';
import { Results, type Row, type RowName, rows } from './rows.ts';
import { type Scale, scaleOf } from './scale.ts';
import { Bare } from './sides/bare.ts';
import { Orch } from './sides/orch.ts';
import { findReference, Reference } from './sides/reference.ts';
import type { Side } from './sides/side.ts';

const repository = resolve(import.meta.dirname, '..');

function chosenRows(options: Options): readonly Row[] {
  const unknown = options.only.filter((name) => !rows.some((row) => row.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `no item is called ${unknown.join(' or ')}; there are ${rows.map((row) => row.name).join(', ')}`,
    );
  }
  return options.only.length === 0 ? rows : rows.filter((row) => options.only.includes(row.name));
}

function buildIfMissing(progress: Progress): void {
  if (existsSync(join(repository, 'dist/main.js'))) return;
  progress.step('building Orch');
  execFileSync('npm', ['run', 'build'], { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] });
}

async function prepareSides(
  options: Options,
  folder: string,
  cleanup: Cleanup,
  progress: Progress,
): Promise<Side[]> {
  const sides: Side[] = [];
  const prepare = async (name: string, make: (own: string) => Promise<Side>): Promise<void> => {
    const own = join(folder, name);
    mkdirSync(own);
    const side = await make(own);
    cleanup.add(() => side.stop());
    sides.push(side);
  };
  if (options.sides !== 'reference') {
    buildIfMissing(progress);
    await prepare('orch', (own) => Orch.prepare(repository, own));
  }
  if (options.sides !== 'orch') {
    const kit = findReference(repository);
    if (kit !== undefined) {
      progress.step('preparing the reference');
      // `down` ends what `up` may have left running if preparing fails half-way.
      cleanup.add(() => void execFileSync(join(kit, 'down'), ['--dir', join(folder, 'reference')]));
      await prepare('reference', (own) => Reference.prepare(kit, own));
    } else if (options.sides === 'reference') {
      throw new Error('there is no reference: set ORCH_REFERENCE to the folder with its `up`');
    } else {
      progress.step(
        `${'!'.repeat(20)} NO REFERENCE: ORCH_REFERENCE is not set. Orch is measured alone. ${'!'.repeat(20)}`,
      );
    }
  }
  return sides;
}

/** Every side first in turn, so that neither always has the warmer or the quieter machine. */
const inTurn = (sides: readonly Side[], round: number): readonly Side[] =>
  round % 2 === 1 ? sides : sides.toReversed();

class Run {
  readonly results = new Results();
  readonly #sides: readonly Side[];
  readonly #scale: Scale;
  readonly #progress: Progress;
  readonly #chosen: ReadonlySet<string>;

  constructor(sides: readonly Side[], scale: Scale, chosen: readonly Row[], progress: Progress) {
    this.#sides = sides;
    this.#scale = scale;
    this.#progress = progress;
    this.#chosen = new Set(chosen.map((row) => row.name));
  }

  #wants(...names: readonly RowName[]): boolean {
    return names.some((name) => this.#chosen.has(name));
  }

  /** Leaves every side running. */
  async startEmpty(): Promise<void> {
    const rounds = this.#wants('start-empty') ? this.#scale.rounds : 1;
    for (let round = 1; round <= rounds; round++) {
      for (const side of inTurn(this.#sides, round)) {
        await side.stop();
        const seconds = (await side.startEmpty()) / 1000;
        this.results.add('start-empty', side.key, { value: seconds });
        this.#progress.step(`start-empty, ${side.title}, round ${round}: ${formatNumber(seconds)} s`);
      }
    }
    if (!this.#wants('memory-idle')) return;
    this.#progress.step(`memory-idle, waiting ${this.#scale.settleSeconds} s`);
    for (const [i, side] of this.#sides.entries()) {
      const settled = await memoryAfterSettling(side, i === 0 ? this.#scale.settleSeconds : 0);
      this.results.add('memory-idle', side.key, settled);
    }
  }

  async loads(groups: readonly Group[]): Promise<void> {
    const wanted = groups.filter((group) => this.#wants(...group.rows));
    if (wanted.length === 0) return;
    for (const side of this.#sides) {
      await seed(side, listNamespace, this.#scale.listObjects, this.#progress);
      await seed(side, churnNamespace, 0, this.#progress);
      await seed(side, watchNamespace, lanes, this.#progress);
    }
    for (const group of wanted) {
      for (const side of this.#sides) await group.measure(side, this.#scale.warmUpSeconds);
      for (let round = 1; round <= this.#scale.rounds; round++) {
        for (const side of inTurn(this.#sides, round)) await this.#measure(group, side, `round ${round}`);
      }
    }
  }

  /** What the load generator reaches on a server that does nothing. */
  async bare(groups: readonly Group[], bare: Side): Promise<void> {
    const wanted = groups.filter((group) => group.bare && this.#wants(...group.rows));
    if (wanted.length === 0) return;
    await bare.start();
    for (const group of wanted) {
      await group.measure(bare, this.#scale.warmUpSeconds);
      await this.#measure(group, bare, 'once');
    }
    await bare.stop();
  }

  async full(): Promise<void> {
    if (!this.#wants('memory-full', 'start-full', 'memory-reopened')) return;
    for (const side of this.#sides) await measureFull(side, this.#scale, this.results, this.#progress);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#sides.map((side) => side.stop()));
  }

  async #measure(group: Group, side: Side, when: string): Promise<void> {
    const samples = await group.measure(side, this.#scale.seconds);
    for (const [i, name] of group.rows.entries()) {
      const sample = samples[i]!;
      this.results.add(name, side.key, sample);
      const unit = rows.find((row) => row.name === name)!.unit;
      const failed = sample.failures ? `, ${sample.failures} FAILED` : '';
      this.#progress.step(`${name}, ${side.title}, ${when}: ${formatNumber(sample.value)} ${unit}${failed}`);
    }
  }
}

/** A run of everything on both sides is the one to keep; any other must not take its place. */
function resultNames(complete: boolean): { document: string; chart: string } {
  const name = complete ? 'latest' : 'partial';
  return { document: `${name}.md`, chart: `${name}.svg` };
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options.help) {
    console.log(`${usage}\n\n${rows.map((row) => `  ${row.name.padEnd(18)} ${row.title}`).join('\n')}`);
    return;
  }
  const chosen = chosenRows(options);
  const scale = scaleOf(options);
  const progress = new Progress();
  const generator = requireWrk();
  const cleanup = new Cleanup();
  cleanup.onSignals();
  const folder = mkdtempSync(join(tmpdir(), 'orch-bench-'));
  cleanup.add(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const machine = describeMachine(folder);
    const sides = await prepareSides(options, folder, cleanup, progress);
    const groups = loadGroups(scale, folder);
    const run = new Run(sides, scale, chosen, progress);
    await run.startEmpty();
    await run.loads(groups);
    await run.stop();
    const bareFolder = join(folder, 'bare');
    mkdirSync(bareFolder);
    const bare = await Bare.prepare(bareFolder, scale.listObjects);
    cleanup.add(() => bare.stop());
    await run.bare(groups, bare);
    await run.full();

    const complete = sides.length === 2 && !options.quick && options.only.length === 0;
    const names = resultNames(complete);
    const date = new Date().toISOString().slice(0, 10);
    const remarks = [
      ...(complete ? [] : ['A partial run: not for publishing.']),
      ...(sides.length === 2 ? [] : [`Only ${sides[0]?.title} was measured.`]),
    ];
    const document = resultsDocument(chosen, run.results, {
      date,
      command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(
        ' ',
      ),
      machine,
      scale,
      generator,
      sides: await Promise.all(sides.map((side) => side.describe())),
      chartFile: sides.length === 2 ? names.chart : undefined,
      remarks,
    });
    const folderOfResults = join(import.meta.dirname, 'results');
    writeFileSync(join(folderOfResults, names.document), document);
    if (sides.length === 2) {
      const subtitle = `${machine.cores} cores shared with the load generator, TLS, bearer token, durable writes, ${date}`;
      writeFileSync(join(folderOfResults, names.chart), ratioChart(chosen, run.results, subtitle));
    }
    console.log(`\n${asText(ratioTable(chosen, run.results))}`);
    const memory = memoryTable(chosen, run.results);
    if (memory.length > 0) console.log(`\n${asText(memory)}`);
    console.log(`\nwritten: bench/results/${names.document}`);
  } finally {
    await cleanup.run();
  }
}

try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
