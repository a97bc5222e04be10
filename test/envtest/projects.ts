// Operators whose suites use envtest, in releases for Kubernetes 1.33, from the Go module proxy.

export interface Project {
  readonly name: string;
  readonly module: string;
  readonly version: string;
  /** The packages whose suites use a server. */
  readonly packages: readonly string[];
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
    packages: ['test/integration/controller', 'test/integration/webhook'],
  },
  {
    name: 'LeaderWorkerSet',
    module: 'sigs.k8s.io/lws',
    version: 'v0.6.2',
    packages: ['test/integration/controllers', 'test/integration/webhooks'],
  },
  {
    name: 'Karpenter',
    module: 'sigs.k8s.io/karpenter',
    version: 'v1.6.2',
    packages: [
      'pkg/controllers/node/termination',
      'pkg/controllers/nodeclaim/lifecycle',
      'pkg/controllers/nodeclaim/consistency',
      'pkg/controllers/nodepool/counter',
      'pkg/controllers/nodepool/hash',
    ],
  },
  {
    name: 'RabbitMQ cluster operator',
    module: 'github.com/rabbitmq/cluster-operator/v2',
    version: 'v2.14.0',
    packages: ['controllers'],
  },
];
