import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testServer } from '../support/client.ts';

const api = testServer({
  enableAdmissionPlugins: [
    'AlwaysPullImages',
    'DenyServiceExternalIPs',
    'ExtendedResourceToleration',
    'LimitPodHardAntiAffinityTopology',
  ],
});
const plain = testServer();

const pod = (container: object = {}, spec: object = {}) => ({
  metadata: { name: 'a' },
  spec: { containers: [{ name: 'c', image: 'i:1', ...container }], ...spec },
});

test('AlwaysPullImages: imagePullPolicy becomes Always', async () => {
  const quiet = pod({ imagePullPolicy: 'Never' });
  const policy = ({ spec }: { spec: Record<string, unknown> }) =>
    (spec.containers as { imagePullPolicy: string }[])[0]!.imagePullPolicy;
  assert.equal(policy((await api.post(await api.namespace('pods'), quiet)).body), 'Always');
  assert.equal(policy((await plain.post(await plain.namespace('pods'), quiet)).body), 'Never');
});

test('DenyServiceExternalIPs: new externalIPs of a Service are rejected', async () => {
  const services = await api.namespace('services');
  const spec = { ports: [{ port: 1 }], externalIPs: ['1.2.3.4'] };
  const { code, body } = await api.post(services, { metadata: { name: 'a' }, spec });
  assert.equal(code, 403);
  assert.equal(body.message, 'services "a" is forbidden: Use of external IPs is denied by admission control');
});

test('ExtendedResourceToleration: a pod tolerates the taints of the extended resources that it requests', async () => {
  const resources = { requests: { 'example.com/gpu': '1', cpu: '1' }, limits: { 'example.com/gpu': '1' } };
  const { body } = await api.post(await api.namespace('pods'), pod({ resources }));
  const tolerations = body.spec.tolerations as { key: string }[];
  assert.deepEqual(tolerations.at(-1), { key: 'example.com/gpu', operator: 'Exists', effect: 'NoSchedule' });
  assert.equal(tolerations.length, 3);
});

test('LimitPodHardAntiAffinityTopology: required anti-affinity may only use the hostname as topology key', async () => {
  const pods = await api.namespace('pods');
  const apart = (topologyKey: string) => {
    const term = { topologyKey, labelSelector: {} };
    const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    return pod({}, { affinity: { podAntiAffinity } });
  };
  const { body } = await api.post(pods, apart('zone'));
  assert.match(body.message, /has TopologyKey zone but only key orch.io\/hostname is allowed$/);
  assert.equal((await api.post(pods, apart('orch.io/hostname'))).code, 201);
});
