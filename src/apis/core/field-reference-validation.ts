// ObjectFieldSelector and ResourceFieldSelector: validation of `fieldRef` and `resourceFieldRef` (downward API).
import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts';
import { qualifiedName } from '../../schema/names.ts';
import type { ObjectFieldSelector, ResourceFieldSelector } from './key-selector.ts';

/** Pod field paths that convert to the internal version; others are invalid, not merely unsupported. */
const convertibleFieldPaths: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.schedulerName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.phase',
  'status.podIP',
  'status.podIPs',
]);
/** Field paths that the conversion to the internal version renames. */
const renamedFieldPaths = new Map([['spec.host', 'spec.nodeName']]);

/** Validates a `fieldRef`. `supported` lists the allowed field paths, in the order of the error message. */
export function validateFieldReference(
  { apiVersion, fieldPath }: ObjectFieldSelector,
  path: string,
  supported: readonly string[],
): FieldError[] {
  if (!apiVersion) return [required(`${path}.apiVersion`)];
  if (fieldPath === '') return [required(`${path}.fieldPath`)];
  const reject = (detail: string) => [
    invalid(`${path}.fieldPath`, fieldPath, `error converting fieldPath: ${detail}`),
  ];
  if (apiVersion !== 'v1') return reject(`unsupported pod version: ${apiVersion}`);
  const { map, key } = splitSubscript(fieldPath);
  if (map === undefined) {
    const name = renamedFieldPaths.get(fieldPath) ?? fieldPath;
    if (!convertibleFieldPaths.has(name)) return reject(`field label not supported: ${fieldPath}`);
    return supported.includes(name) ? [] : [notSupported(`${path}.fieldPath`, name, supported)];
  }
  if (map !== 'metadata.annotations' && map !== 'metadata.labels') {
    return reject(`field label does not support subscript: ${fieldPath}`);
  }
  // Annotation keys are validated in lower case, as those of metadata.annotations are.
  const name = map === 'metadata.annotations' ? key!.toLowerCase() : key!;
  return qualifiedName(name).map((problem) => invalid(path, name, problem));
}

/** Splits a subscripted path: `metadata.labels['app']` is key `app` of map `metadata.labels`. */
function splitSubscript(fieldPath: string): { map?: string; key?: string } {
  const bracket = fieldPath.indexOf("['");
  if (bracket < 1 || !fieldPath.endsWith("']")) return {};
  return { map: fieldPath.slice(0, bracket), key: fieldPath.slice(bracket + 2, -2) };
}

const byteUnits = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** The divisors that a resource allows, and the words for both in error messages. */
interface DivisorRule {
  readonly pattern: RegExp;
  readonly displayName: string;
  readonly divisors: readonly string[];
  readonly divisorsText: string;
}

const byteDivisors = { divisors: byteUnits, divisorsText: byteUnits.join(', ') };
const hugePages = /^(?:limits|requests)\.hugepages-/;
const divisorRules: readonly DivisorRule[] = [
  {
    pattern: /^(?:limits|requests)\.cpu$/,
    displayName: 'cpu',
    divisors: ['1m', '1'],
    divisorsText: '1m and 1',
  },
  { pattern: /^(?:limits|requests)\.memory$/, displayName: 'memory', ...byteDivisors },
  {
    pattern: /^(?:limits|requests)\.ephemeral-storage$/,
    displayName: 'local ephemeral storage',
    ...byteDivisors,
  },
  { pattern: hugePages, displayName: 'hugepages', ...byteDivisors },
];

/** Huge pages are supported too, of any size. */
const supportedResources = ['limits', 'requests'].flatMap((kind) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((resource) => `${kind}.${resource}`),
);

/**
 * Validates a `resourceFieldRef`. In a volume it must name the container; in env the default is the container of the
 * variable.
 */
export function validateResourceReference(
  { containerName, resource, divisor }: ResourceFieldSelector,
  path: string,
  { requiresContainerName = false } = {},
): FieldError[] {
  const errors: FieldError[] = [];
  if (requiresContainerName && !containerName) errors.push(required(`${path}.containerName`));
  else if (resource === '') errors.push(required(`${path}.resource`));
  else if (!supportedResources.includes(resource) && !hugePages.test(resource)) {
    errors.push(notSupported(`${path}.resource`, resource, supportedResources));
  }
  const divisorRule = divisorRules.find(({ pattern }) => pattern.test(resource));
  // A divisor of 0 is an unset one.
  const hasDivisor = divisor !== undefined && divisor !== '0';
  if (divisorRule && hasDivisor && !divisorRule.divisors.includes(divisor)) {
    const detail = `only divisor's values ${divisorRule.divisorsText} are supported with the ${divisorRule.displayName} resource`;
    // kube-apiserver prints the resource, not the divisor, as the bad value.
    errors.push(invalid(`${path}.divisor`, resource, detail));
  }
  return errors;
}
