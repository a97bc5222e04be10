/**
 * The Deployments of the rows about patches, applies and updates: two containers with probes, variables, volumes and
 * resources, as people write them, about 3 KB. `mark` stands where every write of a load writes something else.
 */
export const workloadNamespace = 'bench-workloads';
export const deploymentsPath = `/apis/apps/v1/namespaces/${workloadNamespace}/deployments`;

/** What `walk.lua` replaces by the count of the write, and what stands there before the first. */
export const markTemplate = '@'.repeat(12);
export const firstMark = '0'.repeat(markTemplate.length);

export const deployment = (name: string, mark: string): string =>
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
          containers: [web(mark), proxy],
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

const web = (mark: string) => ({
  name: 'web',
  image: `registry.example.com/shop/web:${mark}`,
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
