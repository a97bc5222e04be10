// Operators whose suites use envtest, in releases of the time of Kubernetes 1.33, from the Go module proxy.

export interface Project {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** The packages whose suites use a server. */
  readonly packages: readonly string[];
  /** Its suites delete the dependents of an owner themselves, and fail if the garbage collector has deleted them. */
  readonly needsNoControllers?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** Completes the module, if its zip file lacks something that the project's Makefile fetches. */
  prepare?(go: string, folder: string): Promise<void>;
}

export const projects: readonly Project[] = [
  {
    name: 'controller-runtime',
    module: 'sigs.k8s.io/controller-runtime',
    version: 'v0.21.0',
    packages: [
      'pkg/client',
      'pkg/client/apiutil',
      'pkg/cache',
      'pkg/webhook',
      'pkg/manager',
      'pkg/manager/internal/integration',
      'pkg/builder',
      'pkg/controller',
      'pkg/controller/controllerutil',
      'pkg/cluster',
      'pkg/envtest',
      'pkg/handler',
      'pkg/internal/controller',
      'pkg/internal/recorder',
      'pkg/internal/testing/controlplane',
      'pkg/metrics/filters',
      'pkg/reconcile',
      'pkg/source',
    ],
  },
  {
    name: 'JobSet',
    module: 'sigs.k8s.io/jobset',
    version: 'v0.8.2',
    // Not test/integration/controller: 35 of its 48 specs fail on kube-apiserver 1.33, before they reach what they test.
    packages: ['test/integration/webhook'],
  },
  {
    name: 'LeaderWorkerSet',
    module: 'sigs.k8s.io/lws',
    version: 'v0.6.2',
    packages: ['test/integration/controllers', 'test/integration/webhooks'],
    needsNoControllers: true,
  },
  {
    name: 'Karpenter',
    module: 'sigs.k8s.io/karpenter',
    version: 'v1.6.2',
    packages: [
      'pkg/apis/v1',
      'pkg/controllers/node/health',
      'pkg/controllers/node/termination',
      'pkg/controllers/nodeclaim/consistency',
      'pkg/controllers/nodeclaim/disruption',
      'pkg/controllers/nodeclaim/expiration',
      'pkg/controllers/nodeclaim/lifecycle',
      'pkg/controllers/nodepool/counter',
      'pkg/controllers/nodepool/hash',
      'pkg/controllers/nodepool/readiness',
      'pkg/controllers/nodepool/validation',
      'pkg/controllers/state',
    ],
  },
  {
    name: 'Cluster API',
    module: 'sigs.k8s.io/cluster-api',
    version: 'v1.10.2',
    packages: [
      'controllers/crdmigrator',
      'controllers/remote',
      'internal/controllers/clusterresourceset',
      'internal/controllers/machineset',
      'internal/util/ssa',
      'internal/webhooks/test',
      'util/collections',
      'util/patch',
    ],
  },
  {
    name: 'external-secrets',
    module: 'github.com/external-secrets/external-secrets',
    version: 'v0.17.0',
    packages: [
      'pkg/controllers/clusterexternalsecret',
      'pkg/controllers/clusterpushsecret',
      'pkg/controllers/crds',
      'pkg/controllers/externalsecret',
      'pkg/controllers/pushsecret',
      'pkg/controllers/secretstore',
      'pkg/controllers/webhookconfig',
    ],
  },
];
