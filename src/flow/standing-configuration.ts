import { type FlowControlSpecs, isSameSpec, mandatory } from '../api/flowcontrol/mandatory.ts';
import { ApiError } from '../errors/status.ts';
import type { Api } from '../resource/api.ts';
import { decodeStored } from '../resource/codec.ts';
import { create } from '../resource/create.ts';
import type { ApiObject } from '../resource/definition.ts';
import { remove } from '../resource/delete.ts';
import { plainDelete } from '../resource/options/delete-options.ts';
import { plainWrite } from '../resource/options/write-options.ts';
import type { ServedResource } from '../resource/registry.ts';
import { update } from '../resource/update.ts';
import { suggested } from './suggested.ts';

const writing = { ...plainWrite, manager: 'api-priority-and-fairness-config-producer-v1' };

type Spec = FlowControlSpecs['flowSchemas'][string] | FlowControlSpecs['priorityLevels'][string];
type Configuration = ApiObject & { spec: Spec };

/**
 * Makes the schemas and levels that every server has, and puts right what has become of them: the mandatory ones always,
 * the suggested ones unless their annotation says no, or they were changed before they had one.
 */
export async function ensureStandingConfiguration(api: Api): Promise<void> {
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
    // Another replica may have been faster.
    await unless('AlreadyExists', create(api, { ...target, name: '' }, { object }, writing, []));
    return;
  }
  const object = putRight(decodeStored(resource, stored) as Configuration, spec, isMandatory, annotation);
  // What somebody changes meanwhile is looked at the next time.
  if (object)
    await unless(
      'Conflict',
      update(api, target, () => ({ object }), writing, []),
    );
}

/** The object as it should be; undefined where it is. */
function putRight(
  object: Configuration,
  spec: Spec,
  isMandatory: boolean,
  annotation: string,
): Configuration | undefined {
  const { annotations, generation } = object.metadata;
  const said = annotations?.[annotation];
  const isOurs = isMandatory || (truths.get(said ?? '') ?? generation === 1);
  const isWrong = isOurs && !isSameSpec(object.spec, spec);
  if (said === String(isOurs) && !isWrong) return undefined;
  return {
    ...object,
    metadata: { ...object.metadata, annotations: { ...annotations, [annotation]: String(isOurs) } },
    spec: isWrong ? structuredClone(spec) : object.spec,
  };
}

const truths = new Map([
  ...['1', 't', 'T', 'true', 'True', 'TRUE'].map((text) => [text, true] as const),
  ...['0', 'f', 'F', 'false', 'False', 'FALSE'].map((text) => [text, false] as const),
]);

/** What an earlier release suggested and this one does not: gone, if nobody has made it their own. */
async function removeOutdated(api: Api, resource: ServedResource, names: ReadonlySet<string>): Promise<void> {
  const annotation = api.dialect.annotations.flowControlAutoupdate;
  for (const { metadata } of readAll<Configuration>(api, resource)) {
    const { name = '', annotations, resourceVersion = '' } = metadata;
    if (names.has(name) || !truths.get(annotations?.[annotation] ?? '')) continue;
    const target = { resource, namespace: '', name, subresource: '' };
    const options = { ...plainDelete, preconditions: { resourceVersion } };
    await unless('Conflict', remove(api, target, options));
  }
}

/** Every object of a resource, as it is now. */
export function readAll<T extends ApiObject>(api: Pick<Api, 'store'>, resource: ServedResource): T[] {
  const view = api.store.pin();
  try {
    return Array.from(view.range(resource.range('')), (stored) => decodeStored(resource, stored) as T);
  } finally {
    view.release();
  }
}

async function unless(reason: string, work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError && error.reason === reason)) throw error;
  }
}
