// Attacks by aggregated API servers: a server answers discovery and proxied requests in a hostile way.
import { request as httpsRequest } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Server } from '../parity/client.ts';
import { ownAddress } from '../support/kubelet.ts';
import type { Attack, AttackClass } from './attack.ts';
import { setUp } from './client.ts';
import { behaviours, type HostileServer, json, startHostileServer } from './hostile-server.ts';

const group = 'hostile.example.com';
const namespace = 'hostile';
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
const concurrency = 10;
/** A hostile response may go on for as long as the client reads. */
const readTimeoutMs = 1_500;
const discoveryMs = 3_000;

const discovery = JSON.stringify({
  kind: 'APIResourceList',
  apiVersion: 'v1',
  groupVersion: `${group}/v1`,
  resources: [],
});

export const aggregatedServers: AttackClass = {
  name: 'aggregated servers',
  sides: ['orch', 'reference'],
  async prepare({ server, undo }) {
    let discoveryBehaviour = '';
    const hostile = await startHostileServer(ownAddress!, (response, request) => {
      const behave = behaviours[discoveryBehaviour];
      if (behave) behave(response, request);
      else json(response, discovery);
    });
    undo.push(() => hostile.close());
    await register(server, hostile.port);
    undo.push(async () => {
      await setUp(server, 'DELETE', `${apiServices}/v1.${group}`);
      await setUp(server, 'DELETE', `/api/v1/namespaces/${namespace}`);
    });
    const names = Object.keys(behaviours);
    const proxied = names.map((name) => proxiedAttack(server, hostile, name));
    const discovered = names.map(
      (name): Attack => ({
        name: `discovery: ${name}`,
        async run() {
          discoveryBehaviour = name;
          try {
            await Promise.all([
              get(server, `/apis/${group}/v1`),
              get(server, '/openapi/v3'),
              sleep(discoveryMs),
            ]);
            assertNotFollowed(hostile);
          } finally {
            discoveryBehaviour = '';
          }
        },
      }),
    );
    return { target: server, attacks: [...proxied, ...discovered] };
  },
};

async function register(server: Server, port: number): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}`;
  const ports = [{ name: 'https', port }];
  await setUp(server, 'POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await setUp(server, 'POST', `${path}/services`, { metadata: { name: 'api' }, spec: { ports } });
  await setUp(server, 'POST', `${path}/endpoints`, {
    metadata: { name: 'api' },
    subsets: [{ addresses: [{ ip: ownAddress }], ports }],
  });
  await setUp(server, 'POST', apiServices, {
    metadata: { name: `v1.${group}` },
    spec: {
      group,
      version: 'v1',
      groupPriorityMinimum: 1000,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace, name: 'api', port },
    },
  });
  for (let attempt = 0; (await get(server, `/apis/${group}/v1`)) !== 200; attempt++) {
    if (attempt === 100) throw new Error('the aggregated server never became available');
    await sleep(100);
  }
}

function proxiedAttack(server: Server, hostile: HostileServer, name: string): Attack {
  return {
    name: `a proxied request: ${name}`,
    async run() {
      const path = `/apis/${group}/v1/${name}`;
      await Promise.all(Array.from({ length: concurrency }, () => get(server, path)));
      assertNotFollowed(hostile);
    },
  };
}

function assertNotFollowed(hostile: HostileServer): void {
  if (hostile.takeFollowedRedirects() > 0) throw new Error('a redirect was followed');
}

/** Reads a response for a while; resolves to its status, 0 without one. */
function get({ url, token, agent: _ }: Server, path: string): Promise<number> {
  return new Promise((resolve) => {
    let status = 0;
    const sent = httpsRequest(new URL(path, url), {
      headers: { authorization: `Bearer ${token}` },
      rejectUnauthorized: false,
      agent: false,
    });
    const timer = setTimeout(() => sent.destroy(), readTimeoutMs);
    sent.on('response', (response) => {
      status = response.statusCode ?? 0;
      response.on('error', () => {}).resume();
    });
    sent.on('error', () => {});
    sent.once('close', () => {
      clearTimeout(timer);
      resolve(status);
    });
    sent.end();
  });
}
