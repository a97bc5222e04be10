// kubectl with pods on simulated nodes: rollouts, top, autoscale, logs, exec, attach, port-forward.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type EmbeddedServer, startServer } from '../../src/index.ts';
import { freePort } from '../support/free-port.ts';
import { Kubectl, kubectlSkipReason } from './kubectl.ts';

describe('kubectl with simulated nodes', { skip: kubectlSkipReason ?? false }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'orch-simulation-'));
  let server: EmbeddedServer;
  let kubectl: Kubectl;

  before(async () => {
    server = await startServer({ dialect: 'kubernetes', nodes: 1, securePort: 0 });
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, server.kubeconfig);
    const nothing = async () => {};
    kubectl = new Kubectl({ kubeconfig, folder, restart: nothing, stop: nothing });
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', annotations: { 'simulation.orch.io/logs': 'hello\nworld' } },
      spec: { nodeName: 'node-0', containers: [{ name: 'web', image: 'nginx' }] },
    };
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(pod));
    await kubectl.run(['wait', '--for=condition=Ready', 'pod/web', '--timeout=60s']);
  });
  after(async () => {
    await server?.stop();
    rmSync(folder, { recursive: true });
  });

  test('get shows the node as Ready and the pod as Running', async () => {
    assert.match(await kubectl.run(['get', 'nodes']), /node-0 +Ready .*v1\.33\.0-simulated/);
    assert.match(await kubectl.run(['get', 'pods']), /web +1\/1 +Running +0/);
  });

  test('a Deployment rolls out, is rolled back, paused, scaled and resumed', async () => {
    await kubectl.run(['create', 'deployment', 'app', '--image=one', '--replicas=5']);
    const waitForRollout = () => kubectl.run(['rollout', 'status', 'deployment/app', '--timeout=60s']);
    assert.match(await waitForRollout(), /successfully rolled out/);
    assert.match(await kubectl.run(['get', 'deployment', 'app']), /app +5\/5 +5 +5/);
    await kubectl.run(['set', 'image', 'deployment/app', 'one=two']);
    await waitForRollout();
    await kubectl.run(['rollout', 'undo', 'deployment/app']);
    await waitForRollout();
    const image = '-o=jsonpath={.items[*].spec.containers[0].image}';
    const running = ['get', 'pods', '-l', 'app=app', '--field-selector=status.phase=Running', image];
    assert.deepEqual(new Set((await kubectl.run(running)).split(' ')), new Set(['one']));
    await kubectl.run(['rollout', 'pause', 'deployment/app']);
    await kubectl.run(['set', 'image', 'deployment/app', 'one=three']);
    await kubectl.run(['scale', 'deployment/app', '--replicas=2']);
    // A paused Deployment is scaled, but its new template is not rolled out.
    const isScaled = '--for=jsonpath={.status.replicas}=2';
    await kubectl.run(['wait', isScaled, 'deployment/app', '--timeout=60s']);
    const paused = JSON.parse(await kubectl.run(['get', 'deployment', 'app', '-o=json']));
    assert.equal(paused.status.updatedReplicas, undefined);
    assert.equal(paused.status.observedGeneration, paused.metadata.generation);
    await kubectl.run(['rollout', 'resume', 'deployment/app']);
    await waitForRollout();
    const images = ['get', 'deployment', 'app', '-o=jsonpath={.status.updatedReplicas} {..image}'];
    assert.equal(await kubectl.run(images), '2 three');
    await kubectl.run(['delete', 'deployment', 'app', '--timeout=60s']);
    await kubectl.run(['wait', '--for=delete', 'pod', '-l', 'app=app', '--timeout=60s']);
  });

  test('a StatefulSet with claim templates rolls out, and its claims are bound and expanded', async () => {
    const metadata = { labels: { app: 'db' } };
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const set = {
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name: 'db' },
      spec: {
        replicas: 2,
        serviceName: 'db',
        selector: { matchLabels: metadata.labels },
        template: { metadata, spec: { containers: [{ name: 'c', image: 'i' }] } },
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec }],
      },
    };
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(set));
    await kubectl.run(['rollout', 'status', 'statefulset/db', '--timeout=60s']);
    assert.match(
      await kubectl.run(['get', 'storageclass']),
      /simulated \(default\) +simulation\.orch\.io\/volumes/,
    );
    assert.match(
      await kubectl.run(['get', 'pvc', 'data-db-1']),
      /data-db-1 +Bound +pvc-\S+ +1Gi +RWO +simulated/,
    );
    const larger = '{"spec":{"resources":{"requests":{"storage":"3Gi"}}}}';
    await kubectl.run(['patch', 'pvc', 'data-db-1', '-p', larger]);
    const grown = '--for=jsonpath={.status.capacity.storage}=3Gi';
    await kubectl.run(['wait', grown, 'pvc/data-db-1', '--timeout=60s']);
    await kubectl.run(['delete', 'statefulset/db', 'pvc/data-db-0', 'pvc/data-db-1', '--timeout=60s']);
    await kubectl.run(['wait', '--for=delete', 'pv', '--all', '--timeout=60s']);
  });

  test('a pod that fits nowhere says why', async () => {
    const limits = { requests: { cpu: '1000' } };
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'huge' },
      spec: { containers: [{ name: 'c', image: 'x', resources: limits }] },
    };
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(pod));
    await kubectl.run(['wait', '--for=condition=PodScheduled=false', 'pod/huge', '--timeout=60s']);
    const described = await kubectl.run(['describe', 'pod', 'huge']);
    assert.match(described, /FailedScheduling .*0\/1 nodes are available: 1 Insufficient cpu/);
    await kubectl.run(['delete', 'pod', 'huge']);
  });

  test('top shows the usage of pods and nodes', async () => {
    assert.match(await kubectl.run(['top', 'pods']), /web +10m +32Mi/);
    assert.match(await kubectl.run(['top', 'pod', 'web', '--containers']), /web +web +10m +32Mi/);
    assert.match(await kubectl.run(['top', 'nodes']), /node-0 +10m +0% +32Mi +0%/);
  });

  test('autoscale scales a Deployment by the usage of its pods', async () => {
    await kubectl.run(['create', 'deployment', 'busy', '--image=one']);
    const annotations = { 'simulation.orch.io/cpu-usage': '200m' };
    const container = { name: 'one', resources: { requests: { cpu: '100m' } } };
    const template = { metadata: { annotations }, spec: { containers: [container] } };
    const patch = JSON.stringify({ spec: { template } });
    await kubectl.run(['patch', 'deployment', 'busy', '-p', patch]);
    await kubectl.run(['rollout', 'status', 'deployment/busy', '--timeout=60s']);
    await kubectl.run(['autoscale', 'deployment', 'busy', '--cpu-percent=50', '--max=3']);
    server.clock.advance(15_000);
    const replicas = '--for=jsonpath={.spec.replicas}=3';
    await kubectl.run(['wait', replicas, 'deployment/busy', '--timeout=60s']);
    await kubectl.run(['wait', '--for=condition=ScalingActive', 'hpa/busy', '--timeout=60s']);
    assert.match(await kubectl.run(['get', 'hpa', 'busy']), /cpu: 200%\/50% +1 +3 +1 /);
    assert.match(
      await kubectl.run(['describe', 'hpa', 'busy']),
      /SuccessfulRescale .*New size: 3; reason: cpu resource/,
    );
    await kubectl.run(['delete', 'hpa,deployment', 'busy']);
  });

  test('logs prints the configured text', async () => {
    assert.equal(await kubectl.run(['logs', 'web']), 'hello\nworld\n');
    assert.equal(await kubectl.run(['logs', 'web', '--tail=1']), 'world\n');
  });

  test('exec prints the command, and cat echoes standard input', async () => {
    assert.equal(await kubectl.run(['exec', 'web', '--', 'sh', '-c', 'echo hi']), 'sh -c echo hi\n');
    const text = 'line\n'.repeat(20_000);
    assert.equal(await kubectl.run(['exec', '-i', 'web', '--', 'cat'], text), text);
  });

  test('attach prints the log and echoes standard input', async () => {
    assert.match(await kubectl.run(['attach', '-i', 'web'], 'input\n'), /hello\nworld\ninput\n/);
  });

  test('port-forward echoes bytes', async () => {
    const port = await freePort();
    const forwarding = kubectl.follow(['port-forward', 'pod/web', `${port}:80`]);
    try {
      await forwarding.printed(/Forwarding from 127/);
      for (const text of ['first', 'second'.repeat(20_000)]) {
        const socket = connect(port, '127.0.0.1');
        socket.end(text);
        let echoed = '';
        for await (const chunk of socket) echoed += chunk;
        assert.equal(echoed, text);
      }
    } finally {
      await forwarding.stop();
    }
  });

  // The last test: it evicts the pod of the others.
  test('cordon, uncordon, drain and taint', async () => {
    const node = 'drained';
    const manifest = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: node, labels: { 'simulation.orch.io/node': 'true', role: node } },
    };
    await kubectl.run(['apply', '-f', '-'], JSON.stringify(manifest));
    await kubectl.run(['wait', '--for=condition=Ready', `node/${node}`, '--timeout=60s']);
    await kubectl.run(['cordon', node]);
    const taints = ['get', 'node', node, '-o=jsonpath={.spec.taints[*].key}'];
    const untilTaints = async (expected: string) => {
      while ((await kubectl.run(taints)) !== expected)
        await new Promise((resolve) => setTimeout(resolve, 200));
    };
    await untilTaints('node.kubernetes.io/unschedulable');
    assert.match(await kubectl.run(['get', 'nodes']), /drained +Ready,SchedulingDisabled/);
    await kubectl.run(['uncordon', node]);
    await untilTaints('');
    await kubectl.run(['create', 'deployment', 'moving', '--image=one', '--replicas=4']);
    await kubectl.run(['rollout', 'status', 'deployment/moving', '--timeout=60s']);
    const places = ['get', 'pods', '-l', 'app=moving', '-o=jsonpath={.items[*].spec.nodeName}'];
    assert.ok((await kubectl.run(places)).split(' ').includes(node));
    await kubectl.run(['drain', node, '--timeout=60s']);
    await kubectl.run(['rollout', 'status', 'deployment/moving', '--timeout=60s']);
    assert.deepEqual(new Set((await kubectl.run(places)).split(' ')), new Set(['node-0']));
    await kubectl.run(['taint', 'node', 'node-0', 'example.com/broken=:NoExecute']);
    await kubectl.run(['wait', '--for=delete', 'pod/web', '--timeout=60s']);
    await kubectl.run(['taint', 'node', 'node-0', 'example.com/broken-']);
    await kubectl.run(['delete', 'deployment', 'moving', '--timeout=60s']);
    await kubectl.run(['delete', 'node', node]);
  });
});
