import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Kubectl, kubectlSkipReason } from './kubectl.ts';
import { type ClientTarget, startTarget } from './target.ts';

describe('kubectl with workloads', { skip: kubectlSkipReason ?? false }, () => {
  let target: ClientTarget;
  let kubectl: Kubectl;
  const namespace = `workloads-${process.pid}`;
  const run = (args: string, input?: string) => kubectl.run(['-n', namespace, ...args.split(' ')], input);

  before(async () => {
    target = await startTarget();
    kubectl = new Kubectl(target);
    await kubectl.run(['create', 'namespace', namespace]);
    await run('create deployment web --image=web:1 --replicas=2 --port=80');
  });
  after(() => target?.stop());

  test('get prints replicas and images', async () => {
    assert.match(await run('get deployment web -o wide'), /web +0\/2 +0 +0 +\S+ +web +web:1 +app=web/);
  });

  test('expose creates a Service with a cluster IP, and get prints it', async () => {
    assert.match(await run('expose deployment web --port=80 --type=NodePort'), /exposed/);
    assert.match(await run('get service web'), /web +NodePort +10\.0\.0\.\d+ +<none> +80:3\d{4}\/TCP/);
  });

  test('get prints the status of pods and selects them by field', async () => {
    await run('create serviceaccount default');
    await run('run pause --image=pause');
    assert.match(await run('get pods'), /pause +0\/1 +Pending +0 +\S+/);
    assert.match(await run('get pods --field-selector=status.phase=Pending -o name'), /pod\/pause/);
    assert.equal(await run('get pods --field-selector=spec.nodeName=nowhere -o name'), '');
  });

  test('create makes Jobs, quotas, roles, service accounts and tokens from flags', async () => {
    await run('create job once --image=busybox');
    await kubectl.run([
      '-n',
      namespace,
      'create',
      'cronjob',
      'often',
      '--image=busybox',
      '--schedule=*/5 * * * *',
    ]);
    await run('create quota q --hard=pods=3,cpu=2');
    await run('create role reader --verb=get --resource=pods');
    await run('create serviceaccount robot');
    assert.match(await run('create token robot'), /^ey/);
    assert.match(
      await run('get job,cronjob,quota,role,serviceaccount'),
      /cronjob.batch\/often +\*\/5 \* \* \* \*/,
    );
  });

  test('auth can-i and whoami print permissions and user', async () => {
    assert.match(await run('auth can-i create pods'), /yes/);
    assert.match(await run('auth whoami'), /Username +\S+/);
  });

  test('get and describe print taints and unschedulable nodes', async () => {
    const node = {
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'machine' },
      spec: { unschedulable: true, taints: [{ key: 'key', value: 'value', effect: 'NoSchedule' }] },
    };
    await run('create -f -', JSON.stringify(node));
    assert.match(await run('get node machine'), /machine +Unknown,SchedulingDisabled +<none>/);
    assert.match(await run('describe node machine'), /Taints: +key=value:NoSchedule/);
  });
});
