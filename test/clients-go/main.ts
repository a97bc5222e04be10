/** Runs the typed Go clientsets on Orch; see README.md. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { kubeconfig } from '../../src/cli/kubeconfig.ts';
import { onPath } from '../aggregation/sample-apiserver/sample-server.ts';
import { buildProgram } from '../envtest/go.ts';
import { referenceKit, startOrch, startReference, type Undo } from '../parity/servers.ts';
import { examples } from './examples.ts';

const { values: options } = parseArgs({
  options: {
    server: { type: 'string', default: 'orch' },
  },
});
const isReference = options.server === 'reference';

async function main(): Promise<number> {
  const go = onPath('go');
  const kit = referenceKit();
  const missing = go ? isReference && !kit && 'no kube-apiserver (set ORCH_REFERENCE)' : 'no Go';
  if (missing) {
    const mark = '!'.repeat(20);
    console.log(`${mark} GO CLIENTS SKIPPED: there is ${missing} on this machine. ${mark}`);
    return 0;
  }
  const undo: Undo = [];
  const stop = async () => {
    for (const step of undo.splice(0)) await step();
  };
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => stop().finally(() => process.exit(130)));
  try {
    return await useClientsets(go!, kit, undo);
  } finally {
    await stop();
  }
}

/** Every resource by its typed client, in Protobuf and in JSON. */
async function useClientsets(go: string, kit: string | undefined, undo: Undo): Promise<number> {
  console.log('building the program that uses the clientsets, which takes minutes the first time');
  const program = await buildProgram(go, join(import.meta.dirname, 'clientsets'), 'clientsets');
  const server = isReference
    ? await startReference(kit!, 'everything', undo)
    : await startOrch('memory', 'everything', undo);
  const folder = await mkdtemp(join(tmpdir(), 'orch-clientsets-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  const access = kubeconfig({
    url: server.url.origin,
    caCertificate: readFileSync(server.authority, 'utf8'),
    credentials: { token: 'admin-token' },
  });
  await writeFile(join(folder, 'kubeconfig'), access, { mode: 0o600 });
  await writeFile(join(folder, 'examples.json'), JSON.stringify(examples()));
  server.agent.destroy();
  const words = ['-kubeconfig', join(folder, 'kubeconfig'), '-examples', join(folder, 'examples.json')];
  const child = spawn(program, words, { stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code === 0 ? 0 : 1));
  });
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
