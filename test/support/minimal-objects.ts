import { authority, signingRequest } from '../parity/corpus/certificates-data.ts';

/**
 * The minimal valid object of each kind, for tests of all kinds. Names with the domain of the service are written with
 * `DOMAIN`, which the test replaces.
 */
export interface MinimalObject {
  /** The required name, if there is one. */
  readonly name?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const container = { name: 'c', image: 'i' };
const labels = { app: 'a' };
const template = { metadata: { labels }, spec: { containers: [container] } };
const selector = { matchLabels: labels };
const service = { name: 's', namespace: 'default' };

/** By group (without the domain) and plural. Versions of one kind share an entry unless `group/version plural` has its own. */
export const minimalObjects: Readonly<Record<string, MinimalObject>> = {
  ' configmaps': { body: {} },
  ' endpoints': { body: {} },
  ' events': {
    body: {
      involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
      reason: 'Tested',
      type: 'Normal',
    },
  },
  ' limitranges': { body: { spec: { limits: [{ type: 'Pod' }] } } },
  ' namespaces': { body: {} },
  ' nodes': { body: {} },
  ' persistentvolumeclaims': {
    body: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
  ' persistentvolumes': {
    body: {
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } },
    },
  },
  ' pods': { body: { spec: { containers: [container] } } },
  ' podtemplates': { body: { template } },
  ' replicationcontrollers': { body: { spec: { selector: labels, template } } },
  ' resourcequotas': { body: {} },
  ' secrets': { body: {} },
  ' serviceaccounts': { body: {} },
  ' services': { body: { spec: { ports: [{ port: 80 }] } } },
  'admissionregistration mutatingadmissionpolicies': {
    body: {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
          ],
        },
        reinvocationPolicy: 'Never',
        mutations: [
          {
            patchType: 'JSONPatch',
            jsonPatch: { expression: '[JSONPatch{op: "add", path: "/x", value: "y"}]' },
          },
        ],
      },
    },
  },
  'admissionregistration mutatingadmissionpolicybindings': { body: { spec: { policyName: 'p' } } },
  'admissionregistration mutatingwebhookconfigurations': { body: { webhooks: [] } },
  'admissionregistration validatingadmissionpolicies': {
    body: {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] },
          ],
        },
        validations: [{ expression: 'true' }],
      },
    },
  },
  'admissionregistration validatingadmissionpolicybindings': {
    body: { spec: { policyName: 'p', validationActions: ['Deny'] } },
  },
  'admissionregistration validatingwebhookconfigurations': { body: { webhooks: [] } },
  'apiextensions customresourcedefinitions': {
    name: 'widgets.example.com',
    body: {
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'widgets', kind: 'Widget' },
        versions: [
          { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
  },
  'apiregistration apiservices': {
    name: 'v1.example.com',
    body: {
      spec: {
        group: 'example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 10,
        service,
        insecureSkipTLSVerify: true,
      },
    },
  },
  'apps controllerrevisions': { body: { revision: 1, data: {} } },
  'apps daemonsets': { body: { spec: { selector, template } } },
  'apps deployments': { body: { spec: { selector, template } } },
  'apps replicasets': { body: { spec: { selector, template } } },
  'apps statefulsets': { body: { spec: { selector, template, serviceName: 's' } } },
  'autoscaling horizontalpodautoscalers': {
    body: {
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'd', apiVersion: 'apps/v1' }, maxReplicas: 2 },
    },
  },
  'batch cronjobs': {
    body: {
      spec: {
        schedule: '* * * * *',
        jobTemplate: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } },
      },
    },
  },
  'batch jobs': { body: { spec: { template: { spec: { ...template.spec, restartPolicy: 'Never' } } } } },
  'certificates certificatesigningrequests': {
    body: { spec: { request: signingRequest, signerName: 'example.com/signer', usages: ['client auth'] } },
  },
  'certificates clustertrustbundles': { body: { spec: { trustBundle: authority } } },
  'coordination leasecandidates': {
    body: {
      spec: {
        leaseName: 'l',
        strategy: 'OldestEmulationVersion',
        binaryVersion: '1.33.0',
        emulationVersion: '1.33.0',
      },
    },
  },
  'coordination leases': { body: {} },
  'discovery endpointslices': { body: { addressType: 'IPv4', endpoints: [] } },
  'events events': {
    body: {
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'i',
      action: 'Test',
      reason: 'Tested',
      type: 'Normal',
      regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    },
  },
  'flowcontrol.apiserver flowschemas': {
    body: { spec: { priorityLevelConfiguration: { name: 'p' }, matchingPrecedence: 9000 } },
  },
  'flowcontrol.apiserver prioritylevelconfigurations': {
    body: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  },
  'internal.apiserver storageversions': { name: 'example.com.widgets', body: { spec: {}, status: {} } },
  'networking ingressclasses': { body: { spec: { controller: 'example.com/c' } } },
  'networking ingresses': {
    body: { spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } } },
  },
  'networking ipaddresses': {
    name: '192.168.7.9',
    body: { spec: { parentRef: { resource: 'services', namespace: 'default', name: 's' } } },
  },
  'networking networkpolicies': { body: { spec: { podSelector: {} } } },
  'networking servicecidrs': { body: { spec: { cidrs: ['10.99.0.0/16'] } } },
  'node runtimeclasses': { body: { handler: 'h' } },
  'policy poddisruptionbudgets': { body: { spec: { minAvailable: 1, selector } } },
  'rbac.authorization clusterrolebindings': {
    body: {
      roleRef: { apiGroup: 'rbac.authorization.DOMAIN', kind: 'ClusterRole', name: 'r' },
      subjects: [],
    },
  },
  'rbac.authorization clusterroles': { body: { rules: [] } },
  'rbac.authorization rolebindings': {
    body: { roleRef: { apiGroup: 'rbac.authorization.DOMAIN', kind: 'Role', name: 'r' }, subjects: [] },
  },
  'rbac.authorization roles': { body: { rules: [] } },
  'resource deviceclasses': { body: { spec: {} } },
  'resource devicetaintrules': { body: { spec: { taint: { key: 'example.com/k', effect: 'NoSchedule' } } } },
  'resource resourceclaims': { body: { spec: {} } },
  'resource resourceclaimtemplates': { body: { spec: { spec: {} } } },
  'resource resourceslices': {
    body: {
      spec: {
        driver: 'd.example.com',
        nodeName: 'n',
        pool: { name: 'n', generation: 1, resourceSliceCount: 1 },
      },
    },
  },
  'scheduling priorityclasses': { body: { value: 10 } },
  'storage csidrivers': { body: { spec: {} } },
  'storage csinodes': { body: { spec: { drivers: [{ name: 'd.example.com', nodeID: 'n' }] } } },
  'storage csistoragecapacities': { body: { storageClassName: 's' } },
  'storage storageclasses': { body: { provisioner: 'example.com/p' } },
  'storage volumeattachments': {
    body: { spec: { attacher: 'a.example.com', nodeName: 'n', source: { persistentVolumeName: 'pv' } } },
  },
  'storage volumeattributesclasses': { body: { driverName: 'd.example.com', parameters: { a: 'b' } } },
  'storagemigration storageversionmigrations': {
    body: { spec: { resource: { group: 'apps', version: 'v1', resource: 'deployments' } } },
  },
};
