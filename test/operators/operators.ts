/** An operator, as a Go module. Paths are relative to the module; a folder stands for all files below it. */
export interface Operator {
  readonly name: string;
  readonly module: string;
  /** The paths of its CustomResourceDefinitions. */
  readonly definitions: readonly string[];
  /** The paths of example objects. */
  readonly examples: readonly string[];
}

export const operators: readonly Operator[] = [
  {
    name: 'gateway-api',
    module: 'sigs.k8s.io/gateway-api@v1.4.0',
    definitions: ['config/crd/experimental'],
    examples: ['examples'],
  },
  {
    name: 'cert-manager',
    module: 'github.com/cert-manager/cert-manager@v1.21.2',
    definitions: ['deploy/crds'],
    examples: ['test/fixtures'],
  },
  {
    name: 'prometheus-operator',
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    definitions: ['example/prometheus-operator-crd-full'],
    examples: ['example'],
  },
  {
    name: 'keda',
    module: 'github.com/kedacore/keda/v2@v2.21.0',
    definitions: ['config/crd/bases'],
    examples: ['config/samples'],
  },
  {
    name: 'external-secrets',
    module: 'github.com/external-secrets/external-secrets@v1.3.2',
    definitions: ['config/crds/bases'],
    examples: ['docs/snippets'],
  },
  {
    name: 'argo-rollouts',
    module: 'github.com/argoproj/argo-rollouts@v1.10.1',
    definitions: ['manifests/crds'],
    examples: ['examples'],
  },
  {
    name: 'argo-cd',
    module: 'github.com/argoproj/argo-cd/v3@v3.5.6',
    definitions: ['manifests/crds'],
    examples: ['applicationset/examples', 'examples'],
  },
  {
    name: 'istio',
    module: 'istio.io/istio@v0.0.0-20260827124520-eed52ebb66ad',
    definitions: ['manifests/charts/base/files/crd-all.gen.yaml'],
    examples: ['samples'],
  },
];
