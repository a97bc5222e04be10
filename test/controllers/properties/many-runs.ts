// npm run test:controllers -- --properties: very many random runs of the workload controllers.
import { runWorkloads } from './run.ts';

/** Runs that share a server and its restarts. */
const runsPerServer = 100;

/** Resolves to the number of problems. */
export async function runProperties(runs: number, firstSeed: number): Promise<number> {
  let found = 0;
  for (let done = 0; done < runs; done += runsPerServer) {
    const workloads = Math.min(runsPerServer, runs - done);
    const problems = await runWorkloads({ firstSeed: firstSeed + done, workloads });
    for (const problem of problems) console.log(`✗ ${problem}`);
    found += problems.length;
    console.log(`… ${done + workloads} runs, ${found} problems`);
  }
  console.log(`${runs} random runs from seed ${firstSeed}, ${found} problems`);
  return found;
}
