// Processor waits: how long threads were ready to run while others had the processor, so that latencies can be told without them.
import { readFileSync } from 'node:fs';

const sampleMs = 5;

/** How long a thread ran, and how long it waited for a processor, in milliseconds. */
export interface ThreadTime {
  readonly ran: number;
  readonly waited: number;
}

/** The first thread of a process, which has its id. */
export function mainThreadTime(pid: number): ThreadTime {
  const [ran, waited] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ');
  return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 };
}

/** Samples the waits of the serving thread and of the own main thread. */
export class ProcessorWaits {
  readonly #pids: readonly number[];
  readonly #times: number[] = [];
  readonly #waits: number[] = [];
  #totals = [0, 0];

  constructor(servingPid: number) {
    this.#pids = [servingPid, process.pid];
    this.#sample();
    setInterval(() => this.#sample(), sampleMs).unref();
  }

  /** The waits between two times of `performance.now()`, in milliseconds. */
  between(from: number, to: number): number {
    this.#sample();
    return this.#at(to) - this.#at(from);
  }

  /** Both may wait at the same time, so that only the longer wait counts. */
  #sample(): void {
    const totals = this.#pids.map((pid) => mainThreadTime(pid).waited);
    const waited = Math.max(...totals.map((total, index) => total - this.#totals[index]!));
    this.#totals = totals;
    this.#times.push(performance.now());
    this.#waits.push((this.#waits.at(-1) ?? 0) + waited);
  }

  /** Interpolated between the samples around a time. */
  #at(time: number): number {
    let [low, high] = [0, this.#times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#times[middle]! <= time) low = middle;
      else high = middle;
    }
    const [start, end] = [this.#times[low]!, this.#times[high]!];
    const share = end === start ? 1 : Math.min(1, Math.max(0, (time - start) / (end - start)));
    return this.#waits[low]! + share * (this.#waits[high]! - this.#waits[low]!);
  }
}
