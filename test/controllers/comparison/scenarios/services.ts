// Scenarios of the controllers of Endpoints and EndpointSlices.
import { type AnyObject, at } from '../../kube-controller-manager/api.ts';
import { deployments, pods, type Scenario, type Stage, services, template, workload } from '../scenario.ts';

const app = 'app';
const ports = [{ name: 'http', port: 80, targetPort: 8080 }];
const service = (spec: object = {}, metadata: object = {}) => ({
  metadata: { name: app, ...metadata },
  spec: { selector: { app }, ports, ...spec },
});
const containers = [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 8080 }] }];

/** A pod on a node, which is ready or not. */
async function addPod(stage: Stage, name: string, isReady = true, spec: object = {}): Promise<AnyObject> {
  const pod = await stage.create(pods, {
    ...template(app, { nodeName: 'node-1', containers, ...spec }),
    metadata: { name, labels: { app } },
  });
  await stage.untilValue(pods, name, 'status.phase', 'Running');
  await stage.setReady(pod, isReady);
  return pod;
}

const scenario = (name: string, run: Scenario['run'], more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: `service-${name}`, calmMs: 2_000, addsNodes: true, run },
  ...more,
});

export const serviceScenarios: readonly Scenario[] = [
  scenario('with-pods', async (stage) => {
    await stage.create(services, service());
    for (const name of ['a', 'b', 'c']) await addPod(stage, name);
  }),
  scenario('pods-first', async (stage) => {
    await addPod(stage, 'a');
    await stage.create(services, service());
  }),
  scenario('on-nodes', async (stage) => {
    await stage.create(services, service());
    await stage.create(deployments, workload(app, 3));
    await stage.untilValue(deployments, app, 'status.availableReplicas', 3);
  }),
  scenario('without-pods', async (stage) => void (await stage.create(services, service()))),
  scenario('without-selector', async (stage) => {
    await stage.create(services, { metadata: { name: app }, spec: { ports } });
    await addPod(stage, 'a');
  }),
  scenario('unready-pod', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    const pod = await addPod(stage, 'b', false);
    await stage.compareObjects('unready');
    await stage.setReady(pod);
  }),
  scenario('publish-not-ready', async (stage) => {
    await stage.create(services, service({ publishNotReadyAddresses: true }));
    await addPod(stage, 'a', false);
  }),
  scenario('finished-pod', async (stage) => {
    await stage.create(services, service());
    const pod = await addPod(stage, 'a');
    await stage.calm();
    await stage.finish(pod, 0);
  }),
  scenario('terminating-pod', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await stage.patch(pods, 'a', { metadata: { finalizers: ['example.com/hold'] } });
    await stage.calm();
    await stage.remove(pods, 'a');
  }),
  scenario('pod-deleted', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await addPod(stage, 'b');
    await stage.calm();
    await stage.remove(pods, 'a');
  }),
  scenario('headless', async (stage) => {
    await stage.create(services, service({ clusterIP: 'None' }));
    await addPod(stage, 'a', true, { hostname: 'host-a', subdomain: app });
  }),
  scenario('headless-without-ports', async (stage) => {
    await stage.create(services, { metadata: { name: app }, spec: { selector: { app }, clusterIP: 'None' } });
    await addPod(stage, 'a');
  }),
  scenario('named-port', async (stage) => {
    await stage.create(services, service({ ports: [{ port: 80, targetPort: 'web' }] }));
    await addPod(stage, 'a');
    await addPod(stage, 'b', true, {
      containers: [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 9090 }] }],
    });
    await addPod(stage, 'c', true, { containers: [{ name: 'c', image: 'i' }] });
  }),
  scenario('several-ports', async (stage) => {
    const both = [...ports, { name: 'dns', port: 53, protocol: 'UDP', appProtocol: 'example.com/dns' }];
    await stage.create(services, service({ ports: both }));
    await addPod(stage, 'a');
  }),
  scenario('ports-changed', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await stage.calm();
    await stage.patch(services, app, { spec: { ports: [{ port: 80, targetPort: 9090 }] } });
  }),
  scenario('selector-changed', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await stage.calm();
    await stage.patch(services, app, { spec: { selector: { app: 'other' } } });
  }),
  scenario('labels', async (stage) => {
    await stage.create(services, service({}, { labels: { tier: 'front' }, annotations: { a: 'b' } }));
    await addPod(stage, 'a');
    await stage.compareObjects('created');
    await stage.patch(services, app, { metadata: { labels: { tier: 'back' } } });
  }),
  scenario('external-name', async (stage) => {
    await stage.create(services, {
      metadata: { name: app },
      spec: { type: 'ExternalName', externalName: 'example.com', selector: { app } },
    });
    await addPod(stage, 'a');
  }),
  scenario('becomes-external-name', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await stage.calm();
    await stage.patch(services, app, {
      spec: { type: 'ExternalName', externalName: 'example.com', clusterIP: null, clusterIPs: null },
    });
  }),
  scenario('deleted', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await stage.calm();
    await stage.remove(services, app);
  }),
  scenario('endpoints-deleted', async (stage) => {
    await stage.create(services, service());
    await addPod(stage, 'a');
    await stage.calm();
    await stage.remove('api/v1 endpoints', app);
    for (const slice of stage.list('apis/discovery.k8s.io/v1 endpointslices')) {
      await stage.remove('apis/discovery.k8s.io/v1 endpointslices', slice.metadata.name);
    }
  }),
  scenario('endpoints-of-a-user', async (stage) => {
    await stage.create(services, { metadata: { name: app }, spec: { ports } });
    await stage.create('api/v1 endpoints', {
      metadata: { name: app, labels: { mine: 'yes' } },
      subsets: [
        {
          addresses: [{ ip: '192.168.0.9' }],
          notReadyAddresses: [{ ip: '192.168.0.8' }],
          ports: [{ name: 'http', port: 8080 }],
        },
      ],
    });
    await stage.compareObjects('mirrored');
    await stage.patch('api/v1 endpoints', app, {
      metadata: { labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    });
  }),
  scenario('pod-with-two-services', async (stage) => {
    await stage.create(services, service());
    await stage.create(services, { ...service(), metadata: { name: 'other' } });
    await addPod(stage, 'a');
    await stage.until('two Endpoints with addresses', () =>
      stage.list('api/v1 endpoints').every((each) => at(each, 'subsets.0.addresses.0') !== undefined),
    );
  }),
  scenario('many-ports', async (stage) => {
    const many = ['a', 'b', 'c', 'd', 'e'].map((name, index) => ({ name, port: 80 + index }));
    await stage.create(services, service({ ports: many }));
    await addPod(stage, 'a');
    await addPod(stage, 'b', false);
  }),
  scenario('different-named-ports', async (stage) => {
    const both = [
      { name: 'web', port: 80, targetPort: 'web' },
      { name: 'fixed', port: 81, targetPort: 7070 },
    ];
    await stage.create(services, service({ ports: both }));
    await addPod(stage, 'a');
    await addPod(stage, 'b', true, {
      containers: [{ name: 'c', image: 'i', ports: [{ name: 'web', containerPort: 9090 }] }],
    });
    await addPod(stage, 'c', true, { containers: [{ name: 'c', image: 'i' }] });
  }),
  scenario('prefer-close', async (stage) => {
    await stage.create(services, service({ trafficDistribution: 'PreferClose' }));
    await stage.create(deployments, onEachNode(3));
    await stage.untilValue(deployments, app, 'status.availableReplicas', 3);
    await stage.compareObjects('close');
    await stage.patch(services, app, { spec: { trafficDistribution: null } });
  }),
  scenario('topology-aware', async (stage) => {
    const annotations = { 'service.kubernetes.io/topology-mode': 'Auto' };
    await stage.create(deployments, onEachNode(3));
    await stage.untilValue(deployments, app, 'status.availableReplicas', 3);
    await stage.create(services, service({}, { annotations }));
    await stage.compareObjects('aware');
    await stage.patch(services, app, {
      metadata: { annotations: { 'service.kubernetes.io/topology-mode': null } },
    });
  }),
  scenario('topology-aware-with-few-endpoints', async (stage) => {
    const annotations = { 'service.kubernetes.io/topology-mode': 'Auto' };
    await stage.create(services, service({}, { annotations }));
    await stage.calm();
    await stage.create(deployments, onEachNode(2));
    await stage.untilValue(deployments, app, 'status.availableReplicas', 2);
  }),
];

/** A Deployment whose pods are on different nodes. */
const onEachNode = (replicas: number) => {
  const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } };
  return workload(
    app,
    replicas,
    {},
    {
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
    },
  );
};
