// The Deployments of the benchmark loads.

export const workloadNamespace = 'bench-workloads';
export const deploymentsPath = `/apis/apps/v1/namespaces/${workloadNamespace}/deployments`;

/** The image tag: `walk.lua` replaces the template with the number of the write, so that every write changes the object. */
export const tagTemplate = '@'.repeat(12);
export const initialTag = '0'.repeat(tagTemplate.length);

/** About 3 KB: two containers with probes, variables, volumes and resources. */
export const deployment = (name: string, tag: string): string =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: {
      name,
      labels: { app: 'shop', component: 'web', team: 'checkout', revision: 'r1' },
      annotations: {
        'example.com/owner': 'checkout team',
        'example.com/runbook': 'https://example.com/shop',
      },
    },
    spec: {
      replicas: 3,
      revisionHistoryLimit: 5,
      selector: { matchLabels: { app: 'shop', component: 'web' } },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: { app: 'shop', component: 'web', team: 'checkout' },
          annotations: { 'example.com/scrape': 'true', 'example.com/port': '9090' },
        },
        spec: {
          serviceAccountName: 'shop',
          terminationGracePeriodSeconds: 45,
          securityContext: { runAsNonRoot: true, runAsUser: 1000, fsGroup: 2000 },
          containers: [web(tag), proxy],
          volumes: [
            { name: 'settings', configMap: { name: 'shop-settings' } },
            { name: 'keys', secret: { secretName: 'shop-keys', defaultMode: 256 } },
            { name: 'scratch', emptyDir: { sizeLimit: '1Gi' } },
          ],
          topologySpreadConstraints: [
            {
              maxSkew: 1,
              topologyKey: 'topology.kubernetes.io/zone',
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: { app: 'shop' } },
            },
          ],
        },
      },
    },
  });

const probe = (path: string, port: string | number) => ({
  httpGet: { path, port },
  initialDelaySeconds: 5,
  periodSeconds: 10,
  failureThreshold: 3,
});

const web = (tag: string) => ({
  name: 'web',
  image: `registry.example.com/shop/web:${tag}`,
  args: ['--listen=:8080', '--metrics=:9090', '--log-format=json'],
  ports: [
    { name: 'http', containerPort: 8080 },
    { name: 'metrics', containerPort: 9090 },
  ],
  env: [
    { name: 'LOG_LEVEL', value: 'info' },
    { name: 'REGION', value: 'eu-west-1' },
    { name: 'CACHE_SIZE', value: '256' },
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'shop-db', key: 'password' } } },
  ],
  resources: { requests: { cpu: '250m', memory: '256Mi' }, limits: { cpu: '1', memory: '512Mi' } },
  readinessProbe: probe('/ready', 'http'),
  livenessProbe: probe('/alive', 'http'),
  volumeMounts: [
    { name: 'settings', mountPath: '/etc/shop', readOnly: true },
    { name: 'keys', mountPath: '/var/keys', readOnly: true },
    { name: 'scratch', mountPath: '/tmp' },
  ],
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
});

const proxy = {
  name: 'proxy',
  image: 'registry.example.com/mesh/proxy:1.18.2',
  ports: [{ name: 'proxy', containerPort: 15001 }],
  env: [
    { name: 'UPSTREAM', value: '127.0.0.1:8080' },
    { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  ],
  resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
  readinessProbe: probe('/healthz', 15021),
  lifecycle: { preStop: { exec: { command: ['/bin/sleep', '5'] } } },
};
