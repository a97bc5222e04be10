/**
 * npm run test:parity: replays the corpus on Orch and on the reference kube-apiserver and compares every response; see README.md.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startBackend } from '../support/aggregated-server.ts';
import { ownAddress } from '../support/kubelet.ts';
import { startWebhook } from '../support/webhook.ts';
import { type Accepted, accepted as acceptedOfOrch } from './accepted.ts';
import type { Case, Subject } from './case.ts';
import { cleanUp, removeClusterObjects } from './cleanup.ts';
import { connectTo, type Server } from './client.ts';
import { type Comparison, compare, isIdentical, type Sides } from './compare.ts';
import { corpus } from './corpus/index.ts';
import { lineDiff } from './diff.ts';
import {
  referenceKit,
  type StartedReference,
  startOrch,
  startProxied,
  startReference,
  type Undo,
} from './servers.ts';

const { values: options } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    slow: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    record: { type: 'string' },
    defaults: { type: 'boolean', default: false },
    self: { type: 'boolean', default: false },
    storage: { type: 'string', default: 'memory' },
    'serving-threads': { type: 'string', default: '1' },
    jobs: { type: 'string', default: '4' },
    'orch-url': { type: 'string' },
    'orch-token': { type: 'string', default: 'admin-token' },
    'reference-url': { type: 'string' },
    'reference-token': { type: 'string', default: 'admin-token' },
  },
});

interface Job {
  subject: Subject;
  scenario: Case;
}

function chosen(): Job[] {
  const pattern = new RegExp(options.only);
  return corpus
    .filter(({ slow }) => !slow || options.slow)
    .flatMap((subject) => subject.cases.map((scenario) => ({ subject, scenario })))
    .filter(({ subject, scenario }) => pattern.test(`${subject.name}/${scenario.name}`));
}

async function main(): Promise<number> {
  let jobs = chosen();
  if (options.list) {
    for (const { subject, scenario } of jobs) console.log(`${subject.name}/${scenario.name}`);
    return 0;
  }
  const kit = referenceKit();
  if (!kit && !options['reference-url']) {
    console.log('PARITY SKIPPED: there is no reference kube-apiserver on this machine (set ORCH_REFERENCE).');
    return 0;
  }
  const undo: Undo = [];
  const stop = () => Promise.all(undo.splice(0).map((step) => step()));
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    const sides = await bothSides(kit, undo);
    if (jobs.some(({ subject }) => subject.hooked)) await addWebhook(sides, undo);
    if (jobs.some(({ subject }) => subject.backed)) jobs = await addBackend(sides, jobs, undo);
    const together = jobs.filter(({ subject }) => !subject.proxied && !subject.alone);
    const comparisons = await replayAll(together, sides);
    for (const job of jobs.filter(({ subject }) => subject.alone)) {
      comparisons.push(...(await replayAll([job], sides)));
    }
    const proxied = jobs.filter(({ subject }) => subject.proxied);
    if (proxied.length > 0) comparisons.push(...(await replayProxied(proxied, kit, sides.reference, undo)));
    for (const { agent } of Object.values(sides)) agent.destroy();
    return report(comparisons);
  } finally {
    await stop();
  }
}

async function bothSides(kit: string | undefined, undo: Undo): Promise<Sides> {
  console.log('starting both sides');
  const serving = options.defaults ? 'defaults' : 'everything';
  const { 'reference-url': referenceUrl, 'orch-url': orchUrl } = options;
  const reference = referenceUrl
    ? connectTo(referenceUrl, options['reference-token'])
    : await startReference(kit ?? '', serving, undo);
  if (options.self) return { reference, orch: reference };
  const orch = orchUrl
    ? connectTo(orchUrl, options['orch-token'])
    : await startOrch(options.storage, serving, undo, { 'serving-threads': options['serving-threads'] });
  return { reference, orch };
}

/** Starts the webhook of the subjects that need one. */
async function addWebhook(sides: Sides, undo: Undo): Promise<void> {
  const webhook = await startWebhook();
  undo.push(() => webhook.stop());
  for (const side of Object.values(sides) as Server[]) side.webhook = webhook;
}

/** Starts the extension API server of the subjects that need one. The reference rejects loopback addresses. */
async function addBackend(sides: Sides, jobs: Job[], undo: Undo): Promise<Job[]> {
  if (ownAddress === undefined) {
    console.log('cases with a server behind both are left out: this machine has only loopback.');
    return jobs.filter(({ subject }) => !subject.backed);
  }
  const started = await startBackend(ownAddress);
  undo.push(() => started.stop());
  for (const side of Object.values(sides) as Server[]) side.backend = { ...started, host: ownAddress };
  return jobs;
}

/** Replays the subjects that need their own servers, which are started only then. */
async function replayProxied(
  jobs: Job[],
  kit: string | undefined,
  reference: Sides['reference'],
  undo: Undo,
): Promise<Comparison[]> {
  if (!kit || !('etcd' in reference)) {
    console.log(`${jobs.length} cases with proxies are left out: they need servers that are started here.`);
    return [];
  }
  const serving = options.defaults ? 'defaults' : 'everything';
  const started = await startProxied(kit, reference as StartedReference, serving, undo);
  const sides = options.self ? { reference: started.reference, orch: started.reference } : started;
  const comparisons = await replayAll(jobs, sides);
  for (const { agent } of Object.values(started)) agent.destroy();
  return comparisons;
}

async function replayAll(jobs: Job[], sides: Sides): Promise<Comparison[]> {
  const run = Math.random().toString(36).slice(2, 7).padEnd(5, 'x');
  const results: Comparison[][] = [];
  let next = 0;
  let done = 0;
  async function worker(): Promise<void> {
    for (let index = next++; index < jobs.length; index = next++) {
      const { subject, scenario } = jobs[index] as Job;
      const unique = `${run}${String(index).padStart(3, '0')}`;
      results[index] = await compare(subject, scenario, sides, unique);
      done++;
      progress(`${done} of ${jobs.length} cases`);
    }
  }
  await Promise.all(Array.from({ length: Number(options.jobs) }, worker));
  progress('', true);
  const prefix = `parity-${run}`;
  await (options['reference-url'] ? cleanUp : removeClusterObjects)(sides.reference, prefix);
  await (options['orch-url'] ? cleanUp : removeClusterObjects)(sides.orch, prefix);
  return results.flat();
}

function progress(text: string, last = false): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\x1b[K${text}`);
  else if (!last && /(^|[^\d])\d*[05]0 of/.test(text)) console.log(text);
}

function report(comparisons: Comparison[]): number {
  const accepted = options.self ? [] : acceptedOfOrch;
  if (options.record) record(options.record, comparisons);
  const unused = new Set<Accepted>(accepted);
  let unexpected = 0;
  let tolerated = 0;
  for (const comparison of comparisons) {
    const identical = isIdentical(comparison);
    if (options.verbose)
      console.log(`${identical ? 'same' : 'DIFFERENT'}  ${comparison.id}  ${comparison.request}`);
    if (identical) continue;
    const entry = accepted.find(({ answers }) => answers.test(comparison.id));
    if (entry) {
      unused.delete(entry);
      tolerated++;
    } else {
      unexpected++;
    }
    if (!entry || options.verbose) show(comparison, entry);
  }
  const whole = options.only === '';
  const stale = whole ? [...unused] : [];
  for (const { answers, reason } of stale) {
    console.log(`Accepted but no longer different: ${answers} (${reason}). Strike it from accepted.ts.`);
  }
  const identical = comparisons.length - unexpected - tolerated;
  const refusals = comparisons.filter(({ reference }) => /^HTTP [45]/.test(reference[0] ?? '')).length;
  const share = ((100 * identical) / Math.max(1, comparisons.length)).toFixed(1);
  console.log(`${comparisons.length - refusals} answers to good requests, ${refusals} refusals`);
  console.log(
    `${identical} of ${comparisons.length} answers identical (${share} %), ${tolerated} differences accepted`,
  );
  return unexpected > 0 || stale.length > 0 ? 1 : 0;
}

function show({ id, request, reference, orch }: Comparison, entry?: Accepted): void {
  console.log(`\n${id}${entry ? `  (accepted: ${entry.reason})` : ''}\n${request}`);
  for (const line of lineDiff(reference, orch)) console.log(`    ${line}`);
}

/** Writes the response of the reference to every request. */
function record(file: string, comparisons: Comparison[]): void {
  writeFileSync(file, '');
  for (const { id, request, reference } of comparisons) {
    appendFileSync(file, `${id}\n${request}\n${reference.map((line) => `    ${line}\n`).join('')}\n`);
  }
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
