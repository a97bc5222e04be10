// Attacks by admission webhooks: a server answers each review in a hostile way.
import type { Server } from '../parity/client.ts';
import type { Attack, AttackClass } from './attack.ts';
import { send } from './client.ts';
import { behaviours, type HostileServer, json, startHostileServer } from './hostile-server.ts';

const host = '127.0.0.1';
const group = '/apis/admissionregistration.k8s.io/v1';
const configMaps = '/api/v1/namespaces/default/configmaps';
const concurrency = 10;
const label = 'attack';

export const webhooks: AttackClass = {
  name: 'admission webhooks',
  sides: ['orch', 'reference'],
  async prepare({ server, undo }) {
    const hostile = await startHostileServer(host, (response) => json(response, '{}'));
    undo.push(() => hostile.close());
    const kinds = ['validating', 'mutating'];
    const attacks = kinds.flatMap((kind) =>
      Object.keys(behaviours).map((behaviour) => attackBy(server, hostile, kind, behaviour)),
    );
    return { target: server, attacks };
  },
};

function attackBy(server: Server, hostile: HostileServer, kind: string, behaviour: string): Attack {
  const path = `${group}/${kind}webhookconfigurations`;
  const name = `${behaviour}-${kind}`;
  return {
    name: `a ${kind} webhook: ${behaviour}`,
    async run() {
      await send(server, 'POST', path, {
        metadata: { name },
        webhooks: [
          {
            name: 'hostile.example.com',
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            timeoutSeconds: 1,
            clientConfig: {
              url: `https://${host}:${hostile.port}/${behaviour}`,
              caBundle: Buffer.from(hostile.ca).toString('base64'),
            },
            objectSelector: { matchLabels: { [label]: name } },
            rules: [
              { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'] },
            ],
          },
        ],
      });
      try {
        await untilActive(server, name);
        const all = Array.from({ length: concurrency }, () => create(server, name));
        for (const status of await Promise.all(all)) {
          if (status < 400) throw new Error(`the object was created in spite of the webhook (${status})`);
        }
        if (hostile.takeFollowedRedirects() > 0) throw new Error('a redirect was followed');
      } finally {
        await send(server, 'DELETE', `${path}/${name}`);
      }
    },
  };
}

async function create(server: Server, name: string): Promise<number> {
  const metadata = { generateName: 'attacked-', labels: { [label]: name } };
  return (await send(server, 'POST', `${configMaps}?dryRun=All`, { metadata })).status;
}

/** Servers use a new webhook after a moment. */
async function untilActive(server: Server, name: string): Promise<void> {
  const end = performance.now() + 10_000;
  while ((await create(server, name)) < 400) {
    if (performance.now() > end) throw new Error('the webhook was never called');
  }
}
