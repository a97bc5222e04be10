import { ask, type Case, del, type Json, type JsonObject, post, type Step } from '../case.ts';
import type { Answer } from '../client.ts';
import { configMap, configmaps, object, paths } from './objects.ts';

const group = '/apis/admissionregistration.k8s.io/v1';
export const policies = paths(`${group}/validatingadmissionpolicies`);
const bindings = paths(`${group}/validatingadmissionpolicybindings`);

export const rule = (
  resources: string[],
  operations: string[] = ['*'],
  more: JsonObject = {},
): JsonObject => ({ apiGroups: [''], apiVersions: ['v1'], resources, operations, ...more });

const here = { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } } };
const probeName = 'probe';
/** Beside what a policy is about, it refuses this: so it is seen to be in force. */
const probed = { expression: `object == null || object.metadata.name != '${probeName}'` };

export interface Enforced {
  policy?: JsonObject;
  binding?: JsonObject;
  /** What the policy is about, beside the probe. */
  rules?: Json[];
  constraints?: JsonObject;
  /** Asked before the policy is made. */
  before?: Step[];
  /** What the probe is refused with once everything is in place. */
  refusal?: RegExp;
}

const isRefused = (expected: RegExp) => (_: JsonObject, answer: Answer) =>
  expected.test(answer.body) ||
  answer.headers.some(([name, value]) => name === 'warning' && expected.test(value));

/** Makes a policy, puts it into force in the case's namespace, waits for that, and asks. */
export function enforced(name: string, parts: Enforced, ...steps: (Step | Step[])[]): Case {
  const { policy = {}, binding = {}, rules = [rule(['configmaps'])], constraints = {}, before = [] } = parts;
  const validations = [...((policy.validations as Json[] | undefined) ?? []), probed];
  const { refusal = /ValidatingAdmissionPolicy '/ } = parts;
  return ask(
    name,
    before,
    post(
      policies(),
      object('{name}', {
        spec: {
          ...policy,
          matchConstraints: {
            ...here,
            resourceRules: [...rules, rule(['configmaps'], ['CREATE'], { resourceNames: [probeName] })],
            ...constraints,
          },
          validations,
        },
      }),
    ),
    post(
      bindings(),
      object('{name}-b', {
        spec: { policyName: '{name}', validationActions: ['Deny'], matchResources: here, ...binding },
      }),
    ),
    post(configmaps('?dryRun=All'), configMap(probeName), { until: isRefused(refusal) }),
    steps.flat(),
    del(bindings('{name}-b')),
    del(policies('{name}')),
  );
}

/** The configmap that a check is about. */
const subjectOf = (index: number) => `check-${index}`;

/** One policy with a check for each expression, and one write that each of them alone is about. */
export function expressions(
  name: string,
  all: readonly (string | [expression: string, configMap: JsonObject])[],
  parts: Enforced = {},
): Case {
  const listed = all.map((one) => (typeof one === 'string' ? ([one, {}] as const) : one));
  const validations = listed.map(([expression], i) => ({
    expression: `object.metadata.name != '${subjectOf(i)}' || (${expression})`,
  }));
  return enforced(
    name,
    { ...parts, policy: { ...parts.policy, validations } },
    listed.map(([, fields], i) => post(configmaps('?dryRun=All'), { ...configMap(subjectOf(i)), ...fields })),
  );
}

/** One policy with a message for each write, each of which says what an expression comes to. */
export function messages(name: string, all: readonly (string | JsonObject)[], parts: Enforced = {}): Case {
  const validations = all.map((one, i) => ({
    expression: `object.metadata.name != '${subjectOf(i)}'`,
    ...(typeof one === 'string' ? { messageExpression: one } : one),
  }));
  return enforced(
    name,
    { ...parts, policy: { ...parts.policy, validations } },
    all.map((_, i) => post(configmaps('?dryRun=All'), configMap(subjectOf(i)))),
  );
}
