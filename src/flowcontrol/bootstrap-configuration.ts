// API Priority and Fairness: creates and maintains the mandatory and suggested configuration objects.
import { type FlowControlSpecs, isSameSpec, mandatory } from '../apis/flowcontrol/mandatory.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import { defaultDeleteOptions } from '../kind/delete-options.ts';
import type { ServedResource } from '../kind/registry.ts';
import { decodeStored } from '../kind/storage/codec.ts';
import type { Api } from '../registry/api.ts';
import { plainWrite } from '../registry/options/write-options.ts';
import { create } from '../registry/verbs/create.ts';
import { deleteObject } from '../registry/verbs/delete.ts';
import { update } from '../registry/verbs/update.ts';
import { suggested } from './suggested.ts';

const writeOptions = { ...plainWrite, manager: 'api-priority-and-fairness-config-producer-v1' };

type Spec = FlowControlSpecs['flowSchemas'][string] | FlowControlSpecs['priorityLevels'][string];
type Configuration = ApiObject & { spec: Spec };

/**
 * Mandatory objects are always restored; suggested ones unless the autoupdate annotation is false, or they were
 * changed before they had it.
 */
export async function ensureBootstrapConfiguration(api: Api): Promise<void> {
  const suggestions = suggested(api.dialect);
  const all = (specs: FlowControlSpecs, isMandatory: boolean) => [
    ...Object.entries(specs.priorityLevels).map(([name, spec]) =>
      ensure(api, levelsOf(api), name, spec, isMandatory),
    ),
    ...Object.entries(specs.flowSchemas).map(([name, spec]) =>
      ensure(api, schemasOf(api), name, spec, isMandatory),
    ),
  ];
  await Promise.all([...all(mandatory, true), ...all(suggestions, false)]);
  const names = (kind: keyof FlowControlSpecs) =>
    new Set([...Object.keys(mandatory[kind]), ...Object.keys(suggestions[kind])]);
  await removeOutdated(api, schemasOf(api), names('flowSchemas'));
  await removeOutdated(api, levelsOf(api), names('priorityLevels'));
}

export function schemasOf({ registry, dialect }: Pick<Api, 'registry' | 'dialect'>): ServedResource {
  return registry.kind(dialect.groupName('flowcontrol.apiserver'), 'v1', 'flowschemas');
}

export function levelsOf({ registry, dialect }: Pick<Api, 'registry' | 'dialect'>): ServedResource {
  return registry.kind(dialect.groupName('flowcontrol.apiserver'), 'v1', 'prioritylevelconfigurations');
}

async function ensure(
  api: Api,
  resource: ServedResource,
  name: string,
  spec: Spec,
  isMandatory: boolean,
): Promise<void> {
  const target = { resource, namespace: '', name, subresource: '' };
  const annotation = api.dialect.annotations.flowControlAutoupdate;
  const stored = api.store.get(resource.key('', name));
  if (!stored) {
    const object: Configuration = {
      apiVersion: resource.apiVersion,
      kind: resource.kind,
      metadata: { name, annotations: { [annotation]: 'true' } },
      spec: structuredClone(spec),
      status: {},
    };
    // Another replica may have created it first.
    await ignoreReason('AlreadyExists', create(api, { ...target, name: '' }, { object }, writeOptions, []));
    return;
  }
  const object = correctObject(
    decodeStored(resource, stored) as Configuration,
    spec,
    isMandatory,
    annotation,
  );
  // A concurrent change is handled by the next run.
  if (object)
    await ignoreReason(
      'Conflict',
      update(api, target, () => ({ object }), writeOptions, []),
    );
}

/** The corrected object; undefined if nothing needs to change. */
function correctObject(
  object: Configuration,
  spec: Spec,
  isMandatory: boolean,
  annotation: string,
): Configuration | undefined {
  const { annotations, generation } = object.metadata;
  const annotationValue = annotations?.[annotation];
  const isOurs = isMandatory || (booleans.get(annotationValue ?? '') ?? generation === 1);
  const isOutdated = isOurs && !isSameSpec(object.spec, spec);
  if (annotationValue === String(isOurs) && !isOutdated) return undefined;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: String(isOurs) } },
    spec: isOutdated ? structuredClone(spec) : object.spec,
  };
}

const booleans = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

/** Deletes objects that an earlier release suggested, unless autoupdate was turned off. */
async function removeOutdated(api: Api, resource: ServedResource, names: ReadonlySet<string>): Promise<void> {
  const annotation = api.dialect.annotations.flowControlAutoupdate;
  for (const { metadata } of readAll<Configuration>(api, resource)) {
    const { name = '', annotations, resourceVersion = '' } = metadata;
    if (names.has(name) || !booleans.get(annotations?.[annotation] ?? '')) continue;
    const target = { resource, namespace: '', name, subresource: '' };
    const options = { ...defaultDeleteOptions, preconditions: { resourceVersion } };
    await ignoreReason('Conflict', deleteObject(api, target, options));
  }
}

/** All objects of a resource at the current revision. */
export function readAll<T extends ApiObject>(api: Pick<Api, 'store'>, resource: ServedResource): T[] {
  const view = api.store.pin();
  try {
    return Array.from(view.range(resource.range('')), (stored) => decodeStored(resource, stored) as T);
  } finally {
    view.release();
  }
}

async function ignoreReason(reason: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === reason)) throw error;
  }
}
