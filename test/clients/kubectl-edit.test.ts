import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { parse } from 'yaml';
import { Editor } from './editor.ts';
import { kubectlSkipReason, unpackKubectl } from './kubectl.ts';
import { configMap, deployment } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('kubectl edit', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('edit');
    await work.run('create -f -', deployment('web'));
  });
  after(() => work?.stop());

  test('opens the object, and writes nothing if nothing is changed', async () => {
    await work.run('create -f -', configMap('same', { color: 'blue' }));
    const before = await work.object('configmap/same');
    const editor = new Editor(work, 'look', []);
    const { code, stdout, stderr } = await work.try('edit configmap same', '', editor.environment);
    assert.deepEqual([code, stdout, stderr], [0, '', 'Edit cancelled, no changes made.\n']);
    assert.equal(editor.shown.length, 1);
    const { managedFields: _, ...metadata } = before.metadata;
    assert.deepEqual(parse(editor.shown[0] ?? ''), { ...before, metadata });
    assert.deepEqual(await work.object('configmap/same'), before);
  });

  test('saves changed, added and removed fields', async () => {
    await work.run('create -f -', configMap('paint', { color: 'blue', size: 'big' }));
    const change = new Editor(work, 'change', [['color: blue', 'color: red']]);
    assert.equal(await work.run('edit configmap paint', '', change.environment), 'configmap/paint edited\n');
    const changed = await work.object('configmap/paint');
    assert.deepEqual(changed.data, { color: 'red', size: 'big' });
    assert.deepEqual(owners(changed), {
      'kubectl-create Update': ['.data', '.data.size'],
      'kubectl-edit Update': ['.data.color'],
    });

    const remove = new Editor(work, 'remove', [['  size: big\n', '  shape: round\n']]);
    await work.run('edit configmap paint', '', remove.environment);
    const removed = await work.object('configmap/paint');
    assert.deepEqual(removed.data, { color: 'red', shape: 'round' });
    assert.deepEqual(owners(removed), {
      'kubectl-create Update': ['.data'],
      'kubectl-edit Update': ['.data.color', '.data.shape'],
    });
  });

  test('edits several objects at once, and JSON', async () => {
    await work.run('create -f -', configMap('first', { color: 'blue' }));
    await work.run('create -f -', configMap('second', { color: 'green' }));
    const one = new Editor(work, 'several', [['color: green', 'color: red']]);
    assert.equal(
      await work.run('edit configmap first second', '', one.environment),
      'configmap/first skipped\nconfigmap/second edited\n',
    );
    const json = new Editor(work, 'json', [['"color": "red"', '"color": "white"']]);
    const printed = await work.run('edit configmap second -o json', '', json.environment);
    assert.deepEqual(JSON.parse(printed).data, { color: 'white' });
  });

  test('reopens with the error, and accepts the second try', async () => {
    const editor = new Editor(work, 'second-try', [
      ['replicas: 1', 'replicas: -1'],
      ['replicas: -1', 'replicas: 4'],
    ]);
    const { code, stdout, stderr } = await work.try('edit deployment web', '', editor.environment);
    assert.deepEqual(
      [code, stdout, stderr],
      [0, 'deployment.apps/web edited\n', 'error: deployments.apps "web" is invalid\n'],
    );
    assert.equal(editor.shown.length, 2);
    assert.match(
      editor.shown[1] ?? '',
      /^# deployments\.apps "web" was not valid:\n# \* spec\.replicas: Invalid value: -1: must be greater than or equal to 0\n#\n/m,
    );
    const object = await work.object('deployment/web');
    assert.equal(object.spec.replicas, 4);
    assert.deepEqual(owners(object)['kubectl-edit Update'], ['.spec.replicas']);
  });

  test('gives up after a second invalid try', async () => {
    const before = await work.object('deployment/web');
    const unknown = new Editor(work, 'unknown', [['  replicas:', '  replicass:']]);
    const { code, stdout, stderr } = await work.try('edit deployment web', '', unknown.environment);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^error: deployments\.apps "web" is invalid\nA copy of your changes has been stored/,
    );
    assert.match(stderr, /error: Edit cancelled, no valid changes were saved\.\n$/);
    assert.match(unknown.shown[1] ?? '', /unknown field "spec\.replicass"/);

    const renamed = new Editor(work, 'renamed', [['  name: web\n', '  name: other\n']]);
    assert.match(
      await work.fail('edit deployment web', '', renamed.environment),
      /error: At least one of apiVersion, kind and name was changed\n$/,
    );
    assert.deepEqual(await work.object('deployment/web'), before);
  });

  test('keeps concurrent changes', async () => {
    await work.run('create -f -', configMap('busy', { color: 'blue', size: 'big' }));
    const program = join(unpackKubectl(), 'kubectl');
    const meanwhile = [
      program,
      '-n',
      work.namespace,
      'patch',
      'configmap',
      'busy',
      '-p',
      '{"data":{"size":"small"}}',
    ];
    const editor = new Editor(work, 'meanwhile', [['color: blue', 'color: red']], meanwhile);
    assert.equal(await work.run('edit configmap busy', '', editor.environment), 'configmap/busy edited\n');
    const object = await work.object('configmap/busy');
    assert.deepEqual(object.data, { color: 'red', size: 'small' });
    assert.deepEqual(owners(object), {
      'kubectl-create Update': ['.data'],
      'kubectl-edit Update': ['.data.color'],
      'kubectl-patch Update': ['.data.size'],
    });
  });

  test('--subresource=status changes only the status', async () => {
    await work.run('create -f -', deployment('observed'));
    const editor = new Editor(work, 'status', [['status: {}', 'status: {replicas: 3, readyReplicas: 2}']]);
    assert.equal(
      await work.run('edit deployment observed --subresource=status', '', editor.environment),
      'deployment.apps/observed edited\n',
    );
    const object = await work.object('deployment/observed');
    assert.equal(object.metadata.generation, 1);
    assert.deepEqual(object.status, { replicas: 3, readyReplicas: 2 });
    assert.deepEqual(owners(object)['kubectl-edit Update status'], [
      '.status.readyReplicas',
      '.status.replicas',
    ]);
  });

  test('apply edit-last-applied changes the annotation', async () => {
    await work.run('apply -f -', configMap('applied', { color: 'blue' }));
    const editor = new Editor(work, 'last-applied', [['color: blue', 'color: red']]);
    assert.equal(
      await work.run('apply edit-last-applied configmap/applied', '', editor.environment),
      'configmap/applied edited\n',
    );
    assert.equal(parse(await work.run('apply view-last-applied configmap/applied')).data.color, 'red');
    assert.deepEqual((await work.object('configmap/applied')).data, { color: 'blue' });
  });
});
