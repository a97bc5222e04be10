// API priority and fairness: the mandatory FlowSchemas and PriorityLevelConfigurations, `exempt` and `catch-all`. The
// server maintains them, and validation rejects any other spec for their names (but accepts any spec.exempt).

import { quote } from '../../errors/quote.ts';
import type { FlowSchemaSpec } from './flowschema.ts';
import type { PriorityLevelConfigurationSpec } from './prioritylevelconfiguration.ts';

/** Rules that match every request. */
export const allRequests = {
  resourceRules: [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] },
  ],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};
export const groupSubject = (name: string) => ({ kind: 'Group', group: { name } });

/** Specs of FlowSchemas and priority levels, by name. */
export interface FlowControlSpecs {
  readonly flowSchemas: Readonly<Record<string, FlowSchemaSpec>>;
  readonly priorityLevels: Readonly<Record<string, PriorityLevelConfigurationSpec>>;
}

export const mandatorySpecs: FlowControlSpecs = {
  flowSchemas: {
    exempt: {
      priorityLevelConfiguration: { name: 'exempt' },
      matchingPrecedence: 1,
      rules: [{ subjects: [groupSubject('system:masters')], ...allRequests }],
    },
    'catch-all': {
      priorityLevelConfiguration: { name: 'catch-all' },
      matchingPrecedence: 10_000,
      distinguisherMethod: { type: 'ByUser' },
      rules: [
        {
          subjects: [groupSubject('system:unauthenticated'), groupSubject('system:authenticated')],
          ...allRequests,
        },
      ],
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

/** Whether the spec of a mandatory object has its fixed value. True for all other names. */
export function matchesMandatorySpec(
  kind: keyof typeof mandatorySpecs,
  name: string,
  spec: FlowSchemaSpec | PriorityLevelConfigurationSpec,
): boolean {
  if (!Object.hasOwn(mandatorySpecs[kind], name)) return true;
  return isEqualSpec(spec, mandatorySpecs[kind][name]);
}

export function isEqualSpec(a: object, b: object | undefined): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** Serializes with sorted keys, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member) =>
    member !== null && typeof member === 'object' && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

/**
 * Formats a spec with Go syntax (%#v) for error messages. Go prints the address of a pointer, which differs per
 * process, so any address will do; rules are abbreviated, because they contain pointers.
 */
export function formatFlowSchemaSpec(spec: FlowSchemaSpec): string {
  const { rules, distinguisherMethod, matchingPrecedence, priorityLevelConfiguration } = spec;
  const method = `(*flowcontrol.FlowDistinguisherMethod)(${distinguisherMethod ? '0xc000000000' : 'nil'})`;
  const formattedRules = `[]flowcontrol.PolicyRulesWithSubjects${rules?.length ? '{…}' : '(nil)'}`;
  return (
    `flowcontrol.FlowSchemaSpec{PriorityLevelConfiguration:flowcontrol.PriorityLevelConfigurationReference{Name:${quote(priorityLevelConfiguration.name)}}, ` +
    `MatchingPrecedence:${matchingPrecedence}, DistinguisherMethod:${method}, Rules:${formattedRules}}`
  );
}

/** Formats a spec with Go syntax, as above. */
export function formatPriorityLevelSpec({ type, limited, exempt }: PriorityLevelConfigurationSpec): string {
  const pointer = (name: string, isSet: boolean) =>
    `(*flowcontrol.${name}PriorityLevelConfiguration)(${isSet ? '0xc000000000' : 'nil'})`;
  return (
    `flowcontrol.PriorityLevelConfigurationSpec{Type:${quote(type)}, ` +
    `Limited:${pointer('Limited', limited !== undefined)}, Exempt:${pointer('Exempt', exempt !== undefined)}}`
  );
}
