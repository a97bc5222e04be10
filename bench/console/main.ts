// npm run bench:console: frame rate of a table with 10,000 rows that change 1,000 times a second, size of the first load, and what the
// console costs a server that nobody looks at. Needs Chromium; prints JSON.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { startServer } from '../../src/index.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '10000' },
    'changes-per-second': { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '10' },
  },
});
const [rows, rate, seconds] = [
  Number(values.rows),
  Number(values['changes-per-second']),
  Number(values.seconds),
];
const executablePath = [process.env.ORCH_CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path && existsSync(path),
);
if (!executablePath) throw new Error('Chromium is missing: install it, or name it in ORCH_CHROMIUM');

const path = '/api/v1/namespaces/default/configmaps';
const nameOf = (row: number) => `row-${String(row).padStart(6, '0')}`;

const server = await startServer();
await inParallel(rows, (row) => send(path, 'POST', { metadata: { name: nameOf(row) }, data: { a: '0' } }));
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
let loadBytes = 0;
page.on('response', async (response) => {
  const isOwn = /\/console\/(assets\/.*)?$/.test(new URL(response.url()).pathname);
  if (isOwn) loadBytes += Number((await response.allHeaders())['content-length'] ?? 0);
});
await page.goto(`${server.url}/console/#/kind/configmaps?ns=default`);
// A server with HTTPS has a CA bundle in each namespace, which is one more.
await page
  .locator('.count', { hasText: new RegExp(`^(${rows}|${rows + 1})$`) })
  .waitFor({ timeout: 120_000 });

const frames = page.evaluate(`new Promise((resolve) => {
  const times = [];
  const end = performance.now() + ${seconds * 1000};
  const step = (now) => { times.push(now); now < end ? requestAnimationFrame(step) : resolve(times); };
  requestAnimationFrame(step);
})`) as Promise<number[]>;
const changes = await changeRows();
const times = await frames;
const gaps = times.slice(1).map((time, index) => time - times[index]!);
gaps.sort((one, other) => one - other);
await browser.close();
await server.stop();

console.log(
  JSON.stringify(
    {
      rows,
      changesPerSecond: Math.round(changes / seconds),
      framesPerSecond: Math.round(((times.length - 1) * 1000) / (times.at(-1)! - times[0]!)),
      frameMsP99: Math.round(gaps[Math.floor(gaps.length * 0.99)]! * 10) / 10,
      firstLoadBytes: loadBytes,
      idle: await costWhenNobodyLooks(),
    },
    null,
    2,
  ),
);

/** Changes rows at the rate, in batches of a tenth of a second. */
async function changeRows(): Promise<number> {
  const perBatch = Math.max(1, Math.round(rate / 10));
  let done = 0;
  const start = performance.now();
  for (let batch = 0; performance.now() - start < seconds * 1000; batch++) {
    const patch = { data: { [`k${batch % 7}`]: String(batch) } };
    await inParallel(perBatch, (index) => {
      const row = (batch * perBatch + index * 37) % rows;
      return send(`${path}/${nameOf(row)}`, 'PATCH', patch, 'application/merge-patch+json');
    });
    done += perBatch;
    const wait = start + (batch + 1) * 100 - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
  }
  return done;
}

/** Processor time of many small requests, with the console and without it: nobody looks in either case. */
async function costWhenNobodyLooks(): Promise<Record<string, number>> {
  const cost: Record<string, number> = {};
  for (const [name, isServed] of [
    ['microsecondsWithConsole', true],
    ['microsecondsWithout', false],
  ] as const) {
    const other = await startServer({ console: isServed });
    const requests = 5_000;
    const get = async () => {
      const response = await fetch(`${other.url}/api/v1/namespaces/default`);
      await response.arrayBuffer();
    };
    for (let i = 0; i < 500; i++) await get();
    const before = process.cpuUsage();
    for (let i = 0; i < requests; i++) await get();
    const { user, system } = process.cpuUsage(before);
    cost[name] = Math.round((user + system) / requests);
    await other.stop();
  }
  return cost;
}

async function send(
  target: string,
  method: string,
  body: unknown,
  contentType = 'application/json',
): Promise<void> {
  const response = await fetch(`${server.url}${target}`, {
    method,
    headers: { 'content-type': contentType },
    body: JSON.stringify(body),
  });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${method} ${target}: ${response.status}`);
}

async function inParallel(count: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let index = next++; index < count; index = next++) await run(index);
  };
  await Promise.all(Array.from({ length: 32 }, work));
}
