import { at } from '../api.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate, selector } from './pod-template.ts';

const namespaces = 'api/v1 namespaces';
const configMaps = 'api/v1 configmaps';
const secrets = 'api/v1 secrets';

export const namespaceDeletion: Scenario = {
  name: 'namespace',
  async run({ api, until }) {
    const name = 'doomed';
    await api.create(namespaces, '', { metadata: { name } });
    await until('what a new namespace gets', async () => {
      const account = await api.get('api/v1 serviceaccounts', name, 'default');
      return !!account && !!(await api.get(configMaps, name, 'kube-root-ca.crt'));
    });
    const spec = { replicas: 2, selector: selector('web'), template: podTemplate('web') };
    await api.create('apis/apps/v1 deployments', name, { metadata: { name: 'web' }, spec });
    await api.create(secrets, name, { metadata: { name: 'secret' } });
    await api.create('api/v1 services', name, { metadata: { name: 'web' }, spec: { ports: [{ port: 80 }] } });
    const held = { name: 'held', finalizers: ['example.com/mine'] };
    await api.create(configMaps, name, { metadata: held });
    await until('pods in it', async () => (await api.list('api/v1 pods', name)).length === 2);
    await api.remove(namespaces, '', name);
    await until('its content is gone but for what a finalizer holds', async () => {
      const left = [...(await api.list('api/v1 pods', name)), ...(await api.list(secrets, name))];
      const waiting = await api.get(namespaces, '', name);
      const conditions = at(waiting, 'status.conditions') as { type: string; status: string }[] | undefined;
      const isTold = conditions?.some(
        ({ type, status }) => type === 'NamespaceFinalizersRemaining' && status === 'True',
      );
      return left.length === 0 && isTold === true;
    });
    const merged = { metadata: { finalizers: null } };
    await api.patch(configMaps, name, 'held', merged);
    await until('the namespace is gone', async () => !(await api.get(namespaces, '', name)));
  },
};
