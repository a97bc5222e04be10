import { type AnyObject, type Api, at, type Kind } from '../api.ts';
import { budgets, type Case, configMaps, cronJobs, things } from './cases.ts';

const kinds: readonly Kind[] = [
  configMaps,
  things,
  'api/v1 pods',
  'api/v1 persistentvolumeclaims',
  budgets,
  cronJobs,
  'apis/batch/v1 jobs',
];

/** The remaining objects of a case as lines of text, without anything that differs from run to run. */
export async function outcomeOf(api: Api, namespace: string, { also = [] }: Case): Promise<string[]> {
  const lines: string[] = [];
  const names = new Map<string, string>();
  const found: AnyObject[] = [];
  for (const kind of kinds) {
    for (const thing of await api.list(kind, namespace)) {
      names.set(thing.metadata.uid, thing.metadata.name);
      if (thing.metadata.name !== 'kube-root-ca.crt') found.push({ ...thing, kind });
    }
  }
  for (const [kind, where, name] of also) {
    const thing = await api.get(kind, where, name);
    if (thing) found.push({ ...thing, kind });
  }
  for (const thing of found) {
    lines.push(describe(thing));
    if (thing.kind === budgets || thing.kind === cronJobs) lines.push(counted(thing));
  }
  const itself = await api.get('api/v1 namespaces', '', namespace);
  if (!itself) lines.push('the namespace is gone');
  for (const condition of (at(itself, 'status.conditions') ?? []) as Record<string, string>[]) {
    const { type, status, reason, message } = condition;
    lines.push(`${type} ${status} ${reason}: ${message}`);
  }
  const own = await api.list('api/v1 events', namespace);
  const ofOthers = (await api.list('api/v1 events', 'default')).filter(({ involvedObject }) =>
    also.some(([, where, name]) => where === '' && at(involvedObject, 'name') === name),
  );
  for (const event of [...own, ...ofOthers]) lines.push(told(event));
  return lines.map(withoutUids).sort();
}

function describe({ kind, metadata }: AnyObject): string {
  const { name, finalizers = [], deletionTimestamp, ownerReferences = [], managedFields = [] } = metadata;
  const writers = managedFields.map(
    ({ manager, operation, subresource }) =>
      `${operation} by ${manager}${subresource ? ` of ${subresource}` : ''}`,
  );
  const owners = ownerReferences.map((owner) => {
    const { kind: ownerKind, name: ownerName, ...more } = owner as Record<string, unknown> & typeof owner;
    const blocks = more.blockOwnerDeletion === undefined ? '' : ` blocking: ${more.blockOwnerDeletion}`;
    return `${ownerKind} ${ownerName}${blocks}`;
  });
  const facts = [
    ...(deletionTimestamp ? ['is to go'] : []),
    ...finalizers.map((finalizer) => `held by ${finalizer}`),
    ...owners.map((each) => `owned by ${each}`),
    ...[...new Set(writers)].sort(),
  ];
  return `${kind?.split(' ')[1]} ${name}: ${facts.join('; ') || 'is there'}`;
}

/** The status of a budget or CronJob, without times and values that differ from run to run. */
function counted({ metadata, status }: AnyObject): string {
  const text = JSON.stringify(sorted(status), (key, value) =>
    ['lastTransitionTime', 'resourceVersion'].includes(key) ? undefined : value,
  );
  return `${metadata.name} has counted: ${text}`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function told(event: AnyObject): string {
  const { type, reason, message } = event;
  const [component, kind, name] = ['source.component', 'involvedObject.kind', 'involvedObject.name'].map(
    (path) => at(event, path),
  );
  return `${component} tells of ${kind} ${name}: ${type} ${reason}: ${message}`;
}

const withoutUids = (line: string) =>
  line.replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'UID');
