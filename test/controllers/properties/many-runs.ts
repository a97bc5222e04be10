// npm run test:controllers -- --properties: very many random runs of the workload controllers.
import { runLeaders } from './leaders.ts';
import { runWorkloads } from './run.ts';

/** Runs that share a server and its restarts, or two servers that lead in turn. */
const runsPerServer = 100;

type RunSome = (options: { readonly firstSeed: number; readonly workloads: number }) => Promise<string[]>;

/** Resolves to the number of problems. */
export const runProperties = (runs: number, firstSeed: number): Promise<number> =>
  runMany(runWorkloads, runs, firstSeed);

export const runLeaderProperties = (runs: number, firstSeed: number): Promise<number> =>
  runMany(runLeaders, runs, firstSeed);

async function runMany(runSome: RunSome, runs: number, firstSeed: number): Promise<number> {
  let found = 0;
  for (let done = 0; done < runs; done += runsPerServer) {
    const workloads = Math.min(runsPerServer, runs - done);
    const problems = await runSome({ firstSeed: firstSeed + done, workloads });
    for (const problem of problems) console.log(`✗ ${problem}`);
    found += problems.length;
    console.log(`… ${done + workloads} runs, ${found} problems`);
  }
  console.log(`${runs} random runs from seed ${firstSeed}, ${found} problems`);
  return found;
}
