import type { AnyObject, Api } from '../api.ts';
import type { Scenario } from '../scenario.ts';

const configMaps = 'api/v1 configmaps';

export const garbage: Scenario = {
  name: 'garbage',
  async run({ api, namespace, until }) {
    const families = ['Background', 'Foreground', 'Orphan'] as const;
    for (const policy of families) {
      const owner = policy.toLowerCase();
      const parent = await make(api, namespace, owner);
      await make(api, namespace, `${owner}-child`, parent);
    }
    const isThere = async (name: string) => !!(await api.get(configMaps, namespace, name));
    await make(api, namespace, 'of-nobody', { uid: '00000000-0000-4000-8000-000000000000', name: 'never' });
    await until('what has an owner that never was is collected', async () => !(await isThere('of-nobody')));
    for (const propagationPolicy of families) {
      await api.remove(configMaps, namespace, propagationPolicy.toLowerCase(), { propagationPolicy });
    }
    await until('the child goes after its owner', async () => {
      return !(await isThere('background')) && !(await isThere('background-child'));
    });
    await until('the owner goes after its child', async () => {
      return !(await isThere('foreground')) && !(await isThere('foreground-child'));
    });
    await until('an orphan stays, without its owner', async () => {
      const orphan = await api.get(configMaps, namespace, 'orphan-child');
      return !(await isThere('orphan')) && !!orphan && !orphan.metadata.ownerReferences;
    });
  },
};

function make(api: Api, namespace: string, name: string, owner?: Owner | AnyObject): Promise<AnyObject> {
  const { name: ownerName, uid } = owner && 'metadata' in owner ? owner.metadata : (owner ?? {});
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid, blockOwnerDeletion: true };
  return api.create(configMaps, namespace, {
    metadata: { name, ...(owner && { ownerReferences: [reference] }) },
  });
}

interface Owner {
  readonly name: string;
  readonly uid: string;
}
