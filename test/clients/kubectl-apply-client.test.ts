import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment, documents, web } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';
const annotation = `.metadata.annotations.${lastApplied}`;

describe('kubectl apply, client-side', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('apply-client');
  });
  after(() => work?.stop());

  const apply = (manifest: string, more = '') => work.run(`apply -f -${more}`, manifest);

  test('creates, leaves unchanged, configures, and removes fields that are no longer applied', async () => {
    assert.equal(await apply(configMap('a', { color: 'blue', size: 'big' })), 'configmap/a created\n');
    const created = await work.object('configmap/a');
    assert.deepEqual(owners(created), {
      'kubectl-client-side-apply Update': [
        '.data',
        '.data.color',
        '.data.size',
        '.metadata.annotations',
        annotation,
      ],
    });
    assert.equal(
      created.metadata.annotations[lastApplied],
      `{"apiVersion":"v1","data":{"color":"blue","size":"big"},"kind":"ConfigMap","metadata":{"annotations":{},"name":"a","namespace":"${work.namespace}"}}\n`,
    );

    assert.equal(await apply(configMap('a', { color: 'blue', size: 'big' })), 'configmap/a unchanged\n');
    assert.deepEqual(await work.object('configmap/a'), created);

    assert.equal(await apply(configMap('a', { color: 'red' })), 'configmap/a configured\n');
    const changed = await work.object('configmap/a');
    assert.deepEqual(changed.data, { color: 'red' });
    assert.deepEqual(owners(changed), {
      'kubectl-client-side-apply Update': ['.data', '.data.color', '.metadata.annotations', annotation],
    });
  });

  test('keeps fields of others, and warns if the object was not created by apply', async () => {
    await work.run('create -f -', configMap('made', { color: 'blue', size: 'big' }));
    const { code, stdout, stderr } = await work.try('apply -f -', configMap('made', { color: 'red' }));
    assert.equal(code, 0);
    assert.equal(stdout, 'configmap/made configured\n');
    assert.match(
      stderr,
      /^Warning: resource configmaps\/made is missing the kubectl.kubernetes.io\/last-applied-configuration annotation/,
    );
    const object = await work.object('configmap/made');
    assert.deepEqual(object.data, { color: 'red', size: 'big' });
    assert.deepEqual(owners(object), {
      'kubectl-client-side-apply Update': ['.data.color', '.metadata.annotations', annotation],
      'kubectl-create Update': ['.data', '.data.size'],
    });
  });

  test('resets a removed field to its default, and removes a list element', async () => {
    assert.equal(await apply(deployment('web', { replicas: 2 })), 'deployment.apps/web created\n');
    assert.equal(await apply(deployment('web', { replicas: 2 })), 'deployment.apps/web unchanged\n');
    await work.run('scale deployment web --replicas=5');

    assert.equal(await apply(deployment('web')), 'deployment.apps/web configured\n');
    assert.equal((await work.object('deployment/web')).spec.replicas, 1);

    const only = { ...web, image: 'web:2', ports: [] };
    assert.equal(await apply(deployment('web', { containers: [only] })), 'deployment.apps/web configured\n');
    const object = await work.object('deployment/web');
    assert.equal(object.metadata.generation, 4);
    const { containers } = object.spec.template.spec;
    assert.equal(containers.length, 1);
    assert.equal(containers[0].image, 'web:2');
    assert.equal(containers[0].ports, undefined);
    const container = '.spec.template.spec.containers[name=web]';
    assert.deepEqual(owners(object), {
      'kubectl-client-side-apply Update': [
        '.metadata.annotations',
        annotation,
        '.spec.progressDeadlineSeconds',
        '.spec.replicas',
        '.spec.revisionHistoryLimit',
        '.spec.selector',
        '.spec.strategy.rollingUpdate',
        '.spec.strategy.rollingUpdate.maxSurge',
        '.spec.strategy.rollingUpdate.maxUnavailable',
        '.spec.strategy.type',
        '.spec.template.metadata.labels',
        '.spec.template.metadata.labels.app',
        container,
        `${container}.image`,
        `${container}.imagePullPolicy`,
        `${container}.name`,
        `${container}.resources`,
        `${container}.terminationMessagePath`,
        `${container}.terminationMessagePolicy`,
        '.spec.template.spec.dnsPolicy',
        '.spec.template.spec.restartPolicy',
        '.spec.template.spec.schedulerName',
        '.spec.template.spec.securityContext',
        '.spec.template.spec.terminationGracePeriodSeconds',
      ],
    });
  });

  test('removes a port of a Service and moves a label', async () => {
    const service = (labels: object, ports: readonly object[]) =>
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Service',
        metadata: { name: 'door', labels },
        spec: { selector: { app: 'web' }, ports },
      });
    const http = { name: 'http', port: 80 };
    const https = { name: 'https', port: 443 };
    assert.equal(await apply(service({ old: 'yes' }, [http, https])), 'service/door created\n');
    const { clusterIP } = (await work.object('service/door')).spec;
    assert.equal(await apply(service({ new: 'yes' }, [https])), 'service/door configured\n');
    const object = await work.object('service/door');
    assert.equal(object.spec.clusterIP, clusterIP);
    assert.deepEqual(object.metadata.labels, { new: 'yes' });
    assert.deepEqual(object.spec.ports, [{ ...https, protocol: 'TCP', targetPort: 443 }]);
    const port = '.spec.ports[port=443,protocol=TCP]';
    assert.deepEqual(owners(object), {
      'kubectl-client-side-apply Update': [
        '.metadata.annotations',
        annotation,
        '.metadata.labels',
        '.metadata.labels.new',
        '.spec.internalTrafficPolicy',
        '.spec.ports',
        port,
        `${port}.name`,
        `${port}.port`,
        `${port}.protocol`,
        `${port}.targetPort`,
        '.spec.selector',
        '.spec.sessionAffinity',
        '.spec.type',
      ],
    });
  });

  test('applies several documents, lists, and folders', async () => {
    assert.equal(
      await apply(documents(configMap('one'), configMap('two'))),
      'configmap/one created\nconfigmap/two created\n',
    );
    const items = [configMap('two'), configMap('three')].map((manifest) => JSON.parse(manifest));
    assert.equal(
      await apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items })),
      'configmap/two unchanged\nconfigmap/three created\n',
    );

    const folder = dirname(work.file('many/a.yaml', documents(configMap('three'), configMap('four'))));
    work.file('many/b.json', configMap('five'));
    work.file('many/notes.txt', 'no manifest');
    work.file('many/deeper/c.yml', configMap('six'));
    assert.equal(
      await work.run(`apply -f ${folder}`),
      'configmap/three unchanged\nconfigmap/four created\nconfigmap/five created\n',
    );
    assert.match(await work.run(`apply -R -f ${folder}`), /^configmap\/six created$/m);
  });

  test('builds a kustomization and applies it', async () => {
    const folder = dirname(work.file('custom/a.yaml', configMap('plain', { color: 'blue' })));
    work.file(
      'custom/kustomization.yaml',
      'resources: [a.yaml]\nnamePrefix: my-\nlabels: [{pairs: {team: blue}}]\n',
    );
    assert.equal(await work.run(`apply -k ${folder}`), 'configmap/my-plain created\n');
    assert.equal(await work.run(`diff -k ${folder}`), '');
    const object = await work.object('configmap/my-plain');
    assert.deepEqual(object.metadata.labels, { team: 'blue' });
    assert.deepEqual(object.data, { color: 'blue' });
  });

  test('continues after a rejected document', async () => {
    const { code, stdout, stderr } = await work.try(
      'apply -f -',
      documents(configMap('good'), configMap('Bad_Name'), configMap('fine')),
    );
    assert.equal(code, 1);
    assert.equal(stdout, 'configmap/good created\nconfigmap/fine created\n');
    assert.match(
      stderr,
      /^The ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain/,
    );
  });

  test('--dry-run=server prints the result, and changes nothing', async () => {
    assert.equal(
      await apply(configMap('dry', { color: 'blue' }), ' --dry-run=server'),
      'configmap/dry created (server dry run)\n',
    );
    assert.match(await work.fail('get configmap dry'), /NotFound/);

    await apply(configMap('dry', { color: 'blue' }));
    const before = await work.object('configmap/dry');
    assert.equal(
      await apply(configMap('dry', { color: 'blue' }), ' --dry-run=server'),
      'configmap/dry unchanged (server dry run)\n',
    );
    assert.equal(
      await apply(configMap('dry', { color: 'red' }), ' --dry-run=server'),
      'configmap/dry configured (server dry run)\n',
    );
    const shown = JSON.parse(await apply(configMap('dry', { color: 'red' }), ' --dry-run=server -o json'));
    assert.deepEqual(shown.data, { color: 'red' });
    assert.equal(shown.metadata.resourceVersion, before.metadata.resourceVersion);
    assert.deepEqual(await work.object('configmap/dry'), before);
  });

  test('view-last-applied and set-last-applied read and write the annotation', async () => {
    await apply(configMap('kept', { color: 'red' }));
    const viewed = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { annotations: {}, name: 'kept', namespace: work.namespace },
      data: { color: 'red' },
    };
    assert.deepEqual(parse(await work.run('apply view-last-applied configmap/kept')), viewed);
    assert.deepEqual(JSON.parse(await work.run('apply view-last-applied configmap kept -o json')), viewed);

    // The next apply removes the fields of this last applied configuration.
    await work.run([
      'patch',
      'configmap',
      'kept',
      '--type=merge',
      '-p',
      '{"data":{"extra":"1","theirs":"2"}}',
    ]);
    const more = work.file('more.yaml', configMap('kept', { color: 'red', extra: '1' }));
    assert.equal(await work.run(`apply set-last-applied -f ${more}`), 'configmap/kept configured\n');
    assert.deepEqual(owners(await work.object('configmap/kept')), {
      'kubectl-client-side-apply Update': ['.data', '.data.color', '.metadata.annotations'],
      'kubectl-patch Update': ['.data.extra', '.data.theirs'],
      'kubectl Update': [annotation],
    });
    assert.equal(await apply(configMap('kept', { color: 'red' })), 'configmap/kept configured\n');
    const object = await work.object('configmap/kept');
    assert.deepEqual(object.data, { color: 'red', theirs: '2' });
    assert.deepEqual(owners(object), {
      'kubectl-client-side-apply Update': ['.data', '.data.color', '.metadata.annotations', annotation],
      'kubectl-patch Update': ['.data.theirs'],
    });
  });

  test('set-last-applied creates the annotation only with --create-annotation', async () => {
    await work.run('create -f -', configMap('plain', { color: 'red' }));
    assert.equal(await work.run('apply view-last-applied configmap/plain'), '');
    const file = work.file('plain.yaml', configMap('plain', { color: 'red' }));
    assert.equal(
      await work.fail(`apply set-last-applied -f ${file}`),
      'error: no last-applied-configuration annotation found on resource: plain, to create the annotation, run the command with --create-annotation\n',
    );
    await work.run(`apply set-last-applied --create-annotation -f ${file}`);
    assert.deepEqual(owners(await work.object('configmap/plain')), {
      'kubectl-create Update': ['.data', '.data.color'],
      'kubectl Update': ['.metadata.annotations', annotation],
    });
  });
});
