// Names of types in OpenAPI documents.

/** Go packages of types outside k8s.io/api, by group; a package without a version ends with a dot. */
const packagePaths: Readonly<Record<string, string>> = {
  meta: 'apimachinery.pkg.apis.meta',
  apiextensions: 'apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'kube-aggregator.pkg.apis.apiregistration',
  metrics: 'metrics.pkg.apis.metrics',
  'resource.': 'apimachinery.pkg.api.resource',
  'runtime.': 'apimachinery.pkg.runtime',
  'intstr.': 'apimachinery.pkg.util.intstr',
  'version.': 'apimachinery.pkg.version',
};

/** The name in upstream's OpenAPI documents, which contains the Go package: `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. */
export function upstreamSchemaName(root: string, fullName: string): string {
  const [packageName, type] = splitFullName(fullName);
  const slash = packageName.indexOf('/');
  const group = slash < 0 ? packageName : packageName.slice(0, slash);
  const packagePath = packagePaths[slash < 0 ? `${group}.` : group] ?? `api.${group}`;
  return `${root}.${packagePath}${slash < 0 ? '' : `.${packageName.slice(slash + 1)}`}.${type}`;
}

/** A name with all types in one package: `io.orch.api.core.v1.Pod`. */
export function flatSchemaName(root: string, fullName: string): string {
  const [packageName, type] = splitFullName(fullName);
  return `${root}.api.${packageName.replace('/', '.')}.${type}`;
}

function splitFullName(fullName: string): [packageName: string, type: string] {
  const dot = fullName.indexOf('.');
  return [fullName.slice(0, dot), fullName.slice(dot + 1)];
}
