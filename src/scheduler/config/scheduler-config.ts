// Reads and validates the file of --scheduler-config: a KubeSchedulerConfiguration of kube-scheduler.
import { readFile } from 'node:fs/promises';
import type { JsonValue } from '../../codec/json/json-value.ts';
import { decodeYaml } from '../../codec/yaml/decode.ts';
import { ConfigFileError, FileFields } from '../../codec/yaml/file-fields.ts';
import { YamlError } from '../../codec/yaml/yaml-error.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { defaultProfile, type Profile } from '../profile.ts';
import { defaultBackoff, type PodBackoff } from '../queue/scheduling-queue.ts';
import { readPluginArguments } from './plugin-arguments.ts';
import { pluginTable } from './plugin-table.ts';
import { readProfilePlugins } from './profile-plugins.ts';

export interface SchedulerConfig {
  readonly profiles: readonly Profile[];
  readonly podBackoff: PodBackoff;
}

const kind = 'KubeSchedulerConfiguration';

/** They concern the process of kube-scheduler, and have no effect here. */
const ignoredFields = [
  'parallelism',
  'leaderElection',
  'clientConnection',
  'enableProfiling',
  'enableContentionProfiling',
  'delayCacheUntilActive',
];
const fieldNames = [
  ...['apiVersion', 'kind', 'profiles', 'extenders'],
  ...['percentageOfNodesToScore', 'podInitialBackoffSeconds', 'podMaxBackoffSeconds'],
  ...ignoredFields,
];

/** Throws an error with the path of the field if the file is invalid. */
export async function readSchedulerConfig(file: string, dialect: Dialect): Promise<SchedulerConfig> {
  const text = await readFile(file);
  try {
    const { value, duplicateKeys } = decodeYaml(text);
    if (duplicateKeys[0] !== undefined) throw new ConfigFileError(duplicateKeys[0]);
    return parseSchedulerConfig(value, dialect);
  } catch (error) {
    if (!(error instanceof ConfigFileError || error instanceof YamlError)) throw error;
    throw new Error(`--scheduler-config ${file}: ${error.message}`);
  }
}

export function parseSchedulerConfig(value: JsonValue, dialect: Dialect): SchedulerConfig {
  const file = new FileFields(value, '', fieldNames);
  const apiVersion = `${dialect.schedulerConfigGroup}/v1`;
  if (file.text('apiVersion') !== apiVersion) throw new ConfigFileError(`apiVersion: must be ${apiVersion}`);
  if (file.text('kind') !== kind) throw new ConfigFileError(`kind: must be ${kind}`);
  if ((file.list('extenders', () => true) ?? []).length > 0) {
    throw new ConfigFileError('extenders: are not supported');
  }
  const percentage = file.number('percentageOfNodesToScore', 0, 100) ?? 0;
  const profiles = file.list('profiles', (item, path) => readProfile(item, path, percentage));
  const names = (profiles ?? []).map(({ schedulerName }) => schedulerName);
  const repeated = names.findIndex((name, i) => names.indexOf(name) < i);
  if (repeated > 0) {
    throw new ConfigFileError(`profiles[${repeated}].schedulerName: ${names[repeated]} is used twice`);
  }
  return { profiles: profiles?.length ? profiles : [defaultProfile], podBackoff: readBackoff(file) };
}

function readBackoff(file: FileFields): PodBackoff {
  const seconds = (name: string, defaultMs: number) =>
    (file.number(name, 1, 2 ** 31) ?? defaultMs / 1000) * 1000;
  const initialMs = seconds('podInitialBackoffSeconds', defaultBackoff.initialMs);
  const maxMs = seconds('podMaxBackoffSeconds', defaultBackoff.maxMs);
  if (maxMs < initialMs) {
    throw new ConfigFileError('podMaxBackoffSeconds: must not be lower than podInitialBackoffSeconds');
  }
  return { initialMs, maxMs };
}

function readProfile(value: JsonValue, path: string, percentage: number): Profile {
  const names = ['schedulerName', 'percentageOfNodesToScore', 'plugins', 'pluginConfig'];
  const fields = new FileFields(value, path, names);
  const args = readPluginArguments(fields.list('pluginConfig', readPluginConfig) ?? []);
  const pluginsAt = readProfilePlugins(fields.value('plugins') ?? {}, fields.pathOf('plugins'));
  const postFilters = pluginsAt('postFilter').map(({ name }) => name);
  return {
    schedulerName: fields.text('schedulerName') ?? defaultProfile.schedulerName,
    filters: pluginsAt('filter').map(({ name }) => pluginTable[name]!.filter!(args)),
    scores: pluginsAt('score').map(({ name, weight = 1 }) => ({
      score: pluginTable[name]!.score!(args),
      weight,
    })),
    preemption: postFilters.includes('DefaultPreemption') ? args.defaultPreemption : undefined,
    deallocatesClaims: postFilters.includes('DynamicResources'),
    bindTimeoutMs: args.volumeBinding.bindTimeoutMs,
    percentageOfNodesToScore: fields.number('percentageOfNodesToScore', 0, 100) ?? percentage,
  };
}

function readPluginConfig(value: JsonValue, path: string) {
  const fields = new FileFields(value, path, ['name', 'args']);
  const name = fields.text('name');
  if (!name) throw new ConfigFileError(`${path}.name is required`);
  return { name, args: fields.value('args') ?? {}, path };
}
