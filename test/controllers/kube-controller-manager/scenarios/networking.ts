import { type AnyObject, at, condition } from '../api.ts';
import type { Scenario } from '../scenario.ts';
import { podTemplate, selector } from './pod-template.ts';

const services = 'api/v1 services';
const endpoints = 'api/v1 endpoints';
const slices = 'apis/discovery.k8s.io/v1 endpointslices';
const ranges = 'apis/networking.k8s.io/v1 servicecidrs';

const readyAddresses = (found: readonly AnyObject[]) =>
  found
    .flatMap((slice) => (slice.endpoints ?? []) as { addresses: string[]; conditions: { ready: boolean } }[])
    .filter(({ conditions }) => conditions.ready)
    .flatMap(({ addresses }) => addresses);

export const service: Scenario = {
  name: 'service',
  async run({ api, namespace, until }) {
    await api.create(services, namespace, {
      metadata: { name: 'web' },
      spec: { selector: { app: 'web' }, ports: [{ port: 80, targetPort: 8080 }] },
    });
    const spec = { replicas: 2, selector: selector('web'), template: podTemplate('web') };
    await api.create('apis/apps/v1 deployments', namespace, { metadata: { name: 'web' }, spec });
    await until('an EndpointSlice with both pods', async () => {
      const found = await api.list(slices, namespace, 'kubernetes.io/service-name=web');
      return readyAddresses(found).length === 2;
    });
    await until('Endpoints with both pods', async () => {
      const found = at(await api.get(endpoints, namespace, 'web'), 'subsets.0.addresses') as unknown[];
      return found?.length === 2;
    });
    await api.create(services, namespace, {
      metadata: { name: 'outside' },
      spec: { ports: [{ port: 443 }] },
    });
    await api.create(endpoints, namespace, {
      metadata: { name: 'outside' },
      subsets: [{ addresses: [{ ip: '192.0.2.7' }], ports: [{ port: 443 }] }],
    });
    await until('Endpoints made by hand are mirrored', async () => {
      const found = await api.list(slices, namespace, 'kubernetes.io/service-name=outside');
      return readyAddresses(found).join() === '192.0.2.7';
    });
    await api.remove(services, namespace, 'web');
    await until('they go with the service', async () => {
      const found = await api.list(slices, namespace, 'kubernetes.io/service-name=web');
      return found.length === 0 && !(await api.get(endpoints, namespace, 'web'));
    });
  },
};

export const serviceRange: Scenario = {
  name: 'servicecidr',
  async run({ api, until }) {
    const name = 'more';
    await api.create(ranges, '', { metadata: { name }, spec: { cidrs: ['10.99.0.0/24'] } });
    await until('a new range is ready and protected', async () => {
      const found = await api.get(ranges, '', name);
      return condition(found, 'Ready') === 'True' && found?.metadata.finalizers?.length === 1;
    });
    await api.remove(ranges, '', name);
    await until('it goes when it is not needed', async () => !(await api.get(ranges, '', name)));
  },
};
