// ValidatingAdmissionPolicy: evaluates the expressions of one policy for one request, binding and parameter.
import type { Cel } from '../../cel/on-demand.ts';
import type { AdmissionVariables } from '../expressions/write-inputs.ts';
import {
  type ExpressionBudget,
  evaluate,
  evaluateMatchConditions,
  outOfBudget,
} from '../matching/conditions.ts';
import { aggregateMessages } from '../new-forbidden.ts';
import type { CompiledPolicy, CompiledValidation } from './compiled-policy.ts';
import { lazyVariables } from './variables.ts';

/** Cost limits: each expression, one evaluation of a policy, and its matchConditions. */
const costs = { expression: 1_000_000, policy: 10_000_000, conditions: 2_500_000 };

/** A failed validation, or an evaluation error. */
export interface Failure {
  readonly message: string;
  readonly reason: string | undefined;
  /** Which of the policy's validations it is about. */
  readonly index: number;
  /** An evaluation error: failurePolicy decides. */
  readonly isError: boolean;
  readonly type: 'invalid_error' | 'compile_error' | 'out_of_budget';
  /** How long that took, in milliseconds. */
  readonly took: number;
}

/** The result of a policy for a request and one parameter object. */
export interface Findings {
  readonly failures: readonly Failure[];
  /** Notes for the audit log, and why some could not be made. */
  readonly notes: readonly Note[];
  readonly problems: readonly string[];
}

interface Note {
  readonly key: string;
  readonly value: string;
}

const nothing: Findings = { failures: [], notes: [], problems: [] };

/** The write, the parameters and the variables, by their names in expressions. */
class Inputs {
  readonly #write: AdmissionVariables;
  readonly params: unknown;
  variables: object | undefined;

  constructor(write: AdmissionVariables, params: unknown) {
    this.#write = write;
    this.params = params;
  }

  get object(): unknown {
    return this.#write.object;
  }

  get oldObject(): unknown {
    return this.#write.oldObject;
  }

  get request(): object {
    return this.#write.request;
  }

  get namespaceObject(): unknown {
    return this.#write.namespaceObject;
  }

  get authorizer(): unknown {
    return this.#write.authorizer;
  }

  get 'authorizer.requestResource'(): unknown {
    return this.#write['authorizer.requestResource'];
  }
}

/** Evaluates a policy once. */
export function evaluatePolicy(
  cel: Cel,
  policy: CompiledPolicy,
  write: AdmissionVariables,
  params: unknown,
): Findings {
  const inputs = new Inputs(write, params);
  if (policy.conditions.length > 0) {
    const budget: ExpressionBudget = { costLimit: costs.expression, left: costs.conditions };
    const verdict = evaluateMatchConditions(policy.conditions, inputs, budget);
    if (verdict === 'unmet') return nothing;
    if (verdict === 'too expensive') return failed(outOfBudget, 'out_of_budget');
    if (verdict !== 'met') return failed(aggregateMessages(verdict.problems), 'invalid_error');
  }
  const budget: ExpressionBudget = { costLimit: costs.expression, left: costs.policy };
  if (policy.variables.size > 0) inputs.variables = lazyVariables(cel, policy.variables, inputs, budget);
  const failures = check(policy.validations, inputs, budget);
  if (failures.length === 0 && policy.annotations.length === 0) return nothing;
  return { ...note(policy.annotations, inputs, budget), failures };
}

const failed = (message: string, type: Failure['type']): Findings => ({
  ...nothing,
  failures: [failure(message, 0, type, true)],
});

function failure(
  message: string,
  index: number,
  type: Failure['type'],
  isError: boolean,
  reason?: string,
  took = 0,
): Failure {
  return { message, index, type, isError, reason, took };
}

/** The failed validations. Stops once the cost budget is exhausted. */
function check(
  validations: readonly CompiledValidation[],
  inputs: Inputs,
  budget: ExpressionBudget,
): readonly Failure[] {
  let failures: Failure[] | undefined;
  let start = performance.now();
  for (let index = 0; index < validations.length; index++) {
    const validation = validations[index]!;
    const { check: expression, reason } = validation;
    const found = evaluate(expression, inputs, budget);
    if (found === 'too expensive') return [failure(outOfBudget, index, 'out_of_budget', true)];
    if ('value' in found && found.value === true) continue;
    // What holds takes next to no time, and is not counted.
    const now = performance.now();
    const took = now - start;
    start = now;
    failures ??= [];
    if ('value' in found) {
      const message = messageOf(validation, inputs, budget);
      if (message === undefined) return [failure(outOfBudget, index, 'out_of_budget', true)];
      failures.push(failure(message, index, 'invalid_error', false, reason, took));
    } else {
      const type = 'problem' in expression ? 'compile_error' : 'invalid_error';
      failures.push(failure(found.problem, index, type, true, undefined, took));
    }
  }
  return failures ?? none;
}

const none: readonly Failure[] = [];

const longestMessage = 5 * 1024;

/** The message of a failed validation; undefined where messageExpression exceeds the cost budget. */
function messageOf(
  validation: CompiledValidation,
  inputs: Inputs,
  budget: ExpressionBudget,
): string | undefined {
  const { message, messageExpression } = validation;
  if (!messageExpression) return message;
  const found = evaluate(messageExpression, inputs, budget);
  if (found === 'too expensive') return undefined;
  const said = 'value' in found && typeof found.value === 'string' ? found.value.trim() : '';
  const isUsable = said !== '' && !/[\r\n]/.test(said) && Buffer.byteLength(said) <= longestMessage;
  return isUsable ? said : message;
}

const longestNote = 10 * 1024;

function note(
  annotations: CompiledPolicy['annotations'],
  inputs: Inputs,
  budget: ExpressionBudget,
): Pick<Findings, 'notes' | 'problems'> {
  if (annotations.length === 0) return nothing;
  const notes: Note[] = [];
  const problems: string[] = [];
  for (const { key, value } of annotations) {
    const found = evaluate(value, inputs, budget);
    if (found === 'too expensive') problems.push(outOfBudget);
    else if ('problem' in found) problems.push(found.problem);
    else if (typeof found.value === 'string' && found.value.trim() !== '') {
      notes.push({ key, value: cut(found.value.trim(), longestNote) });
    }
  }
  return { notes, problems };
}

/** As much of a text as fits. */
function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd$/, '');
}
