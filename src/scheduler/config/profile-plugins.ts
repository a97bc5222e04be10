// Which plugins a profile has at an extension point: the default ones, changed by the lists `enabled` and `disabled` of the file.
import { nearest } from '../../base/nearest.ts';
import type { JsonValue } from '../../codec/json/json-value.ts';
import { ConfigFileError, FileFields } from '../../codec/yaml/file-fields.ts';
import {
  defaultPlugins,
  type EnabledPlugin,
  type ExtensionPoint,
  hasExtensionPoint,
  pluginTable,
  requiredPlugins,
} from './plugin-table.ts';

interface PluginSet {
  readonly enabled: readonly EnabledPlugin[];
  /** Names; `*` disables all. */
  readonly disabled: ReadonlySet<string>;
}

/** `preFilter` and `preScore` belong to `filter` and `score`: their lists are checked, and have no effect of their own. */
const configurablePoints = ['multiPoint', 'filter', 'postFilter', 'score', 'preFilter', 'preScore'] as const;
const fixedPoints = ['preEnqueue', 'queueSort', 'reserve', 'permit', 'preBind', 'bind', 'postBind'] as const;

export type ProfilePlugins = (point: ExtensionPoint) => readonly EnabledPlugin[];

/** Reads `plugins` of a profile. */
export function readProfilePlugins(value: JsonValue, path: string): ProfilePlugins {
  const fields = new FileFields(value, path, [...configurablePoints, ...fixedPoints]);
  const fixed = fixedPoints.find((point) => fields.value(point) !== undefined);
  if (fixed) throw new ConfigFileError(`${fields.pathOf(fixed)}: cannot be configured`);
  const sets = new Map(
    configurablePoints.map((point) => [
      point,
      readPluginSet(fields.value(point) ?? {}, fields.pathOf(point)),
    ]),
  );
  const multiPoint = merge(defaultPlugins, sets.get('multiPoint')!);
  const missing = [...requiredPlugins].find((name) => !multiPoint.some((plugin) => plugin.name === name));
  if (missing !== undefined) {
    throw new ConfigFileError(`${fields.pathOf('multiPoint')}: ${missing} cannot be disabled`);
  }
  return (point) => expand(point, multiPoint, sets.get(point)!, fields.pathOf(point));
}

function readPluginSet(value: JsonValue, path: string): PluginSet {
  const fields = new FileFields(value, path, ['enabled', 'disabled']);
  const enabled = fields.list('enabled', readPlugin) ?? [];
  const repeated = enabled.find(({ name }, i) => enabled.findIndex((other) => other.name === name) < i);
  if (repeated) throw new ConfigFileError(`${path}.enabled: ${repeated.name} is enabled twice`);
  const disabled = (fields.list('disabled', (item, itemPath) => readName(item, itemPath, ['*'])) ?? []).map(
    ({ name }) => name,
  );
  return { enabled, disabled: new Set(disabled) };
}

function readPlugin(value: JsonValue, path: string): EnabledPlugin {
  const weight = new FileFields(value, path, ['name', 'weight']).number('weight', 0, 100);
  return { ...readName(value, path), ...(weight ? { weight } : {}) };
}

function readName(value: JsonValue, path: string, others: readonly string[] = []): EnabledPlugin {
  const name = new FileFields(value, path, ['name', 'weight']).text('name');
  if (!name) throw new ConfigFileError(`${path}.name is required`);
  const names = Object.keys(pluginTable);
  if (names.includes(name) || others.includes(name)) return { name };
  const suggestion = nearest(name, names);
  throw new ConfigFileError(
    `${path}.name: unknown plugin ${name}${suggestion ? ` (did you mean ${suggestion}?)` : ''}`,
  );
}

/** An enabled plugin that is a default one replaces it in its place. */
function merge(defaults: readonly EnabledPlugin[], { enabled, disabled }: PluginSet): EnabledPlugin[] {
  const find = (name: string) => enabled.find((plugin) => plugin.name === name);
  const kept = disabled.has('*') ? [] : defaults.filter(({ name }) => !disabled.has(name));
  const added = enabled.filter(({ name }) => !kept.some((plugin) => plugin.name === name));
  return [...kept.map((plugin) => find(plugin.name) ?? plugin), ...added];
}

/** Plugins that the extension point enables again come first, in their order; those that only it enables come last. */
function expand(
  point: ExtensionPoint,
  multiPoint: readonly EnabledPlugin[],
  { enabled, disabled }: PluginSet,
  path: string,
): EnabledPlugin[] {
  const wrong = enabled.findIndex(({ name }) => !hasExtensionPoint(name, point));
  if (wrong >= 0) {
    throw new ConfigFileError(
      `${path}.enabled[${wrong}].name: ${enabled[wrong]!.name} is no ${point} plugin`,
    );
  }
  const isIn = (plugins: readonly EnabledPlugin[], { name }: EnabledPlugin) =>
    plugins.some((plugin) => plugin.name === name);
  const inherited = disabled.has('*')
    ? []
    : multiPoint.filter(
        (plugin) =>
          hasExtensionPoint(plugin.name, point) && !disabled.has(plugin.name) && !isIn(enabled, plugin),
      );
  return [
    ...enabled.filter((plugin) => isIn(multiPoint, plugin)),
    ...inherited,
    ...enabled.filter((plugin) => !isIn(multiPoint, plugin)),
  ];
}
