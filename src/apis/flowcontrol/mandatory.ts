/** The schemas and levels that every server has, and whose specs are fixed: nothing works without them. */
import { quote } from '../../errors/quote.ts';
import type { FlowSchemaSpec } from './flowschema.ts';
import type { PriorityLevelConfigurationSpec } from './prioritylevelconfiguration.ts';

export const everything = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
export const group = (name: string) => ({ kind: 'Group', group: { name } });

export interface FlowControlSpecs {
  readonly flowSchemas: Readonly<Record<string, FlowSchemaSpec>>;
  readonly priorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>>;
}

export const mandatory: FlowControlSpecs = {
  flowSchemas: {
    exempt: {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: [group('system:masters')], ...everything }],
    },
    'catch-all': {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [{ subjects: [group('system:unauthenticated'), group('system:authenticated')], ...everything }],
    },
  },
  priorityLevels: {
    exempt: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
    'catch-all': {
      type: 'Limited',
      limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' }, lendablePercent: 0 },
    },
  },
};

/** Whether a spec is what one of that name has to be. Other names may be anything. */
export function isMandatory(
  kind: keyof typeof mandatory,
  name: string,
  spec: FlowSchemaSpec | PriorityLevelConfigurationSpec,
): boolean {
  if (!Object.hasOwn(mandatory[kind], name)) return true;
  return isSameSpec(spec, mandatory[kind][name]);
}

export function isSameSpec(a: object, b: object | undefined): boolean {
  return text(a) === text(b);
}

/** With keys in order, so that what is equal reads equal. */
function text(value: unknown): string {
  return JSON.stringify(value, (_key, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** A spec as messages show it, as far as they go into it. */
export function showFlowSchemaSpec(spec: FlowSchemaSpec): string {
  const { rules, distinguisherMethod, matchingPrecedence, priorityLevelConfiguration } = spec;
  const method = `(*flowcontrol.FlowDistinguisherMethod)(${distinguisherMethod ? '0xc000000000' : 'nil'})`;
  const shownRules = `[]flowcontrol.PolicyRulesWithSubjects${rules?.length ? '{…}' : '(nil)'}`;
  return (
    `flowcontrol.FlowSchemaSpec{PriorityLevelConfiguration:flowcontrol.PriorityLevelConfigurationReference{Name:${quote(priorityLevelConfiguration.name)}}, ` +
    `MatchingPrecedence:${matchingPrecedence}, DistinguisherMethod:${method}, Rules:${shownRules}}`
  );
}

export function showPriorityLevelSpec({ type, limited, exempt }: PriorityLevelConfigurationSpec): string {
  const pointer = (name: string, present: boolean) =>
    `(*flowcontrol.${name}PriorityLevelConfiguration)(${present ? '0xc000000000' : 'nil'})`;
  return (
    `flowcontrol.PriorityLevelConfigurationSpec{Type:${quote(type)}, ` +
    `Limited:${pointer('Limited', limited !== undefined)}, Exempt:${pointer('Exempt', exempt !== undefined)}}`
  );
}
