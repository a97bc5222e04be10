/** Packages of types that do not lie where most do, and what their place is called instead. */
const elsewhere: Readonly<Record<string, string>> = {
  meta: 'apimachinery.pkg.apis.meta',
  apiextensions: 'apiextensions-apiserver.pkg.apis.apiextensions',
  apiregistration: 'kube-aggregator.pkg.apis.apiregistration',
  // Packages without a version.
  'resource.': 'apimachinery.pkg.api.resource',
  'runtime.': 'apimachinery.pkg.runtime',
  'intstr.': 'apimachinery.pkg.util.intstr',
  'version.': 'apimachinery.pkg.version',
};

/** What OpenAPI calls a type in the original: `core/v1.Pod` is `io.k8s.api.core.v1.Pod`. */
export function scatteredSchemaName(root: string, fullName: string): string {
  const [packageName, type] = split(fullName);
  const slash = packageName.indexOf('/');
  const group = slash < 0 ? packageName : packageName.slice(0, slash);
  const place = elsewhere[slash < 0 ? `${group}.` : group] ?? `api.${group}`;
  return `${root}.${place}${slash < 0 ? '' : `.${packageName.slice(slash + 1)}`}.${type}`;
}

/** The same with all types in one place: `io.orch.api.core.v1.Pod`. */
export function plainSchemaName(root: string, fullName: string): string {
  const [packageName, type] = split(fullName);
  return `${root}.api.${packageName.replace('/', '.')}.${type}`;
}

function split(fullName: string): [packageName: string, type: string] {
  const dot = fullName.indexOf('.');
  return [fullName.slice(0, dot), fullName.slice(dot + 1)];
}
