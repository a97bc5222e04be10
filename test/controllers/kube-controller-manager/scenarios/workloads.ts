import { at, condition } from '../api.ts';
import { readyNode } from '../node.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate, selector } from './pod-template.ts';

const pods = 'api/v1 pods';
const deployments = 'apis/apps/v1 deployments';
const replicaSets = 'apis/apps/v1 replicasets';
const statefulSets = 'apis/apps/v1 statefulsets';
const daemonSets = 'apis/apps/v1 daemonsets';
const replicationControllers = 'api/v1 replicationcontrollers';

export const deployment: Scenario = {
  name: 'deployment',
  async run({ api, namespace, until }) {
    const spec = { replicas: 3, selector: selector('web'), template: podTemplate('web') };
    await api.create(deployments, namespace, { metadata: { name: 'web' }, spec });
    await until('a ReplicaSet', async () => (await api.list(replicaSets, namespace)).length === 1);
    await until('three pods', async () => (await api.list(pods, namespace)).length === 3);
    const get = () => api.get(deployments, namespace, 'web');
    await until('it is available', async () => {
      const found = await get();
      return condition(found, 'Available') === 'True' && at(found, 'status.availableReplicas') === 3;
    });
    const containers = [{ name: 'main', image: 'registry.example/main:2' }];
    await api.patch(deployments, namespace, 'web', { spec: { template: { spec: { containers } } } });
    await until('a new image is rolled out', async () => {
      const found = await get();
      const sets = await api.list(replicaSets, namespace);
      const expected = sets.map((set) => at(set, 'spec.replicas')).sort();
      return expected.join() === '0,3' && at(found, 'status.updatedReplicas') === 3;
    });
    await api.replace(
      deployments,
      namespace,
      'web',
      { metadata: { name: 'web', namespace }, spec: { replicas: 1 } },
      'scale',
    );
    await until('it is scaled down', async () => {
      return at(await get(), 'status.replicas') === 1 && (await api.list(pods, namespace)).length === 1;
    });
  },
};

export const statefulSet: Scenario = {
  name: 'statefulset',
  async run({ api, namespace, until }) {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await api.create(statefulSets, namespace, {
      metadata: { name: 'db' },
      spec: {
        replicas: 2,
        serviceName: 'db',
        selector: selector('db'),
        template: podTemplate('db'),
        volumeClaimTemplates: [claim],
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      },
    });
    await until('both pods, one after the other', async () => {
      const found = await api.get(statefulSets, namespace, 'db');
      const names = (await api.list(pods, namespace)).map(({ metadata }) => metadata.name);
      return names.sort().join() === 'db-0,db-1' && at(found, 'status.readyReplicas') === 2;
    });
    await until('a claim for each', async () => {
      const claims = await api.list('api/v1 persistentvolumeclaims', namespace);
      return claims.length === 2 && claims.every(({ metadata }) => metadata.ownerReferences?.length === 1);
    });
    await until('a ControllerRevision', async () => {
      return (await api.list('apis/apps/v1 controllerrevisions', namespace)).length === 1;
    });
  },
};

export const daemonSet: Scenario = {
  name: 'daemonset',
  async run({ api, namespace, until }) {
    const spec = { selector: selector('agent'), template: podTemplate('agent') };
    await api.create(daemonSets, namespace, { metadata: { name: 'agent' }, spec });
    await until('a pod on the node', async () => {
      const found = await api.list(pods, namespace);
      return found.some((pod) => at(pod, 'spec.nodeName') === readyNode);
    });
    await until('it is ready', async () => {
      return Number(at(await api.get(daemonSets, namespace, 'agent'), 'status.numberReady')) >= 1;
    });
  },
};

export const replicationController: Scenario = {
  name: 'replicationcontroller',
  async run({ api, namespace, until }) {
    const spec = { replicas: 2, selector: { app: 'old' }, template: podTemplate('old') };
    await api.create(replicationControllers, namespace, { metadata: { name: 'old' }, spec });
    await until('its pods are ready', async () => {
      return at(await api.get(replicationControllers, namespace, 'old'), 'status.readyReplicas') === 2;
    });
  },
};
