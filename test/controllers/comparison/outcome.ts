// The outcome of a scenario as lines of text: objects, Events, and the order of the steps that controllers took.
import { type AnyObject, at, type Kind } from '../kube-controller-manager/api.ts';
import { GeneratedNames, hasGeneratedName } from './names.ts';
import type { Change, NamespaceRecord } from './recorder.ts';

export interface OutcomeOptions {
  /** The order of steps and Events is the same on every run. */
  readonly isOrdered: boolean;
  /** The nodes of pods are compared. */
  readonly isPlaced: boolean;
}

const events: Kind = 'api/v1 events';
const pods: Kind = 'api/v1 pods';

export function objectLines(record: NamespaceRecord, options: OutcomeOptions): string[] {
  const names = new GeneratedNames(record.changes);
  const lines = [...record.current.values()]
    .filter(({ kind }) => kind !== events)
    .flatMap(({ kind, object }) => describe(kind, object, options));
  return counted(lines.map((line) => names.rewrite(line)));
}

/** Events and steps. */
export function historyLines(record: NamespaceRecord, { isOrdered, isPlaced }: OutcomeOptions): string[] {
  const names = new GeneratedNames(record.changes);
  const rewrite = (line: string) => (isPlaced ? names.rewrite(line) : unplaced(names.rewrite(line)));
  const told = record.changes
    .filter(({ kind, type }) => kind === events && type === 'ADDED')
    .map(({ object }) => rewrite(tell(object)))
    .filter((line) => !line.includes('(combined from similar events)'));
  if (!isOrdered) return [...new Set(told)].sort();
  return [...numbered(withoutRepetitions(told)), ...numbered(record.changes.flatMap(stepOf).map(rewrite))];
}

/** How often something is retried depends on time. */
function withoutRepetitions(lines: readonly string[]): string[] {
  const last = new Map<string | undefined, string>();
  return lines.filter((line) => {
    const [subject] = line.split(': ');
    const isRepeated = last.get(subject) === line;
    last.set(subject, line);
    return !isRepeated;
  });
}

/** Lines with the same text before the colon are numbered in their order. */
function numbered(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  return lines
    .map((line) => {
      const [subject = '', ...rest] = line.split(': ');
      const count = (counts.get(subject) ?? 0) + 1;
      counts.set(subject, count);
      return `${subject}: ${count}. ${rest.join(': ')}`;
    })
    .sort();
}

/** Equal lines become one with their number. */
function counted(lines: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return [...counts].map(([line, count]) => (count === 1 ? line : `${count} × ${line}`)).sort();
}

const unplaced = (text: string) => text.replaceAll(/\bnode-\d\b/g, 'node-N');

function tell(event: AnyObject): string {
  const { type, reason, message } = event;
  const [component, kind, name] = ['source.component', 'involvedObject.kind', 'involvedObject.name'].map(
    (path) => at(event, path),
  );
  const reporter = component || at(event, 'reportingComponent');
  return `event of ${kind} ${name}: ${reporter} ${type} ${reason}: ${message}`;
}

/** What a controller decided, of the kinds whose order of decisions matters. */
function stepOf({ type, kind, object, previous }: Change): string[] {
  const plural = kind.split(' ')[1];
  const { name, deletionTimestamp } = object.metadata;
  const replicas = (of: AnyObject | undefined) => at(of, 'spec.replicas');
  switch (plural) {
    case 'replicasets':
      if (type === 'ADDED') return [`steps of replicasets: ${name} created with ${replicas(object)}`];
      if (type === 'DELETED') return [`steps of replicasets: ${name} deleted`];
      if (replicas(object) === replicas(previous)) return [];
      return [`steps of replicasets: ${name} scaled from ${replicas(previous)} to ${replicas(object)}`];
    case 'pods':
      // Generated names do not tell pods apart, and several are created or deleted at the same time.
      if (hasGeneratedName(object)) return [];
      if (type === 'ADDED') return [`steps of pods: ${name} created`];
      if (deletionTimestamp && !previous?.metadata.deletionTimestamp)
        return [`steps of pods: ${name} deleted`];
      return [];
    case 'controllerrevisions':
    case 'persistentvolumeclaims':
      return type === 'MODIFIED' ? [] : [`steps of ${plural}: ${name} ${type.toLowerCase()}`];
    case 'jobs':
      return newConditions(object, previous).map(
        (condition) => `conditions of ${plural} ${name}: ${condition}`,
      );
    default:
      return [];
  }
}

function newConditions(object: AnyObject, previous: AnyObject | undefined): string[] {
  const conditionsOf = (of: AnyObject | undefined) =>
    ((at(of, 'status.conditions') ?? []) as Record<string, string>[]).map(
      ({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`,
    );
  const known = new Set(conditionsOf(previous));
  return conditionsOf(object).filter((condition) => !known.has(condition));
}

/** Of node-ttl-controller, which Orch does not have. */
const ttlAnnotation = 'node.alpha.kubernetes.io/ttl';

/** A line for each part of an object. */
function describe(kind: Kind, object: AnyObject, { isPlaced }: OutcomeOptions): string[] {
  const plural = kind.split(' ')[1]!;
  const { metadata, apiVersion: _version, kind: _kind, ...content } = object;
  const {
    name,
    labels = {},
    annotations = {},
    finalizers = [],
    ownerReferences = [],
    managedFields = [],
  } = metadata;
  const parts: [string, unknown][] = [
    ...Object.entries(labels).map(([label, value]) => [`label ${label}`, value] as [string, unknown]),
    ...Object.entries(annotations)
      .filter(([key]) => key !== ttlAnnotation)
      .map(([key, value]) => [`annotation ${key}`, value] as [string, unknown]),
    ...finalizers.map((finalizer) => ['finalizer', finalizer] as [string, unknown]),
    ...ownerReferences.map((owner) => ['owner', owner] as [string, unknown]),
    ...writers(managedFields).map((writer) => ['written', writer] as [string, unknown]),
    ...(metadata.deletionTimestamp ? [['is being deleted', true] as [string, unknown]] : []),
    ['generation', at(metadata, 'generation')],
    ...Object.entries(kind === pods ? podContent(content, isPlaced) : content).flatMap(([field, value]) =>
      field === 'status' || field === 'spec'
        ? fieldParts(field, value)
        : [[field, value] as [string, unknown]],
    ),
  ];
  return parts
    .filter(([, value]) => value !== undefined)
    .map(([part, value]) => {
      const line = `${plural} ${name} ${part}: ${JSON.stringify(sortedField(part, value))}`;
      return isPlaced ? line : unplaced(line);
    });
}

function fieldParts(parent: string, fields: unknown): [string, unknown][] {
  return Object.entries((fields ?? {}) as Record<string, unknown>).flatMap(([field, value]) =>
    field === 'conditions'
      ? (value as Record<string, unknown>[]).map((condition) => ['condition', condition] as [string, unknown])
      : [[`${parent}.${field}`, value] as [string, unknown]],
  );
}

/** What kubelets report is the subject of the simulation, not of the comparison. */
function podContent(content: Record<string, unknown>, isPlaced: boolean): Record<string, unknown> {
  const { spec, status } = withoutTokenNames(content) as Record<'spec' | 'status', Record<string, unknown>>;
  const { nodeName, ...rest } = spec;
  const { phase, reason, message, nominatedNodeName, resourceClaimStatuses } = status;
  const isPlayed = nodeName !== undefined && !/^node-\d$/.test(String(nodeName));
  const conditions = ((status.conditions ?? []) as Record<string, unknown>[]).filter(
    ({ type }) =>
      ['PodScheduled', 'DisruptionTarget'].includes(String(type)) || (isPlayed && type === 'Ready'),
  );
  return {
    spec: { ...rest, ...(isPlaced && { nodeName }) },
    status: {
      ...{ phase, reason, message, nominatedNodeName, resourceClaimStatuses },
      ...(conditions.length > 0 && { conditions }),
    },
  };
}

/** The name of the volume with the token is generated. */
const withoutTokenNames = (content: object): unknown =>
  JSON.parse(JSON.stringify(content).replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-*'));

/** kwok, and the simulation of Orch. */
const kubeletManagers = new Set(['kwok', 'kubelet']);

function writers(managedFields: NonNullable<AnyObject['metadata']['managedFields']>): string[] {
  const all = managedFields
    .filter(({ manager }) => !kubeletManagers.has(manager))
    .filter(({ fieldsV1 }) => !ownsOnlyTtl(fieldsV1))
    .map(
      ({ manager, operation, subresource }) =>
        `${operation} by ${manager}${subresource ? ` of ${subresource}` : ''}`,
    );
  return [...new Set(all)].sort();
}

/** Lists whose order has no meaning. */
const unorderedLists = new Set(['addresses', 'endpoints', 'notReadyAddresses', 'subsets']);

/** Whether the manager owns no other field than the annotation of node-ttl-controller. */
function ownsOnlyTtl(fields: unknown): boolean {
  const others = JSON.stringify(fields ?? {}).replaceAll(`"f:${ttlAnnotation}":{}`, '');
  return others.replaceAll(/[,{}:]|"\."|"f:metadata"|"f:annotations"/g, '') === '' && fields !== undefined;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sortedField(key, inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function sortedField(name: string, value: unknown): unknown {
  const inner = sorted(value);
  if (!unorderedLists.has(name) || !Array.isArray(inner)) return inner;
  // Addresses differ between the sides, and are replaced later.
  const keyOf = (item: unknown) => JSON.stringify(item).replaceAll(/10\.\d+\.\d+\.\d+/g, '');
  return inner.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}
