import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap, deployment } from './manifests.ts';
import { Workspace } from './workspace.ts';

describe('kubectl diff', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('diff');
  });
  after(() => work?.stop());

  /** The added and removed lines; kubectl exits with 1 if there are any. */
  async function changes(manifest: string, more = ''): Promise<string[]> {
    const { code, stdout, stderr } = await work.try(`diff -f -${more}`, manifest);
    assert.equal(stderr, '');
    const lines = stdout.split('\n').filter((line) => /^[-+](?!--|\+\+)/.test(line));
    assert.equal(code, lines.length === 0 ? 0 : 1);
    return lines;
  }

  test('prints a new object as a whole', async () => {
    for (const flags of ['', ' --server-side']) {
      const lines = await changes(configMap('new', { color: 'blue' }), flags);
      assert.deepEqual(
        lines.map((line) => line.replace(/: ".*Z"$/, ': <time>').replace(/uid: .*/, 'uid: <uid>')),
        [
          '+apiVersion: v1',
          '+data:',
          '+  color: blue',
          '+kind: ConfigMap',
          '+metadata:',
          '+  creationTimestamp: <time>',
          '+  name: new',
          `+  namespace: ${work.namespace}`,
          '+  uid: <uid>',
        ],
      );
    }
    assert.match(await work.fail('get configmap new'), /NotFound/);
  });

  test('client-side: prints what apply would change and remove, and changes nothing', async () => {
    await work.run('apply -f -', deployment('web', { replicas: 2 }));
    const before = await work.object('deployment/web');
    assert.deepEqual(await changes(deployment('web', { replicas: 2 })), []);
    assert.deepEqual(
      await changes(deployment('web', { replicas: 3, containers: [{ name: 'web', image: 'web:2' }] })),
      [
        '-  generation: 1',
        '+  generation: 2',
        '-  replicas: 2',
        '+  replicas: 3',
        '-      - image: web:1',
        '+      - image: web:2',
        '-        ports:',
        '-        - containerPort: 80',
        '-          protocol: TCP',
        '-        resources: {}',
        '-        terminationMessagePath: /dev/termination-log',
        '-        terminationMessagePolicy: File',
        '-      - image: side:1',
        '-        imagePullPolicy: IfNotPresent',
        '-        name: side',
      ],
    );
    assert.deepEqual(await work.object('deployment/web'), before);
  });

  test('--server-side: prints what apply would change, remove and own', async () => {
    await work.run('apply --server-side -f -', configMap('applied', { color: 'blue', size: 'big' }));
    const before = await work.object('configmap/applied');
    assert.deepEqual(
      await changes(configMap('applied', { color: 'blue', size: 'big' }), ' --server-side'),
      [],
    );
    assert.deepEqual(await changes(configMap('applied', { color: 'red' }), ' --server-side'), [
      '-  color: blue',
      '-  size: big',
      '+  color: red',
    ]);
    const owned = await changes(
      configMap('applied', { color: 'blue' }),
      ' --server-side --show-managed-fields',
    );
    assert.ok(owned.includes('-        f:size: {}'), owned.join('\n'));
    assert.deepEqual(await work.object('configmap/applied'), before);
  });

  test('--server-side: reports a conflict and exits with 2, unless forced', async () => {
    await work.run('apply --server-side -f -', configMap('owned', { color: 'blue' }));
    const other = ' --server-side --field-manager=painter';
    const { code, stdout, stderr } = await work.try(
      `diff -f -${other}`,
      configMap('owned', { color: 'red' }),
    );
    assert.equal(code, 2);
    assert.equal(stdout, '');
    assert.match(
      stderr,
      /^Error from server \(Conflict\): Apply failed with 1 conflict: conflict with "kubectl": \.data\.color$/m,
    );
    assert.deepEqual(await changes(configMap('owned', { color: 'red' }), `${other} --force-conflicts`), [
      '-  color: blue',
      '+  color: red',
    ]);
  });

  test('--server-side on a client-side applied object prints the migrated annotation', async () => {
    await work.run('apply -f -', configMap('moving', { color: 'blue' }));
    const annotation = (metadata: object, color: string) =>
      `      ${JSON.stringify({ apiVersion: 'v1', data: { color }, kind: 'ConfigMap', metadata })}`;
    const name = { name: 'moving', namespace: work.namespace };
    assert.deepEqual(await changes(configMap('moving', { color: 'red' }), ' --server-side'), [
      '-  color: blue',
      '+  color: red',
      `-${annotation({ annotations: {}, ...name }, 'blue')}`,
      `+${annotation(name, 'red')}`,
    ]);
  });

  test('does not print the values of Secrets', async () => {
    const secret = (key: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'door' }, stringData: { key } });
    await work.run('apply -f -', secret('sesame'));
    assert.deepEqual(await changes(secret('sesame')), []);
    assert.deepEqual(await changes(secret('other')), ["-  key: '*** (before)'", "+  key: '*** (after)'"]);
  });

  test('reports a rejected manifest and exits with 2', async () => {
    const { code, stderr } = await work.try('diff -f -', configMap('Bad_Name'));
    assert.equal(code, 2);
    assert.match(stderr, /^The ConfigMap "Bad_Name" is invalid: metadata\.name: Invalid value: "Bad_Name"/);
  });
});
