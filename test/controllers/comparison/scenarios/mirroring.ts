// Scenarios of endpointslice-mirroring-controller.
import type { Kind } from '../../kube-controller-manager/api.ts';
import { type Scenario, type Stage, services } from '../scenario.ts';

const endpoints: Kind = 'api/v1 endpoints';
const slices: Kind = 'apis/discovery.k8s.io/v1 endpointslices';
const db = 'db';
const http = { name: 'http', port: 8080 };
const subset = (
  ips: readonly string[],
  ports: readonly object[] = [http],
  notReady: readonly string[] = [],
) => ({
  ...(ips.length > 0 && { addresses: ips.map((ip) => ({ ip })) }),
  ...(notReady.length > 0 && { notReadyAddresses: notReady.map((ip) => ({ ip })) }),
  ports,
});
const one = subset(['192.168.0.1']);

const addService = (stage: Stage, spec: object = {}) =>
  stage.create(services, { metadata: { name: db }, spec: { ports: [{ name: 'http', port: 80 }], ...spec } });
const addEndpoints = (stage: Stage, subsets: readonly object[], metadata: object = {}) =>
  stage.create(endpoints, { metadata: { name: db, ...metadata }, subsets });
const untilSlices = (stage: Stage, count: number) =>
  stage.until(`${count} slices`, () => stage.list(slices).length === count);

/** A Service without a selector, and its Endpoints. */
async function mirrored(stage: Stage, subsets: readonly object[], metadata: object = {}): Promise<void> {
  await addService(stage);
  await addEndpoints(stage, subsets, metadata);
}

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `mirroring-${name}`, calmMs: 2_000, run },
  ...more,
});

export const mirroringScenarios: readonly Scenario[] = [
  scenario('one-address', (stage) => mirrored(stage, [one])),
  scenario('not-ready', (stage) =>
    mirrored(stage, [subset(['192.168.0.1', '192.168.0.2'], [http], ['192.168.0.3'])]),
  ),
  scenario('two-families', (stage) => mirrored(stage, [subset(['192.168.0.1', 'fd00::1'])])),
  scenario('several-ports', (stage) =>
    mirrored(stage, [
      subset(['192.168.0.1'], [http, { name: 'dns', port: 53, protocol: 'UDP', appProtocol: 'dns' }]),
      subset(['192.168.0.2'], [{ name: 'http', port: 9090 }]),
    ]),
  ),
  scenario('without-ports', (stage) => mirrored(stage, [{ addresses: [{ ip: '192.168.0.1' }] }])),
  scenario('without-addresses', (stage) => mirrored(stage, [])),
  scenario('details', (stage) =>
    mirrored(stage, [
      {
        addresses: [
          {
            ...{ ip: '192.168.0.1', hostname: 'first', nodeName: 'node-x' },
            targetRef: { kind: 'Pod', namespace: 'default', name: 'p', uid: 'u' },
          },
        ],
        ports: [http],
      },
    ]),
  ),
  scenario('labels-and-annotations', async (stage) => {
    await mirrored(stage, [one], {
      labels: { tier: 'data', 'endpointslice.kubernetes.io/managed-by': 'me' },
      annotations: {
        note: 'x',
        'endpoints.kubernetes.io/last-change-trigger-time': '2024-01-01T00:00:00Z',
        'kubectl.kubernetes.io/last-applied-configuration': '{}',
      },
    });
    await stage.compareObjects('created');
    await stage.patch(endpoints, db, {
      metadata: { labels: { tier: 'cache' }, annotations: { note: null } },
    });
  }),
  scenario('endpoints-first', async (stage) => {
    await addEndpoints(stage, [one]);
    await stage.calm();
    await addService(stage);
    await untilSlices(stage, 1);
  }),
  scenario('changed', async (stage) => {
    await mirrored(stage, [one]);
    await untilSlices(stage, 1);
    await stage.patch(endpoints, db, { subsets: [subset(['192.168.0.2'])] });
    await stage.compareObjects('another address');
    await stage.patch(endpoints, db, { subsets: [subset(['192.168.0.2'], [{ name: 'http', port: 9090 }])] });
    await stage.compareObjects('another port');
    await stage.patch(endpoints, db, { subsets: null });
  }),
  scenario('skipped', async (stage) => {
    const skip = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };
    await mirrored(stage, [one], { labels: skip });
    await stage.compareObjects('skipped');
    await stage.patch(endpoints, db, { metadata: { labels: nulls(skip) } });
    await untilSlices(stage, 1);
    await stage.patch(endpoints, db, { metadata: { labels: skip } });
    await untilSlices(stage, 0);
  }),
  scenario('leader-election', (stage) =>
    mirrored(stage, [one], { annotations: { 'control-plane.alpha.kubernetes.io/leader': '{}' } }),
  ),
  scenario('service-deleted', async (stage) => {
    await mirrored(stage, [one]);
    await untilSlices(stage, 1);
    await stage.remove(services, db);
    await untilSlices(stage, 0);
  }),
  scenario('endpoints-deleted', async (stage) => {
    await mirrored(stage, [one]);
    await untilSlices(stage, 1);
    await stage.remove(endpoints, db);
    await untilSlices(stage, 0);
  }),
  scenario('selector-added', async (stage) => {
    await mirrored(stage, [one]);
    await untilSlices(stage, 1);
    await stage.patch(services, db, { spec: { selector: { app: db } } });
  }),
  scenario('selector-removed', async (stage) => {
    await addService(stage, { selector: { app: db } });
    await stage.calm();
    await stage.patch(services, db, { spec: { selector: null } });
  }),
  scenario('slice-deleted', async (stage) => {
    await mirrored(stage, [one]);
    await untilSlices(stage, 1);
    for (const { metadata } of stage.list(slices)) await stage.remove(slices, metadata.name);
    await stage.calm();
  }),
  scenario('headless', async (stage) => {
    await addService(stage, { clusterIP: 'None' });
    await addEndpoints(stage, [one]);
  }),
];

const nulls = (texts: object) => Object.fromEntries(Object.keys(texts).map((key) => [key, null]));
