import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Kubectl, kubectlSkipReason } from './kubectl.ts';
import { type ClientTarget, startTarget } from './target.ts';

/** A manifest of each of ten kinds, as users write them. */
const manifests: Readonly<Record<string, string>> = {
  ConfigMap: `apiVersion: v1
kind: ConfigMap
metadata: { name: web }
data: { color: green }`,
  Secret: `apiVersion: v1
kind: Secret
metadata: { name: web }
stringData: { password: s3cret }`,
  Service: `apiVersion: v1
kind: Service
metadata: { name: web }
spec: { selector: { app: web }, ports: [{ port: 80, targetPort: http }] }`,
  Pod: `apiVersion: v1
kind: Pod
metadata: { name: web }
spec: { containers: [{ name: web, image: nginx, resources: { limits: { cpu: 100m, memory: 64Mi } } }] }`,
  Deployment: `apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  replicas: 3
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: web, image: nginx }] }`,
  CronJob: `apiVersion: batch/v1
kind: CronJob
metadata: { name: web }
spec:
  schedule: "*/5 * * * *"
  jobTemplate:
    spec: { template: { spec: { restartPolicy: Never, containers: [{ name: web, image: nginx }] } } }`,
  Ingress: `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: { name: web }
spec: { defaultBackend: { service: { name: web, port: { number: 80 } } } }`,
  Role: `apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: web }
rules: [{ apiGroups: [""], resources: [pods], verbs: [get] }]`,
  HorizontalPodAutoscaler: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: { name: web }
spec: { maxReplicas: 5, scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web } }`,
  PersistentVolumeClaim: `apiVersion: v1
kind: PersistentVolumeClaim
metadata: { name: web }
spec: { accessModes: [ReadWriteOnce], resources: { requests: { storage: 1Gi } } }`,
};

describe('kubectl and the OpenAPI documents', { skip: kubectlSkipReason ?? false }, () => {
  let target: ClientTarget;
  let kubectl: Kubectl;

  before(async () => {
    target = await startTarget();
    kubectl = new Kubectl(target);
  });
  after(() => target?.stop());

  test('explain prints kind, version, type, required fields and enum values', async () => {
    const containers = await kubectl.run(['explain', 'pods.spec.containers']);
    assert.match(containers, /^KIND: +Pod\nVERSION: +v1\n\nFIELD: containers <\[\]Container>/);
    assert.match(containers, /\n {2}name\t<string> -required-\n/);
    assert.match(containers, /\n {2}imagePullPolicy\t<string>\n {2}enum: Always, IfNotPresent, Never\n/);
    assert.match(containers, /\n {2}resources\t<ResourceRequirements>\n/);
    const policy = await kubectl.run(['explain', 'pods.spec.dnsPolicy']);
    assert.match(policy, /ENUM:\n {4}ClusterFirst\n {4}ClusterFirstWithHostNet\n {4}Default\n {4}None\n/);
  });

  test('explain prints the description of a field', async () => {
    const data = await kubectl.run(['explain', 'configmaps.data']);
    assert.match(data, /FIELD: data <map\[string\]string>/);
    assert.match(data, /DESCRIPTION:\n {4}\S/);
  });

  test('explain --recursive prints the whole tree', async () => {
    const tree = await kubectl.run(['explain', 'deployments', '--recursive']);
    assert.match(tree, /^GROUP: +apps\nKIND: +Deployment\nVERSION: +v1\n/);
    assert.match(tree, /\n {2}spec\t<DeploymentSpec>\n/);
    assert.match(tree, /\n {8}containers\t<\[\]Container> -required-\n/);
    assert.match(tree, /\n {12}protocol\t<string>\n/);
  });

  test('explain finds another version, and rejects unknown fields', async () => {
    const older = await kubectl.run(['explain', 'hpa.spec', '--api-version=autoscaling/v1']);
    assert.match(older, /targetCPUUtilizationPercentage\t<integer>/);
    const newer = await kubectl.run(['explain', 'hpa.spec', '--api-version=autoscaling/v2']);
    assert.match(newer, /metrics\t<\[\]MetricSpec>/);
    assert.match(await kubectl.fail(['explain', 'pods.spec.nothing']), /field "nothing" does not exist/);
  });

  test('explain reads OpenAPI v2 in Protobuf', async () => {
    const text = await kubectl.run(['explain', 'pods.spec.containers', '--output=plaintext-openapiv2']);
    assert.match(text, /^KIND: +Pod\nVERSION: +v1\n\nRESOURCE: containers <\[\]Object>/);
    assert.match(text, /\n {3}name\t<string> -required-\n/);
    assert.match(text, /\n {3}ports\t<\[\]Object>\n/);
  });

  test('explain knows the kinds of every group version', async () => {
    const versions = (await kubectl.run(['api-versions'])).trim().split('\n');
    const resources = (await kubectl.run(['api-resources', '--no-headers', '--verbs=create'])).split('\n');
    const explained = await Promise.all(
      versions.map(async (version) => {
        const [name = ''] = resources.find((line) => line.includes(` ${version} `))?.split(' ') ?? [];
        if (name === '') return undefined;
        const text = await kubectl.run(['explain', name, `--api-version=${version}`]);
        assert.match(text, /\n {2}apiVersion\t<string>\n/, `${version} ${name}`);
        return name;
      }),
    );
    assert.ok(explained.filter((name) => name !== undefined).length > 20, explained.join());
  });

  for (const [kind, manifest] of Object.entries(manifests)) {
    test(`${kind} passes create and apply with --dry-run=client --validate=strict`, async () => {
      for (const verb of ['create', 'apply']) {
        const args = [verb, '--dry-run=client', '--validate=strict', '-f', '-'];
        assert.match(await kubectl.run(args, manifest), /\/web created \(dry run\)/);
      }
    });

    test(`${kind} with an unknown field is rejected by the server`, async () => {
      const wrong = `${manifest}\nnonsense: 1`;
      // kubectl leaves field validation to a server that supports it.
      await kubectl.run(['create', '--dry-run=client', '--validate=strict', '-f', '-'], wrong);
      assert.match(
        await kubectl.fail(['create', '--dry-run=server', '--validate=strict', '-f', '-'], wrong),
        /strict decoding error: unknown field "nonsense"/,
      );
    });
  }
});
