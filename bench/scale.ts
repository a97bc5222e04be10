import type { Options } from './options.ts';

/** How much of everything one run does. */
export interface Scale {
  readonly rounds: number;
  /** How often a measurement that other work on the machine has disturbed is taken at most. */
  readonly attempts: number;
  /** How long the next attempt waits at most for the machine to become quiet. */
  readonly patienceSeconds: number;
  /** Seconds of each timed load, and of the uncounted one before its first round. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly listObjects: number;
  /** For each row about Deployments, so many of its own. */
  readonly deployments: number;
  readonly memoryObjects: number;
  readonly watchers: number;
  readonly customKinds: number;
  /** How long a server is left alone before its memory is read. */
  readonly settleSeconds: number;
}

export function scaleOf(options: Options): Scale {
  return options.quick
    ? {
        rounds: options.rounds ?? 1,
        attempts: 1,
        patienceSeconds: 0,
        seconds: 2,
        warmUpSeconds: 1,
        listObjects: 10_000,
        deployments: 2_000,
        memoryObjects: 20_000,
        watchers: 1_000,
        customKinds: 200,
        settleSeconds: 5,
      }
    : {
        rounds: options.rounds ?? 3,
        attempts: 3,
        patienceSeconds: 60,
        seconds: 5,
        warmUpSeconds: 5,
        listObjects: 10_000,
        deployments: 2_000,
        memoryObjects: 100_000,
        watchers: 1_000,
        customKinds: 1_000,
        settleSeconds: 30,
      };
}
