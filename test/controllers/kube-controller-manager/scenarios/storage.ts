import { at } from '../api.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate } from './pod-template.ts';

const volumes = 'api/v1 persistentvolumes';
const claims = 'api/v1 persistentvolumeclaims';
const pods = 'api/v1 pods';

export const claim: Scenario = {
  name: 'claim',
  async run({ api, namespace, until }) {
    const accessModes = ['ReadWriteOnce'];
    await api.create('apis/storage.k8s.io/v1 storageclasses', '', {
      metadata: { name: 'by-hand' },
      provisioner: 'kubernetes.io/no-provisioner',
    });
    await api.create(volumes, '', {
      metadata: { name: 'disk' },
      spec: {
        accessModes,
        capacity: { storage: '2Gi' },
        storageClassName: 'by-hand',
        hostPath: { path: '/data' },
        persistentVolumeReclaimPolicy: 'Retain',
      },
    });
    await until('a volume is available', async () => {
      return at(await api.get(volumes, '', 'disk'), 'status.phase') === 'Available';
    });
    await api.create(claims, namespace, {
      metadata: { name: 'data' },
      spec: { accessModes, storageClassName: 'by-hand', resources: { requests: { storage: '1Gi' } } },
    });
    await until('claim and volume are bound to each other', async () => {
      const phases = [await api.get(claims, namespace, 'data'), await api.get(volumes, '', 'disk')];
      return phases.every((found) => at(found, 'status.phase') === 'Bound');
    });
    await api.remove(claims, namespace, 'data');
    await until('the volume is released when the claim goes', async () => {
      return at(await api.get(volumes, '', 'disk'), 'status.phase') === 'Released';
    });
  },
};

export const ephemeralVolume: Scenario = {
  name: 'ephemeralvolume',
  async run({ api, namespace, until }) {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    const volume = { name: 'scratch', ephemeral: { volumeClaimTemplate: { spec } } };
    await api.create(pods, namespace, { metadata: { name: 'p' }, ...podTemplateWith(volume) });
    const claimed = () => api.get(claims, namespace, 'p-scratch');
    await until('a claim for the volume of a pod', async () => !!(await claimed()));
    await api.remove(pods, namespace, 'p');
    await until('it goes with the pod', async () => !(await claimed()));
  },
};

const podTemplateWith = (volume: object) => ({ spec: podTemplate('p', { volumes: [volume] }).spec });
