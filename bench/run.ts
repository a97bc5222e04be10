// Runs the measurements of the benchmark in rounds that alternate between the servers.
import { measureCustomResources } from './loads/custom-resources.ts';
import { concurrentUpdates } from './loads/fan-out.ts';
import { measureFull, memoryAfterSettling } from './loads/footprint.ts';
import type { LoadGroup } from './loads/load-group.ts';
import { seed } from './loads/seed.ts';
import { waitUntilIdle } from './machine/usage.ts';
import { churnNamespace, listNamespace, watchNamespace } from './objects.ts';
import type { Progress } from './progress.ts';
import { formatNumber } from './report/format.ts';
import { cpuMicroseconds } from './report/tables.ts';
import { Results, type Row, type RowName, rowsOf, type Sample } from './rows.ts';
import type { Scale } from './scale.ts';
import type { Side } from './sides/side.ts';

/** The machine counts as idle if other processes use less than this. Two idle servers do. */
export const quietCores = 0.25;

/** Alternates which side is first, so that neither always has the warmer machine. */
const alternated = (sides: readonly Side[], round: number): readonly Side[] =>
  round % 2 === 1 ? sides : sides.toReversed();

/** Runs the measurements on prepared sides. */
export class Run {
  readonly results = new Results();
  /** Failed attempts. The run continues after them. */
  readonly failures: string[] = [];
  readonly #sides: readonly Side[];
  readonly #scale: Scale;
  readonly #progress: Progress;
  readonly #selectedRows: ReadonlySet<string>;

  constructor(sides: readonly Side[], scale: Scale, selectedRows: readonly Row[], progress: Progress) {
    this.#sides = sides;
    this.#scale = scale;
    this.#progress = progress;
    this.#selectedRows = new Set(selectedRows.map((row) => row.name));
  }

  #isSelected(...names: readonly RowName[]): boolean {
    return names.some((name) => this.#selectedRows.has(name));
  }

  async runAll(groups: readonly LoadGroup[], bare: Side): Promise<void> {
    const selected = groups.filter((group) => this.#isSelected(...group.rows));
    if (selected.length > 0 || this.#isSelected('start-empty', 'memory-idle')) await this.#startEmpty();
    if (selected.length > 0) await this.#loads(selected);
    await Promise.all(this.#sides.map((side) => side.stop()));
    await this.#measureBareServer(
      selected.filter((group) => group.includesBareServer),
      bare,
    );
    if (this.#isSelected('memory-full', 'start-full', 'memory-reopened')) {
      for (const side of this.#sides) await measureFull(side, this.#scale, this.results, this.#progress);
    }
    if (this.#isSelected('crds-create', 'crds-memory', 'crds-start', 'crds-reopened')) {
      for (const side of this.#sides)
        await measureCustomResources(side, this.#scale, this.results, this.#progress);
    }
  }

  /** Leaves every side running. */
  async #startEmpty(): Promise<void> {
    const rounds = this.#isSelected('start-empty') ? this.#scale.rounds : 1;
    for (let round = 1; round <= rounds; round++) {
      for (const side of alternated(this.#sides, round)) {
        await side.stop();
        const seconds = (await side.startEmpty()) / 1000;
        this.results.add('start-empty', side.key, { value: seconds });
        this.#progress.step(`start-empty, ${side.title}, round ${round}: ${formatNumber(seconds)} s`);
      }
    }
    if (!this.#isSelected('memory-idle')) return;
    this.#progress.step(`memory-idle, waiting ${this.#scale.settleSeconds} s`);
    for (const [i, side] of this.#sides.entries()) {
      const settled = await memoryAfterSettling(side, i === 0 ? this.#scale.settleSeconds : 0);
      this.results.add('memory-idle', side.key, settled);
    }
  }

  async #loads(groups: readonly LoadGroup[]): Promise<void> {
    for (const side of this.#sides) {
      await seed(side, listNamespace, this.#scale.listObjects, this.#progress);
      await seed(side, churnNamespace, 0, this.#progress);
      await seed(side, watchNamespace, concurrentUpdates, this.#progress);
    }
    for (const group of groups) {
      for (const side of this.#sides) {
        await this.#recordFailure(group, side, async () => {
          await group.prepare?.(side, this.#progress);
          await group.measure(side, this.#scale.warmUpSeconds);
        });
      }
      for (let round = 1; round <= this.#scale.rounds; round++) {
        for (const side of alternated(this.#sides, round)) await this.#measure(group, side, `round ${round}`);
      }
    }
  }

  /** Measures the limit of the load generator. */
  async #measureBareServer(groups: readonly LoadGroup[], bare: Side): Promise<void> {
    if (groups.length === 0) return;
    await bare.start();
    for (const group of groups) {
      await this.#attempt(group, bare, this.#scale.warmUpSeconds);
      await this.#measure(group, bare, 'once');
    }
    await bare.stop();
  }

  #attempt(group: LoadGroup, side: Side, seconds: number): Promise<readonly Sample[] | undefined> {
    return this.#recordFailure(group, side, () => group.measure(side, seconds));
  }

  async #recordFailure<T>(group: LoadGroup, side: Side, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const failure = `${group.rows.join(' and ')}, ${side.title}: ${error instanceof Error ? error.message : error}`;
      this.failures.push(failure);
      this.#progress.step(`FAILED: ${failure}`);
      return undefined;
    }
  }

  async #measure(group: LoadGroup, side: Side, label: string): Promise<void> {
    let best: readonly Sample[] | undefined;
    for (let attempt = 1; attempt <= this.#scale.attempts; attempt++) {
      const samples = await this.#attempt(group, side, this.#scale.seconds);
      if (!samples) continue;
      if (!best || disturbanceOf(samples) < disturbanceOf(best)) best = samples;
      if (disturbanceOf(best) < quietCores || attempt === this.#scale.attempts) break;
      this.#progress.step(
        `${group.rows.join(' and ')}, ${side.title}: other processes used ${formatNumber(disturbanceOf(samples))} cores`,
      );
      await waitUntilIdle(
        this.#sides.flatMap((other) => other.pids()),
        quietCores,
        this.#scale.maxIdleWaitSeconds,
      );
    }
    if (!best) return;
    for (const [i, name] of group.rows.entries()) {
      const sample = best[i]!;
      this.results.add(name, side.key, sample);
      const row = rowsOf(this.#scale).find((candidate) => candidate.name === name)!;
      const failed = sample.failures ? `, ${sample.failures} FAILED` : '';
      const cost = cpuMicroseconds(row, sample, sample.serverCores);
      const cpu = cost === undefined ? '' : `, ${formatNumber(cost)} µs of CPU time`;
      this.#progress.step(
        `${name}, ${side.title}, ${label}: ${formatNumber(sample.value)} ${row.unit}${cpu}${failed}`,
      );
    }
  }
}

const disturbanceOf = (samples: readonly Sample[]): number =>
  Math.max(...samples.map((sample) => sample.otherCores ?? 0));
