// API Priority and Fairness: computes the effective configuration from stored FlowSchemas and PriorityLevelConfigurations.
import type { FlowSchema } from '../apis/flowcontrol/flowschema.ts';
import { mandatorySpecs } from '../apis/flowcontrol/mandatory.ts';
import type {
  PriorityLevelConfiguration,
  PriorityLevelConfigurationSpec,
} from '../apis/flowcontrol/prioritylevelconfiguration.ts';
import { type LevelConfiguration, type LevelSettings, limitsOf } from './limits.ts';
import type { PriorityLevel } from './priority-level.ts';

/** The parts used here; a mandatory object that is not stored has only these. */
type SchemaObject = Pick<FlowSchema, 'metadata' | 'spec'>;

export interface EffectiveConfiguration {
  /** Effective FlowSchemas in matching order. */
  readonly schemas: readonly { readonly schema: SchemaObject; readonly levelUid: string }[];
  readonly levels: ReadonlyMap<string, LevelConfiguration>;
  /** Namespaces that some rule names. */
  readonly namespaces: ReadonlySet<string>;
}

/**
 * Computes the effective configuration. Mandatory objects that are not stored are added; a FlowSchema whose priority level
 * does not exist is left out.
 */
export function effectiveConfiguration(
  storedSchemas: readonly FlowSchema[],
  storedLevels: readonly PriorityLevelConfiguration[],
  currentLevels: ReadonlyMap<string, Pick<PriorityLevel, 'isIdle' | 'configuration'>>,
  seats: number,
): EffectiveConfiguration {
  const uids = new Map<string, string>();
  const specs = new Map<string, PriorityLevelConfigurationSpec>();
  for (const [name, spec] of Object.entries(mandatorySpecs.priorityLevels)) specs.set(name, spec);
  for (const { metadata, spec } of storedLevels) {
    specs.set(metadata.name ?? '', spec);
    uids.set(metadata.name ?? '', metadata.uid ?? '');
  }
  const schemas = withMandatory(storedSchemas)
    .filter(({ spec }) => specs.has(spec.priorityLevelConfiguration.name))
    .sort(byPrecedence)
    .map((schema) => ({ schema, levelUid: uids.get(schema.spec.priorityLevelConfiguration.name) ?? '' }));
  const quiescing = new Set<string>();
  for (const [name, level] of currentLevels) {
    if (specs.has(name) || level.isIdle) continue;
    // A deleted level stays until its last request is finished.
    specs.set(name, level.configuration.spec);
    quiescing.add(name);
  }
  const limits = limitsOf(seats, specs);
  const levels = new Map<string, LevelConfiguration>();
  for (const [name, spec] of specs) {
    const isQuiescing = quiescing.has(name);
    levels.set(name, { spec, settings: settingsOf(spec), limits: limits.get(name)!, isQuiescing });
  }
  return { schemas, levels, namespaces: namespacesOf(schemas.map(({ schema }) => schema)) };
}

function withMandatory(stored: readonly FlowSchema[]): SchemaObject[] {
  const names = new Set(stored.map(({ metadata }) => metadata.name));
  const missing = Object.entries(mandatorySpecs.flowSchemas).filter(([name]) => !names.has(name));
  return [...stored, ...missing.map(([name, spec]) => ({ metadata: { name }, spec }))];
}

function byPrecedence(a: SchemaObject, b: SchemaObject): number {
  const [nameA = '', nameB = ''] = [a.metadata.name, b.metadata.name];
  const byNumericPrecedence = a.spec.matchingPrecedence - b.spec.matchingPrecedence;
  if (byNumericPrecedence !== 0) return byNumericPrecedence;
  // Other FlowSchemas may have the precedence of `exempt`; `exempt` still matches first.
  if (nameA === 'exempt' || nameB === 'exempt') return nameA === 'exempt' ? -1 : 1;
  return nameA < nameB ? -1 : 1;
}

function settingsOf({ type, limited }: PriorityLevelConfigurationSpec): LevelSettings {
  const response = limited?.limitResponse;
  const queuing = response?.type === 'Queue' ? response.queuing : undefined;
  const { queues, handSize, queueLengthLimit } = queuing ?? noQueuing;
  return { isExempt: type === 'Exempt', queues, handSize, queueLengthLimit };
}

/** Of exempt levels, and of levels that reject requests instead of queuing them. */
const noQueuing = { queues: 0, handSize: 0, queueLengthLimit: 0 };

/** The namespaces that rules name. Only these affect the classification of requests. */
function namespacesOf(schemas: readonly SchemaObject[]): Set<string> {
  const rules = schemas.flatMap(({ spec }) => spec.rules ?? []).flatMap((rule) => rule.resourceRules ?? []);
  return new Set(rules.flatMap(({ namespaces }) => namespaces ?? []));
}
