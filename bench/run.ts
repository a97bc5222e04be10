import { measureCustomKinds } from './loads/custom-kinds.ts';
import { lanes } from './loads/fan-out.ts';
import { measureFull, memoryAfterSettling } from './loads/footprint.ts';
import type { Group } from './loads/groups.ts';
import { seed } from './loads/seed.ts';
import { untilQuiet } from './machine/usage.ts';
import { churnNamespace, listNamespace, watchNamespace } from './objects.ts';
import type { Progress } from './progress.ts';
import { formatNumber } from './report/format.ts';
import { Results, type Row, type RowName, rowsOf, type Sample } from './rows.ts';
import type { Scale } from './scale.ts';
import type { Side } from './sides/side.ts';

/** Both servers idling beside a measurement use less than this. */
export const quietCores = 0.25;

/** Every side first in turn, so that neither always has the warmer or the quieter machine. */
const inTurn = (sides: readonly Side[], round: number): readonly Side[] =>
  round % 2 === 1 ? sides : sides.toReversed();

/** The measurements in their order, on sides that are prepared. */
export class Run {
  readonly results = new Results();
  /** Attempts that failed. The rest goes on: a long run is not lost to one of them. */
  readonly failures: string[] = [];
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

  async all(groups: readonly Group[], bare: Side): Promise<void> {
    const wanted = groups.filter((group) => this.#wants(...group.rows));
    if (wanted.length > 0 || this.#wants('start-empty', 'memory-idle')) await this.#startEmpty();
    if (wanted.length > 0) await this.#loads(wanted);
    await Promise.all(this.#sides.map((side) => side.stop()));
    await this.#bare(
      wanted.filter((group) => group.bare),
      bare,
    );
    if (this.#wants('memory-full', 'start-full', 'memory-reopened')) {
      for (const side of this.#sides) await measureFull(side, this.#scale, this.results, this.#progress);
    }
    if (this.#wants('crds-create', 'crds-memory', 'crds-start', 'crds-reopened')) {
      for (const side of this.#sides)
        await measureCustomKinds(side, this.#scale, this.results, this.#progress);
    }
  }

  /** Leaves every side running. */
  async #startEmpty(): Promise<void> {
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

  async #loads(groups: readonly Group[]): Promise<void> {
    for (const side of this.#sides) {
      await seed(side, listNamespace, this.#scale.listObjects, this.#progress);
      await seed(side, churnNamespace, 0, this.#progress);
      await seed(side, watchNamespace, lanes, this.#progress);
    }
    for (const group of groups) {
      for (const side of this.#sides) {
        await this.#unlessFailing(group, side, async () => {
          await group.prepare?.(side, this.#progress);
          await group.measure(side, this.#scale.warmUpSeconds);
        });
      }
      for (let round = 1; round <= this.#scale.rounds; round++) {
        for (const side of inTurn(this.#sides, round)) await this.#measure(group, side, `round ${round}`);
      }
    }
  }

  /** What the load generator reaches on a server that does nothing. */
  async #bare(groups: readonly Group[], bare: Side): Promise<void> {
    if (groups.length === 0) return;
    await bare.start();
    for (const group of groups) {
      await this.#attempt(group, bare, this.#scale.warmUpSeconds);
      await this.#measure(group, bare, 'once');
    }
    await bare.stop();
  }

  #attempt(group: Group, side: Side, seconds: number): Promise<readonly Sample[] | undefined> {
    return this.#unlessFailing(group, side, () => group.measure(side, seconds));
  }

  async #unlessFailing<T>(group: Group, side: Side, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      const failure = `${group.rows.join(' and ')}, ${side.title}: ${error instanceof Error ? error.message : error}`;
      this.failures.push(failure);
      this.#progress.step(`FAILED: ${failure}`);
      return undefined;
    }
  }

  async #measure(group: Group, side: Side, when: string): Promise<void> {
    let best: readonly Sample[] | undefined;
    for (let attempt = 1; attempt <= this.#scale.attempts; attempt++) {
      const samples = await this.#attempt(group, side, this.#scale.seconds);
      if (!samples) continue;
      if (!best || disturbanceOf(samples) < disturbanceOf(best)) best = samples;
      if (disturbanceOf(best) < quietCores || attempt === this.#scale.attempts) break;
      this.#progress.step(
        `${group.rows.join(' and ')}, ${side.title}: others on the machine used ${formatNumber(disturbanceOf(samples))} cores`,
      );
      await untilQuiet(
        this.#sides.flatMap((each) => each.pids()),
        quietCores,
        this.#scale.patienceSeconds,
      );
    }
    if (!best) return;
    for (const [i, name] of group.rows.entries()) {
      const sample = best[i]!;
      this.results.add(name, side.key, sample);
      const unit = rowsOf(this.#scale).find((row) => row.name === name)!.unit;
      const failed = sample.failures ? `, ${sample.failures} FAILED` : '';
      this.#progress.step(`${name}, ${side.title}, ${when}: ${formatNumber(sample.value)} ${unit}${failed}`);
    }
  }
}

const disturbanceOf = (samples: readonly Sample[]): number =>
  Math.max(...samples.map((sample) => sample.otherCores ?? 0));
