// Reads and validates the file of --node-stages: stages of pods on simulated nodes, their logs, and devices of the nodes.
import { readFile } from 'node:fs/promises';
import { isObject, type JsonValue } from '../../codec/json/json-value.ts';
import { decodeYaml } from '../../codec/yaml/decode.ts';
import { ConfigFileError, FileFields } from '../../codec/yaml/file-fields.ts';
import { YamlError } from '../../codec/yaml/yaml-error.ts';
import type { Dialect } from '../../dialect/dialect.ts';
import { readNodeDevices } from '../devices/node-devices.ts';
import { builtinStages } from './builtin-stages.ts';
import { type ConditionCompiler, loadConditionCompiler } from './pod-condition.ts';
import { readDelay, readMatch, readNext } from './read-stage.ts';
import type { ConfiguredLog, NodeStages, Stage } from './stage.ts';

/** The built-in stages, changed by a file. Throws an error with the path of the field if the file is invalid. */
export async function readNodeStages(file: string | undefined, dialect: Dialect): Promise<NodeStages> {
  const builtin = builtinStages(dialect);
  if (file === undefined) return { stages: builtin, logs: [], devices: [] };
  const text = await readFile(file);
  try {
    const { value, duplicateKeys } = decodeYaml(text);
    if (duplicateKeys[0] !== undefined) throw new ConfigFileError(duplicateKeys[0]);
    const compiler = await loadConditionCompiler(dialect);
    return parseStages(value, builtin, compiler);
  } catch (error) {
    if (!(error instanceof ConfigFileError || error instanceof YamlError)) throw error;
    throw new Error(`--node-stages ${file}: ${error.message}`);
  }
}

/** A stage of the file replaces the built-in one of its name in its place; the others come before the built-in ones. */
function parseStages(value: JsonValue, builtin: readonly Stage[], compiler: ConditionCompiler): NodeStages {
  const file = new FileFields(value, '', ['stages', 'logs', 'devices', 'replaceBuiltIn']);
  const own = file.list('stages', (item, path) => readStage(item, path, compiler)) ?? [];
  const logs = file.list('logs', (item, path) => readLog(item, path, compiler)) ?? [];
  const devices = file.list('devices', readNodeDevices) ?? [];
  const names = own.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) throw new ConfigFileError(`stages: the name ${repeated} is used twice`);
  if (file.boolean('replaceBuiltIn')) return { stages: own, logs, devices };
  const replacement = (stage: Stage) => own.find(({ name }) => name === stage.name) ?? stage;
  const added = own.filter(({ name }) => !builtin.some((stage) => stage.name === name));
  return { stages: [...added, ...builtin.map(replacement)], logs, devices };
}

function readStage(value: JsonValue, path: string, compiler: ConditionCompiler): Stage {
  const stage = new FileFields(value, path, ['name', 'match', 'delay', 'next']);
  const name = stage.text('name');
  if (!name) throw new ConfigFileError(`${path}.name is required`);
  if (!isObject(stage.value('next'))) throw new ConfigFileError(`${path}.next is required: the next state`);
  return {
    name,
    match: readMatch(stage.value('match') ?? {}, `${path}.match`, compiler),
    delay: readDelay(stage.value('delay') ?? {}, `${path}.delay`),
    next: readNext(stage.value('next')!, `${path}.next`),
  };
}

function readLog(value: JsonValue, path: string, compiler: ConditionCompiler): ConfiguredLog {
  const log = new FileFields(value, path, ['match', 'container', 'text']);
  const container = log.text('container');
  const text = log.text('text');
  if (text === undefined) throw new ConfigFileError(`${path}.text is required`);
  const match = readMatch(log.value('match') ?? {}, `${path}.match`, compiler);
  return { match, text, ...(container !== undefined && { container }) };
}
