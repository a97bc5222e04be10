import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everythingServed, kind } from './support.ts';

const http = await everythingServed();
const templates = kind(http, '/api/v1/namespaces/default/podtemplates');
const jobs = kind(http, '/apis/batch/v1/namespaces/default/cronjobs');
const { template } = templates.least as unknown as { template: { spec: object } };
const of = (source: object) => ({
  template: { spec: { ...template.spec, volumes: [{ name: 'v', ...source }] } },
});
const at = 'template.spec.volumes[0]';
const projected = (...sources: object[]) => of({ projected: { sources } });

test('Volume: a source of a projected volume has exactly one field', async () => {
  await templates.valid(projected({ secret: { name: 's' } }, { configMap: { name: 'c' } }));
  await templates.invalid(projected({ secret: { name: 's' } }, {}), `${at}.projected.sources[1]`);
  const both = { secret: { name: 's' }, configMap: { name: 'c' } };
  await templates.invalid(projected(both), `${at}.projected.sources[0]`);
});

const iscsi = { targetPortal: '192.0.2.1', iqn: 'iqn.2015-02.example.com:test', lun: 0 };

test('Volume: iqn, lun and targetPortal of iscsi are required, lun also where it is 0', async () => {
  await templates.valid(of({ iscsi }));
  for (const field of Object.keys(iscsi)) {
    await templates.invalid(of({ iscsi: { ...iscsi, [field]: null } }), `${at}.iscsi.${field}`);
  }
});

test('Volume: fsType of iscsi is ext4 by default, iscsiInterface is default', async () => {
  type Shown = { template: { spec: { volumes: { iscsi: object }[] } } };
  const shown = async (change: object) => {
    const written = (await templates.valid(of({ iscsi: { ...iscsi, ...change } }))) as unknown as Shown;
    return written.template.spec.volumes[0]!.iscsi;
  };
  const filled = { ...iscsi, iscsiInterface: 'default', fsType: 'ext4' };
  assert.deepEqual(await shown({}), filled);
  assert.deepEqual(await shown({ fsType: 'xfs' }), { ...filled, fsType: 'xfs' });
  const pod = { ...template.spec, restartPolicy: 'Never', volumes: [{ name: 'v', iscsi }] };
  const job = await jobs.valid({ spec: { jobTemplate: { spec: { template: { spec: pod } } } } });
  const { jobTemplate } = job.spec as unknown as { jobTemplate: { spec: Shown } };
  assert.deepEqual(jobTemplate.spec.template.spec.volumes[0]!.iscsi, filled);
});
