import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { kubectlSkipReason } from './kubectl.ts';
import { configMap } from './manifests.ts';
import { owners } from './owners.ts';
import { Workspace } from './workspace.ts';

describe('concurrent kubectls', { skip: kubectlSkipReason ?? false }, () => {
  let work: Workspace;
  before(async () => {
    work = await Workspace.open('together');
  });
  after(() => work?.stop());

  // kubectl retries a patch five times: with four clients, that is always enough.
  const managers = ['ann', 'bob', 'cid', 'dee'];
  const all = (run: (manager: string) => Promise<string>) => Promise.all(managers.map(run));

  test('concurrent applies of one object, new or not, lose no field', async () => {
    for (const version of ['1', '2']) {
      await all((manager) =>
        work.run(
          `apply --server-side --field-manager=${manager} -f -`,
          configMap('shared', { [manager]: version }),
        ),
      );
      const object = await work.object('configmap/shared');
      assert.deepEqual(object.data, Object.fromEntries(managers.map((manager) => [manager, version])));
      assert.deepEqual(
        owners(object),
        Object.fromEntries(managers.map((manager) => [`${manager} Apply`, [`.data.${manager}`]])),
      );
    }
  });

  test('of concurrent applies of the same field one succeeds, the others get a conflict', async () => {
    const outcomes = await Promise.all(
      managers.map((manager) =>
        work.try(
          `apply --server-side --field-manager=${manager} -f -`,
          configMap('wanted', { color: manager }),
        ),
      ),
    );
    const { color } = (await work.object('configmap/wanted')).data;
    for (const [i, { code, stderr }] of outcomes.entries()) {
      const conflict = `error: Apply failed with 1 conflict: conflict with "${color}": .data.color`;
      assert.equal(code, managers[i] === color ? 0 : 1);
      assert.ok(code === 0 || stderr.startsWith(conflict), stderr);
    }
    assert.equal(outcomes.filter(({ code }) => code === 0).length, 1);
  });

  test('concurrent labels and patches of one object are all kept', async () => {
    await work.run('create -f -', configMap('busy', { own: 'here' }));
    await all((manager) => work.run(`label configmap busy ${manager}=here`));
    await all((manager) => work.run(`patch configmap busy -p {"data":{"${manager}":"here"}}`));
    const here = Object.fromEntries(managers.map((manager) => [manager, 'here']));
    const object = await work.object('configmap/busy');
    assert.deepEqual(object.metadata.labels, here);
    assert.deepEqual(object.data, { ...here, own: 'here' });
    assert.deepEqual(owners(object), {
      'kubectl-create Update': ['.data', '.data.own'],
      'kubectl-label Update': [
        '.metadata.labels',
        ...managers.map((manager) => `.metadata.labels.${manager}`),
      ],
      'kubectl-patch Update': managers.map((manager) => `.data.${manager}`),
    });
  });
});
