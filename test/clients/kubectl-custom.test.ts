import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { Workspace } from './workspace.ts';

const group = 'stable.example.com';
const spec = {
  type: 'object',
  properties: { cronSpec: { type: 'string' }, replicas: { type: 'integer', minimum: 1 } },
};
const definition = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `crontabs.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'crontabs', kind: 'CronTab', shortNames: ['ct'], categories: ['all'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec, status: { type: 'object', properties: { replicas: { type: 'integer' } } } },
          },
        },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        additionalPrinterColumns: [{ name: 'Schedule', type: 'string', jsonPath: '.spec.cronSpec' }],
      },
    ],
  },
});
const crontab = (name: string, parts: object) =>
  JSON.stringify({
    apiVersion: `${group}/v1`,
    kind: 'CronTab',
    metadata: { name },
    spec: parts,
  });

describe('kubectl and custom resources', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('custom');
  });
  after(() => work?.stop());

  test('a CRD is created, waited for, used by its short name, and deleted', async () => {
    await work.run('apply -f -', definition);
    await work.run(`wait --for=condition=Established crd/crontabs.${group} --timeout=3m`);
    assert.equal(
      await work.run('apply -f -', crontab('a', { cronSpec: 'x', replicas: 2 })),
      `crontab.${group}/a created\n`,
    );
    assert.match(await work.run('get ct'), /^NAME +SCHEDULE\na +x\n$/);
    assert.match(await work.run('get all'), /crontab.stable.example.com\/a/);
    assert.equal(
      await work.run('apply -f -', crontab('a', { cronSpec: 'y', replicas: 2 })),
      `crontab.${group}/a configured\n`,
    );
    await work.run('scale crontab a --replicas=5');
    await work.run('patch crontab a --subresource=status --type=merge -p {"status":{"replicas":4}}');
    const object = await work.object('crontab/a');
    assert.deepEqual(object.spec, { cronSpec: 'y', replicas: 5 });
    assert.deepEqual(object.status, { replicas: 4 });
    await work.run('label ct a tier=front');
    assert.equal(await work.run('get ct -l tier=front -o name'), `crontab.${group}/a\n`);
    assert.match(
      await work.fail('apply -f -', crontab('b', { replicas: 0 })),
      /spec.replicas in body should be greater than or equal to 1/,
    );
    assert.match(
      await work.fail('create -f -', crontab('c', { unknown: 1 })),
      /strict decoding error: unknown field "spec.unknown"/,
    );
    assert.equal(
      await work.run('apply --server-side -f -', crontab('d', { cronSpec: 'z' })),
      `crontab.${group}/d serverside-applied\n`,
    );
    await work.run('delete ct a --wait');
    await work.run(`delete crd crontabs.${group} --wait`);
    assert.match(
      await work.fail('get ct'),
      /doesn't have a resource type "ct"|could not find the requested resource/,
    );
  });

  test('explain describes a custom resource, and client-side validation rejects an invalid one', async () => {
    await work.run('apply -f -', definition);
    await work.run(`wait --for=condition=Established crd/crontabs.${group} --timeout=3m`);
    const explained = await work.run('explain crontab.spec');
    assert.match(explained, /GROUP: +stable\.example\.com\nKIND: +CronTab\nVERSION: +v1\n/);
    assert.match(explained, /cronSpec\s+<string>/);
    assert.match(await work.run('explain crontab --recursive'), /spec\s+<Object>\n\s+cronSpec\s+<string>/);
    assert.match(await work.run('explain crontab.metadata.name'), /FIELD: name <string>/);
    assert.match(
      await work.run('explain crontab.spec.replicas --output plaintext-openapiv2'),
      /FIELD: +replicas <integer>/,
    );
    assert.match(
      await work.fail('apply --validate=strict -f -', crontab('v', { unknown: 1 })),
      /unknown field "spec.unknown"/,
    );
    assert.match(
      await work.run('apply --validate=strict -f -', crontab('v', { cronSpec: 'x' })),
      /crontab.stable.example.com\/v created/,
    );
    await work.run(`delete crd crontabs.${group} --wait`);
  });
});
