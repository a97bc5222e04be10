// Rotation of the signing key of service accounts: old tokens are valid only while the old key is listed.
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Server } from '../parity/client.ts';
import {
  referenceKit,
  type StartedReference,
  type StartedServer,
  startOrch,
  startReferenceBeside,
  type Undo,
} from '../parity/servers.ts';
import { ask, setUpObject } from './ask.ts';
import type { Attack, Side } from './attack.ts';

const accounts = '/api/v1/namespaces/default/serviceaccounts';
const name = 'attack-rotation';

/** Starts three servers one after the other on the same storage, the second and third with a new key. */
export function rotatedKeys(side: Side, server: StartedServer, answers: Map<string, string>): Attack[] {
  const run = async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attack-rotation-'));
    try {
      const [first, second] = [await createKey(folder, 'first'), await createKey(folder, 'second')];
      const both = join(folder, 'both.pub');
      await writeFile(both, `${second.publicPem}${first.publicPem}`);
      const withServer = <T>(key: Key, verifying: string, use: (server: Server) => Promise<T>) =>
        withRestarted(side, server, folder, key, verifying, use);
      const token = await withServer(first, first.publicFile, issue);
      const check = async (step: string, verifying: string, expected: number) => {
        const status = await withServer(second, verifying, (restarted) => statusWith(restarted, token));
        answers.set(step, `${status}`);
        if (status !== expected) throw new Error(`${step}: ${status}`);
      };
      await check('an old token, and only the new key', second.publicFile, 401);
      await check('an old token, and the old key is listed', both, 201);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
  return [{ name: 'a rotated signing key', count: 2, run }];
}

interface Key {
  readonly privateFile: string;
  readonly publicFile: string;
  readonly publicPem: string;
}

async function createKey(folder: string, file: string): Promise<Key> {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const publicPem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const [privateFile, publicFile] = [join(folder, `${file}.key`), join(folder, `${file}.pub`)];
  await writeFile(privateFile, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(publicFile, publicPem);
  return { privateFile, publicFile, publicPem };
}

async function withRestarted<T>(
  side: Side,
  server: StartedServer,
  folder: string,
  key: Key,
  verifying: string,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const undo: Undo = [];
  const flags = {
    'service-account-signing-key-file': key.privateFile,
    'service-account-key-file': verifying,
  };
  try {
    const restarted =
      side === 'orch'
        ? await startOrch('lmdb', 'defaults', undo, { ...flags, 'data-dir': join(folder, 'data') })
        : await startReferenceBeside(referenceKit()!, server as StartedReference, folder, flags, undo);
    try {
      return await use(restarted);
    } finally {
      restarted.agent.destroy();
    }
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

async function issue(server: Server): Promise<string> {
  await setUpObject(server, 'POST', accounts, { metadata: { name } });
  const { status } = await setUpObject(server, 'POST', `${accounts}/${name}/token`, { spec: {} });
  return (status as { token: string }).token;
}

async function statusWith(server: Server, token: string): Promise<number> {
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  return (await ask({ ...server, token }, 'POST', path, { body: {} })).status;
}
