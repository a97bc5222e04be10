// Counts the files of src/ whose functions a GET and a POST of a ConfigMap call: node scripts/launch.mjs scripts/request-path.ts [--list]
import { Session } from 'node:inspector/promises';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServer } from '../src/index.ts';

const source = resolve('src');
const server = await startServer({ controllers: [] });
const collection = `${server.url}/api/v1/namespaces/default/configmaps`;

async function post(name: string): Promise<void> {
  const body = JSON.stringify({ metadata: { name }, data: { color: 'blue' } });
  const headers = { 'content-type': 'application/json' };
  await (await fetch(collection, { method: 'POST', headers, body })).arrayBuffer();
}

async function get(): Promise<void> {
  await (await fetch(`${collection}/first`)).arrayBuffer();
}

const inspector = new Session();
inspector.connect();
await inspector.post('Profiler.enable');
await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

/** Files with a function that ran since the last call: taking the coverage resets the counts. */
async function filesCalled(): Promise<string[]> {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const called = result.filter(({ functions }) => functions.some(({ ranges }) => ranges[0]!.count > 0));
  return called
    .filter(({ url }) => url.startsWith('file:'))
    .map(({ url }) => relative(source, fileURLToPath(url)))
    .filter((path) => !path.startsWith('..'))
    .sort();
}

// The first requests open connections, fill caches and load modules, which is not counted.
await post('first');
await get();

for (const [name, request] of [
  ['GET of a ConfigMap', get],
  ['POST of a ConfigMap', () => post('second')],
] as const) {
  await filesCalled();
  await request();
  const files = await filesCalled();
  console.log(`${name}: ${files.length} files`);
  if (process.argv.includes('--list')) console.log(files.map((file) => `  ${file}`).join('\n'));
}
inspector.disconnect();
await server.stop();
