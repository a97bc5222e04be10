import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';
import { defaultOptions } from '../../src/server/options.ts';
import { runServer } from '../../src/server/server.ts';
import type { RunningServer } from '../../src/server/server-parts.ts';
import { silentLogger } from '../../src/telemetry/log.ts';

// managedFields are sorted by time: here all writes have the same time.
const clock = { ...systemClock, now: () => Date.UTC(2026, 0, 31) };
const options = { ...defaultOptions, storage: 'memory', httpPort: 0, securePort: undefined } as const;
const threaded = await runServer({ ...options, writeThreads: 2 }, { logger: silentLogger, clock });
const plain = await runServer({ ...options, writeThreads: 0 }, { logger: silentLogger, clock });
after(() => Promise.all([threaded.stop(), plain.stop()]));

const deployments = '/apis/apps/v1/namespaces/default/deployments';

const deployment = (name: string, image: string) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name, note: 'x'.repeat(60) }, annotations: { about: 'y'.repeat(3_000) } },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'web', image }] } },
  },
});

interface Answer {
  readonly code: number;
  readonly warnings: string | null;
  readonly body: string;
}

async function send(
  { url }: RunningServer,
  method: string,
  path: string,
  body: unknown,
  type = 'application/json',
): Promise<Answer> {
  const response = await fetch(`${url}${path}`, {
    method,
    body: JSON.stringify(body),
    headers: { 'content-type': type, 'user-agent': 'threads-test' },
  });
  return {
    code: response.status,
    warnings: response.headers.get('warning'),
    body: withoutChance(await response.text()),
  };
}

/** Values that a server generates. */
const withoutChance = (text: string) => text.replace(/"(resourceVersion|uid)":"[^"]*"/g, '"$1":""');

/** All requests for one object, one after the other. */
async function life(server: RunningServer, name: string): Promise<Answer[]> {
  const path = `${deployments}/${name}?pretty=false`;
  const applied = `${path}&fieldManager=other`;
  const answers: Answer[] = [];
  const say = async (...request: [string, string, unknown, string?]) => {
    answers.push(await send(server, ...request));
  };
  await say('POST', `${deployments}?pretty=false`, deployment(name, 'a'));
  await say('POST', `${deployments}?pretty=false`, deployment(name, 'a'));
  await say('PUT', path, deployment(name, 'b'));
  await say('PUT', path, deployment(name, 'b'));
  await say('PUT', path, { ...deployment(name, 'b'), unknown: 1 });
  await say('PUT', path, deployment(name, ''));
  await say('PUT', path, {
    ...deployment(name, 'c'),
    metadata: { ...deployment(name, 'c').metadata, resourceVersion: '1' },
  });
  await say('PUT', `${deployments}/${name}/status?pretty=false`, {
    ...deployment(name, 'd'),
    status: { replicas: 3 },
  });
  await say(
    'PATCH',
    path,
    [{ op: 'replace', path: '/metadata/labels/note', value: 'z' }],
    'application/json-patch+json',
  );
  await say('PATCH', path, [{ op: 'remove', path: '/nowhere' }], 'application/json-patch+json');
  await say('PATCH', path, { spec: { replicas: 5 } }, 'application/merge-patch+json');
  const sidecar = { spec: { template: { spec: { containers: [{ name: 'sidecar', image: 's' }] } } } };
  await say('PATCH', path, sidecar, 'application/strategic-merge-patch+json');
  await say('PATCH', applied, deployment(name, 'e'), 'application/apply-patch+yaml');
  await say('PATCH', `${applied}&force=true`, deployment(name, 'e'), 'application/apply-patch+yaml');
  await say('PATCH', `${applied}&force=true`, deployment(name, 'e'), 'application/apply-patch+yaml');
  await say('DELETE', path, { propagationPolicy: 'Background' });
  return answers;
}

async function workedOutElsewhere(server: RunningServer): Promise<number> {
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  return Number(/apiserver_prepared_writes_total\{thread="other"\} (\d+)/.exec(metrics)?.[1] ?? 0);
}

const names = Array.from({ length: 16 }, (_, n) => `object-${n}`);

test('writes prepared on worker threads get the same responses', async () => {
  const expected = await life(plain, 'object-0');
  // Threads are started under load, which takes a while.
  for (let round = 0; round < 40; round++) {
    const lives = await Promise.all(names.map((name) => life(threaded, name)));
    lives.forEach((answers, n) => {
      const renamed = JSON.stringify(answers).replaceAll(`object-${n}`, 'object-0');
      assert.deepEqual(JSON.parse(renamed), expected);
    });
    if ((await workedOutElsewhere(threaded)) > 200) return;
  }
  assert.fail('no thread was used');
});

test('no write is lost when many threads and clients change one object', async () => {
  await send(threaded, 'POST', deployments, deployment('shared', 'a'));
  const labels = Array.from({ length: 120 }, (_, n) => `label-${n}`);
  const before = await workedOutElsewhere(threaded);
  const answers = await Promise.all(
    labels.map((label) =>
      send(
        threaded,
        'PATCH',
        `${deployments}/shared`,
        { metadata: { labels: { [label]: 'set' } } },
        'application/merge-patch+json',
      ),
    ),
  );
  const response = await fetch(`${threaded.url}${deployments}/shared`);
  const object = (await response.json()) as { metadata: { labels: Record<string, string> } };
  const acknowledged = labels.filter((_, n) => answers[n]!.code === 200);
  assert.deepEqual(
    Object.keys(object.metadata.labels)
      .filter((label) => label.startsWith('label-'))
      .sort(),
    acknowledged.sort(),
  );
  for (const { code } of answers) assert.ok(code === 200 || code === 409, String(code));
  assert.ok((await workedOutElsewhere(threaded)) > before);
});

test('a new object that policies validate is prepared on a worker thread, and rejected if they deny it', async () => {
  const group = '/apis/admissionregistration.orch.io/v1';
  const rule = { apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] };
  await send(threaded, 'POST', `${group}/validatingadmissionpolicies`, {
    metadata: { name: 'even' },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.data['n'].endsWith('0')", message: 'only round numbers' }],
    },
  });
  await send(threaded, 'POST', `${group}/validatingadmissionpolicybindings`, {
    metadata: { name: 'even' },
    spec: { policyName: 'even', validationActions: ['Deny'] },
  });
  const path = '/api/v1/namespaces/default/configmaps';
  const before = await workedOutElsewhere(threaded);
  for (let round = 0; round < 40; round++) {
    const numbers = Array.from({ length: 64 }, (_, i) => round * 64 + i);
    await Promise.all(
      numbers.map(async (n) => {
        const data = { n: String(n), much: 'x'.repeat(2_000) };
        const { code, body } = await send(threaded, 'POST', path, {
          metadata: { name: `looked-at-${n}` },
          data,
        });
        assert.equal(code, n % 10 === 0 ? 201 : 422, body);
        if (code === 422) assert.match(body, /only round numbers/);
        const stored = await fetch(`${threaded.url}${path}/looked-at-${n}`);
        assert.equal(stored.status, code === 201 ? 200 : 404);
      }),
    );
    if ((await workedOutElsewhere(threaded)) > before + 100) return;
  }
  assert.fail('no thread was used');
});
