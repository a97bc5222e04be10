// The stage files of docs/guide/cluster.md, and the errors of invalid ones.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { kubernetes } from '../../src/dialect/index.ts';
import { type EmbeddedServer, startServer } from '../../src/index.ts';
import { readNodeStages } from '../../src/simulation/stages/stage-file.ts';
import { until } from '../support/controllers.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guide/cluster.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'orch-stages-'));
after(() => rmSync(folder, { recursive: true }));

function fileWith(text: string): string {
  const file = join(folder, `${Math.random()}.yaml`);
  writeFileSync(file, text);
  return file;
}

/** The YAML example under a heading of the page. */
function example(heading: string): string {
  const section = page.split(`\n### ${heading}\n`)[1];
  assert.ok(section, `no section ${heading}`);
  return /```yaml\n(.*?)```/s.exec(section)![1]!;
}

interface Pod {
  metadata: { name: string; finalizers?: string[] };
  status: {
    phase: string;
    reason?: string;
    message?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses: {
      ready: boolean;
      restartCount: number;
      state: { waiting?: { reason: string }; terminated?: { exitCode: number } };
      lastState: { terminated?: { exitCode: number } };
    }[];
  };
}

const reference = { apiVersion: 'v1', kind: 'Pod', name: 'pod', namespace: 'default' };

/** A server with the stages of an example, and one pod with a label. */
async function withExample(
  heading: string,
  app: string,
  run: (tools: {
    server: EmbeddedServer;
    /** Advances the clock until the pod is as expected. */
    pod(isGood: (pod: Pod) => boolean, stepMs?: number): Promise<Pod>;
    /** Waits for an Event with a reason. */
    event(reason: string): Promise<unknown>;
  }) => Promise<void>,
): Promise<void> {
  const server = await startServer({ nodes: 1, nodeStages: fileWith(example(heading)) });
  try {
    await server.client.create({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'pod', namespace: 'default', labels: { app } },
      spec: { nodeName: 'node-0', containers: [{ name: 'c', image: 'i' }] },
    });
    const look = async () => (await server.client.get(reference)) as unknown as Pod;
    await run({
      server,
      pod: (isGood, stepMs = 0) =>
        until(() => {
          if (stepMs > 0) server.clock.advance(stepMs);
          return look();
        }, isGood),
      event: (reason) =>
        until(
          () => server.client.list({ apiVersion: 'v1', kind: 'Event', namespace: 'default' }),
          ({ items }) => items.some((event) => event.reason === reason),
        ),
    });
  } finally {
    await server.stop();
  }
}

const waitingReason = ({ status }: Pod) => status.containerStatuses?.[0]?.state.waiting?.reason;
const conditionOf = ({ status }: Pod, type: string) =>
  status.conditions?.find((condition) => condition.type === type)?.status;

test('example: slow start', () =>
  withExample('Slow start', 'slow', async ({ server, pod, event }) => {
    await pod((pod) => waitingReason(pod) === 'ContainerCreating');
    server.clock.advance(15_000);
    assert.equal((await pod(() => true)).status.phase, 'Pending');
    await pod(({ status }) => status.phase === 'Running', 15_000);
    await event('Pulling');
  }));

test('example: images that cannot be pulled', () =>
  withExample('Images that cannot be pulled', 'no-image', async ({ pod }) => {
    await pod((pod) => waitingReason(pod) === 'ErrImagePull');
    const seen = await pod((pod) => waitingReason(pod) === 'ImagePullBackOff', 5_000);
    assert.equal(seen.status.phase, 'Pending');
    assert.equal(conditionOf(seen, 'Ready'), 'False');
    await pod((pod) => waitingReason(pod) === 'ErrImagePull', 60_000);
  }));

test('example: crash loop', () =>
  withExample('Crash loop', 'crash', async ({ pod, event }) => {
    const seen = await pod(
      (pod) =>
        waitingReason(pod) === 'CrashLoopBackOff' && pod.status.containerStatuses[0]!.restartCount >= 3,
      30_000,
    );
    assert.equal(seen.status.phase, 'Running');
    assert.equal(seen.status.containerStatuses[0]!.lastState.terminated?.exitCode, 1);
    await event('BackOff');
  }));

test('example: readiness that fails', () =>
  withExample('Readiness that fails', 'web', async ({ server, pod }) => {
    const annotate = (ready: string) =>
      server.client.patch(reference, { metadata: { annotations: { 'example.com/ready': ready } } });
    await pod((pod) => conditionOf(pod, 'Ready') === 'True');
    await annotate('false');
    await pod((pod) => conditionOf(pod, 'Ready') === 'False');
    await annotate('true');
    await pod((pod) => conditionOf(pod, 'Ready') === 'True');
  }));

test('example: eviction', () =>
  withExample('Eviction', 'greedy', async ({ pod, event }) => {
    await pod(({ status }) => status.phase === 'Running');
    const seen = await pod(({ status }) => status.phase === 'Failed', 30_000);
    assert.equal(seen.status.reason, 'Evicted');
    assert.equal(seen.status.containerStatuses[0]!.state.terminated?.exitCode, 137);
    assert.equal(conditionOf(seen, 'DisruptionTarget'), 'True');
    await event('Evicted');
  }));

test('example: pods that do not end', () =>
  withExample('Pods that do not end', 'stuck', async ({ server, pod }) => {
    await server.client.patch(reference, { metadata: { finalizers: ['example.com/hold'] } });
    await pod(({ status }) => status.phase === 'Running');
    await server.client.delete(reference);
    server.clock.advance(300_000);
    await pod(() => true);
    await until(
      () => {
        server.clock.advance(300_000);
        return server.client.list({ apiVersion: 'v1', kind: 'Pod' });
      },
      ({ items }) => items.length === 0,
    );
  }));

test('example: any status', () =>
  withExample('Any status', 'web', async ({ pod }) => {
    const { status } = await pod(({ status }) => status.phase === 'Running');
    assert.match(status.message!, /^started at \S+Z with 10\.128\.0\.1$/);
    assert.equal(status.containerStatuses, undefined);
  }));

test('every example of the page is tested', () => {
  const headings = Array.from(page.matchAll(/^### (.*)\n\n```yaml/gm), ([, heading]) => heading!);
  const tested = readFileSync(import.meta.filename, 'utf8');
  for (const heading of headings) assert.ok(tested.includes(`'${heading}'`), heading);
});

test('every YAML block of the page is a valid stage file', async () => {
  for (const [, text] of page.matchAll(/```yaml\n(.*?)```/gs))
    await readNodeStages(fileWith(text!), kubernetes);
});

const names = async (text: string) =>
  (await readNodeStages(fileWith(text), kubernetes)).stages.map(({ name }) => name);

test('a stage with a new name comes first, one with a built-in name replaces it, and a file can replace all', async () => {
  const builtin = (await readNodeStages(undefined, kubernetes)).stages.map(({ name }) => name);
  const stages = 'stages: [{ name: own, next: {} }, { name: start, next: {} }]';
  assert.deepEqual(await names(stages), ['own', ...builtin]);
  assert.deepEqual(await names(`replaceBuiltIn: true\n${stages}`), ['own', 'start']);
});

const problems: [text: string, problem: string][] = [
  ['[]', 'the file must be an object with stages, logs, devices, replaceBuiltIn'],
  ['stage: []', 'stage: unknown field (did you mean stages?)'],
  ['devices: [{ count: 2 }]', 'devices[0].driver is required'],
  ['devices: [{ driver: d, count: 129 }]', 'devices[0].count: must be a number from 1 to 128'],
  [
    'devices: [{ driver: d, attributes: { a: 1.5 } }]',
    'devices[0].attributes.a: must be a string, an integer, true, false or an object with version',
  ],
  ['stages: [{ next: {} }]', 'stages[0].name is required'],
  ['stages: [{ name: a }]', 'stages[0].next is required: the next state'],
  ['stages: [{ name: a, next: {} }, { name: a, next: {} }]', 'stages: the name a is used twice'],
  [
    'stages: [{ name: a, match: { phase: Done }, next: {} }]',
    'stages[0].match.phase: Done is not one of Pending, Running, Succeeded, Failed',
  ],
  ['stages: [{ name: a, delay: { duration: 5 }, next: {} }]', 'stages[0].delay.duration: must be a string'],
  [
    'stages: [{ name: a, next: { containers: { reason: x } } }]',
    'stages[0].next.containers.state is required: waiting, running, terminated',
  ],
  [
    'stages: [{ name: a, next: { message: "{{nope}}" } }]',
    'stages[0].next.message: no value for {{nope}}; there are now, nodeName, nodeIP, podIP, podName, podNamespace',
  ],
  [
    'stages: [{ name: a, match: { expression: "1 + 1" }, next: {} }]',
    'stages[0].match.expression: the result must be true or false',
  ],
  ['stages: [{ name: a, match: { labels: "=" }, next: {} }]', "stages[0].match.labels: found '='"],
  ['logs: [{ container: c }]', 'logs[0].text is required'],
];

for (const [text, problem] of problems) {
  test(`invalid: ${text}`, async () => {
    await assert.rejects(names(text), (error: Error) => {
      assert.ok(error.message.startsWith('--node-stages '), error.message);
      assert.ok(error.message.includes(`: ${problem}`), error.message);
      return true;
    });
  });
}
