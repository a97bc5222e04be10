// The Deployment of packaging/kubernetes: three servers of the executable with its flags, on one etcd, with a read-only folder of
// certificates as a mounted Secret has it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import { findEtcd, TestEtcd } from '../../src/store/etcd/etcd.fixture.ts';
import { freePort } from '../support/free-port.ts';
import { Program } from '../support/program.ts';

interface Deployment {
  readonly kind: string;
  readonly spec: {
    readonly replicas: number;
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: string[] }[] } };
  };
}

/** Returns why it was skipped; undefined if it was not. */
export async function checkReplicas(executable: string, folder: string): Promise<string | undefined> {
  if (process.getuid?.() !== 0) return 'only root can mount a read-only folder';
  const found = findEtcd();
  if ('missing' in found) return found.missing;
  const documents = parseAllDocuments(readFileSync(resolve('packaging/kubernetes/orch.yaml'), 'utf8'));
  const { spec } = documents.map((document) => document.toJSON() as Deployment).find(isDeployment)!;
  const { args } = spec.template.spec.containers[0]!;
  const pki = await createSecret(executable, join(folder, 'secret'));
  const etcd = await TestEtcd.start(found.program);
  const servers: Program[] = [];
  try {
    const ports: number[] = [];
    for (let index = 0; index < spec.replicas; index++) {
      const port = await freePort();
      const [data, certificates] = [join(folder, `data-${index}`), join(folder, `pki-${index}`)];
      for (const path of [data, certificates]) mkdirSync(path);
      const words = args.map((word) =>
        word
          .replace('http://etcd:2379', etcd.url)
          .replace('/var/lib/orch', data)
          .replace('/etc/orch/pki', certificates)
          .replace('$(POD_IP)', `127.0.0.${index + 2}`),
      );
      const script = [
        `mount --bind ${pki} ${certificates}`,
        `mount -o remount,bind,ro ${certificates}`,
        `exec ${executable} ${words.join(' ')} --secure-port ${port}`,
      ].join(' && ');
      servers.push(new Program('unshare', ['--mount', 'sh', '-c', script]));
      ports.push(port);
    }
    for (const server of servers) await server.printed(/ready in/);
    await useReplicas(ports, pki);
  } finally {
    await Promise.all(servers.map((server) => server.stop('SIGTERM')));
    await etcd.stop();
  }
  return undefined;
}

const isDeployment = ({ kind }: Deployment) => kind === 'Deployment';

/** The files that the manifest's first command creates. */
async function createSecret(executable: string, folder: string): Promise<string> {
  const words = ['serve', '--dialect', 'kubernetes', '--storage', 'memory', '--secure-port', 'auto'];
  const server = new Program(executable, [...words, '--data-dir', folder]);
  await server.printed(/ready in/);
  assert.equal((await server.stop('SIGTERM')).code, 0);
  return join(folder, 'pki');
}

/** What one server writes the others read, and each accepts the tokens and certificates of the others. */
async function useReplicas(ports: readonly number[], pki: string): Promise<void> {
  const read = (name: string) => readFileSync(join(pki, name), 'utf8');
  const admin = { cert: read('admin.crt'), key: read('admin.key') };
  const send = async (port: number, path: string, body?: object, token?: string) => {
    const sent = request({
      ...{ host: '127.0.0.1', port, path, method: body ? 'POST' : 'GET', agent: false },
      ...{ ca: read('ca.crt'), servername: 'orch.orch-system.svc' },
      ...(token === undefined && admin),
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { code: response.statusCode, body: JSON.parse(await text(response)) };
  };
  const configMaps = '/api/v1/namespaces/default/configmaps';
  assert.equal((await send(ports[0]!, configMaps, { metadata: { name: 'shared' } })).code, 201);
  const account = '/api/v1/namespaces/default/serviceaccounts/default/token';
  const issued = await send(ports[0]!, account, { spec: {} });
  assert.equal(issued.code, 201);
  for (const port of ports) {
    assert.equal((await send(port, `${configMaps}/shared`)).code, 200);
    const { code } = await send(port, configMaps, undefined, issued.body.status.token);
    assert.equal(code, 403, 'the token is valid, and its user has no rights');
  }
}
