// The number of objects, rounds and seconds of a benchmark run.
import type { Options } from './options.ts';

export interface Scale {
  readonly rounds: number;
  /** Maximum attempts of a measurement that other processes disturb. */
  readonly attempts: number;
  /** Maximum time that the next attempt waits until the machine is idle. */
  readonly maxIdleWaitSeconds: number;
  /** Duration of each measured load, and of the warm-up before its first round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly listObjects: number;
  /** Deployments per row that writes Deployments. */
  readonly deployments: number;
  readonly memoryObjects: number;
  readonly watchers: number;
  /** Watches with a label selector each. */
  readonly selectorWatchers: number;
  readonly leases: number;
  /** The list whose pages are read during writes. */
  readonly largeListObjects: number;
  readonly customKinds: number;
  /** How long a server is idle before its memory is measured. */
  readonly settleSeconds: number;
}

export function scaleOf(options: Options): Scale {
  return options.quick
    ? {
        rounds: options.rounds ?? 1,
        attempts: 1,
        maxIdleWaitSeconds: 0,
        seconds: 2,
        warmUpSeconds: 1,
        listObjects: 10_000,
        deployments: 2_000,
        memoryObjects: 20_000,
        watchers: 1_000,
        selectorWatchers: options.full ? 10_000 : 2_000,
        leases: 1_000,
        largeListObjects: 5_000,
        customKinds: 200,
        settleSeconds: 5,
      }
    : {
        rounds: options.rounds ?? 3,
        attempts: 3,
        maxIdleWaitSeconds: 60,
        seconds: 5,
        warmUpSeconds: 5,
        listObjects: 10_000,
        deployments: 2_000,
        memoryObjects: 100_000,
        watchers: 1_000,
        selectorWatchers: options.full ? 10_000 : 2_000,
        leases: 5_000,
        largeListObjects: options.full ? 100_000 : 20_000,
        customKinds: 1_000,
        settleSeconds: 30,
      };
}
