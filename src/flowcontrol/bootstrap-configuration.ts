// API Priority and Fairness: creates and maintains the mandatory and suggested configuration objects.
import type { FlowSchema } from '../apis/flowcontrol/flowschema.ts';
import { type FlowControlSpecs, isEqualSpec, mandatorySpecs } from '../apis/flowcontrol/mandatory.ts';
import type { PriorityLevelConfiguration } from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import type { Client } from '../client/client.ts';
import type { ResourceId } from '../client/informers.ts';
import type { Lister } from '../client/lister.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { suggested } from './suggested.ts';

const writeOptions = { manager: 'api-priority-and-fairness-config-producer-v1' };

const group = 'flowcontrol.apiserver';
export const flowSchemas: ResourceId = { group, version: 'v1', resource: 'flowschemas' };
export const priorityLevels: ResourceId = { group, version: 'v1', resource: 'prioritylevelconfigurations' };

export interface BootstrapContext {
  readonly client: Client;
  readonly dialect: Dialect;
  readonly schemas: Lister<FlowSchema>;
  readonly levels: Lister<PriorityLevelConfiguration>;
}

type Spec = FlowControlSpecs['flowSchemas'][string] | FlowControlSpecs['priorityLevels'][string];
type Configuration = ApiObject & { spec: Spec };
type Importance = 'mandatory' | 'suggested';

/**
 * Mandatory objects are always restored; suggested ones unless the autoupdate annotation is false, or they were
 * changed before they had it.
 */
export async function ensureBootstrapConfiguration(context: BootstrapContext): Promise<void> {
  const { schemas, levels } = context;
  const suggestions = suggested(context.dialect);
  const ensureAll = (specs: FlowControlSpecs, importance: Importance) => [
    ...Object.entries(specs.priorityLevels).map(([name, spec]) =>
      ensureObject(context, levels, name, spec, importance),
    ),
    ...Object.entries(specs.flowSchemas).map(([name, spec]) =>
      ensureObject(context, schemas, name, spec, importance),
    ),
  ];
  await Promise.all([...ensureAll(mandatorySpecs, 'mandatory'), ...ensureAll(suggestions, 'suggested')]);
  const names = (kind: keyof FlowControlSpecs) =>
    new Set([...Object.keys(mandatorySpecs[kind]), ...Object.keys(suggestions[kind])]);
  await removeObsolete(context, schemas, names('flowSchemas'));
  await removeObsolete(context, levels, names('priorityLevels'));
}

/** Creates the object if it does not exist, and corrects it if it is outdated. */
async function ensureObject<T>(
  { client, dialect }: BootstrapContext,
  lister: Lister<T>,
  name: string,
  spec: Spec,
  importance: Importance,
): Promise<void> {
  const annotation = dialect.annotations.flowControlAutoupdate;
  const stored = lister.get('', name);
  if (!stored) {
    const { apiVersion, kind } = lister.resource;
    const metadata = { name, annotations: { [annotation]: 'true' } };
    // Another replica may have created it first.
    await ignoreReason(
      'AlreadyExists',
      client.create({ apiVersion, kind, metadata, spec }, writeOptions, lister),
    );
    return;
  }
  const corrected = (object: T) => correctedIfOutdated(object as Configuration, spec, importance, annotation);
  const current = stored.tryDecode();
  // A client has to delete a corrupt object; an update would fail too.
  if (!current || !corrected(current)) return;
  const change = (object: T) => {
    Object.assign(object as Configuration, corrected(object));
  };
  // After a concurrent change the next periodic call corrects the object.
  await ignoreReason('Conflict', client.mutate(lister, name, change, writeOptions));
}

/** The corrected object; undefined if nothing needs to change. */
function correctedIfOutdated(
  object: Configuration,
  spec: Spec,
  importance: Importance,
  annotation: string,
): Configuration | undefined {
  const { annotations, generation } = object.metadata;
  const annotationValue = annotations?.[annotation];
  // Without a valid annotation, an object that was never changed (generation 1) is updated.
  const isAutoUpdated =
    importance === 'mandatory' || (booleans.get(annotationValue ?? '') ?? generation === 1);
  const isOutdated = isAutoUpdated && !isEqualSpec(object.spec, spec);
  if (annotationValue === String(isAutoUpdated) && !isOutdated) return undefined;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: String(isAutoUpdated) } },
    spec: isOutdated ? structuredClone(spec) : object.spec,
  };
}

/** The texts that Go's strconv.ParseBool accepts. */
const booleans = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

/** Deletes objects that an earlier release suggested, unless autoupdate was turned off. */
async function removeObsolete<T>(
  { client, dialect }: BootstrapContext,
  lister: Lister<T>,
  names: ReadonlySet<string>,
): Promise<void> {
  const annotation = dialect.annotations.flowControlAutoupdate;
  for (const object of lister.list()) {
    const { name, resourceVersion } = object;
    const annotations = object.metadata()?.annotations;
    if (names.has(name) || !booleans.get(annotations?.[annotation] ?? '')) continue;
    const preconditions = { resourceVersion };
    await ignoreReason('Conflict', client.deleteByKey(lister, name, { preconditions }));
  }
}

async function ignoreReason(reason: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === reason)) throw error;
  }
}
