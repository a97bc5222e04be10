// Secrets in logs: clients send every kind of secret at each verbosity, and none may appear in the output.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectTo, exchange, type Server } from '../parity/client.ts';
import { ServerProcess } from '../support/server-process.ts';
import type { AttackClass } from './attack.ts';

const verbosities = Array.from({ length: 11 }, (_, verbosity) => verbosity);

const secrets = {
  token: 'valid-token-8c31f0',
  wrongToken: 'wrong-token-77ad02',
  password: 'basic-password-19be',
  cookie: 'cookie-value-5510aa',
  parameter: 'query-token-c0ffee',
  content: 'secret-content-aa91',
};

export const logs: AttackClass = {
  name: 'secrets in logs',
  sides: ['orch'],
  async prepare({ server, undo }) {
    const folder = await mkdtemp(join(tmpdir(), 'orch-attacks-'));
    undo.push(() => rm(folder, { recursive: true, force: true }));
    const tokens = join(folder, 'tokens.csv');
    await writeFile(tokens, `${secrets.token},admin,1,system:masters\n`);
    return {
      target: server,
      attacks: verbosities.map((verbosity) => ({
        name: `-v ${verbosity}`,
        run: () => sendSecrets(['--token-auth-file', tokens, '-v', String(verbosity)]),
      })),
    };
  },
};

async function sendSecrets(flags: readonly string[]): Promise<void> {
  const cleanups: (() => Promise<void>)[] = [];
  try {
    const started = await ServerProcess.prepare({ after: (cleanup) => void cleanups.push(cleanup) });
    let log = '';
    started.onLog = (text) => {
      log += text;
    };
    await started.start(...flags);
    const { key, cert } = started.administrator();
    const accountToken = await useSecrets(connectTo(started.secureUrl, secrets.token), { key, cert });
    const { stdout, stderr } = await started.end('SIGTERM');
    const output = `${log}${stdout}${stderr}`;
    const base64 = Buffer.from(secrets.content).toString('base64');
    const basic = Buffer.from(`someone:${secrets.password}`).toString('base64');
    const keyLine = key.split('\n')[1]!;
    const sent = { ...secrets, base64, basic, keyLine, accountToken: accountToken.split('.')[2]! };
    for (const [what, value] of Object.entries(sent)) {
      if (output.includes(value)) throw new Error(`${what} is in the log`);
    }
  } finally {
    for (const cleanup of cleanups) await cleanup();
  }
}

/** Sends all secrets, in valid and in invalid requests; resolves to a service account token. */
async function useSecrets(server: Server, pair: { key: string; cert: string }): Promise<string> {
  const secretsPath = '/api/v1/namespaces/default/secrets';
  const accounts = '/api/v1/namespaces/default/serviceaccounts';
  const send = async (method: string, path: string, body?: object | string, more: object = {}) => {
    const text = typeof body === 'object' ? JSON.stringify(body) : body;
    const headers = {
      authorization: `Bearer ${secrets.token}`,
      'content-type': 'application/json',
      ...more,
    };
    const bytes = text === undefined ? {} : { body: Buffer.from(text) };
    return (await exchange(server, { method, path, headers, ...bytes })).body;
  };
  const stringData = { password: secrets.content };
  for (const authorization of [
    `Bearer ${secrets.wrongToken}`,
    `bearer  ${secrets.wrongToken}`,
    secrets.wrongToken,
    `Basic ${Buffer.from(`someone:${secrets.password}`).toString('base64')}`,
  ]) {
    await send('GET', secretsPath, undefined, { authorization, cookie: `session=${secrets.cookie}` });
  }
  for (const path of [secretsPath, '/nothing', '/api/v1/watch', '/%zz']) {
    await send('GET', `${path}?token=${secrets.parameter}&access_token=${secrets.parameter}`);
  }
  await send('POST', secretsPath, { metadata: { name: 'kept' }, stringData });
  await send('POST', secretsPath, { metadata: { name: 'Not A Name' }, stringData });
  await send('POST', secretsPath, { metadata: { name: 'x' }, stringData, [secrets.content]: 1 });
  await send('POST', secretsPath, `{"stringData":{"password":"${secrets.content}"`);
  await send('GET', `${secretsPath}/kept`);
  await send('PATCH', `${secretsPath}/kept`, `[{"op":"test","path":"/data","value":"${secrets.content}"}]`, {
    'content-type': 'application/json-patch+json',
  });
  await send('PUT', `${secretsPath}/kept`, { metadata: { name: 'kept', resourceVersion: '1' }, stringData });
  await send('POST', accounts, { metadata: { name: 'robot' } });
  const made = JSON.parse(await send('POST', `${accounts}/robot/token`, { spec: {} })) as {
    status: { token: string };
  };
  const { token } = made.status;
  await send('GET', secretsPath, undefined, { authorization: `Bearer ${token}` });
  await send('GET', secretsPath, undefined, { authorization: `Bearer ${token}AAAA` });
  await exchange(server, { method: 'GET', path: secretsPath, headers: {}, certificate: pair });
  server.agent.destroy();
  return token;
}
