// ValidatingAdmissionPolicy: evaluates the expressions of one policy for one request, binding and parameter.
import type { Cel } from '../../cel/on-demand.ts';
import type { AdmissionVariables } from '../expressions/admission-variables.ts';
import {
  type ExpressionBudget,
  evaluateExpression,
  evaluateMatchConditions,
  outOfBudgetMessage,
} from '../matching/conditions.ts';
import { aggregateMessages } from '../new-forbidden.ts';
import type { CompiledPolicy, CompiledValidation } from './compiled-policy.ts';
import { lazyVariables } from './variables.ts';

/** CEL cost limits: per expression, for one evaluation of a policy, and for its matchConditions. */
const costLimits = { expression: 1_000_000, policy: 10_000_000, matchConditions: 2_500_000 };

/** A failed validation, or an evaluation error. */
export interface PolicyFailure {
  readonly message: string;
  readonly reason: string | undefined;
  /** The index in spec.validations. */
  readonly index: number;
  /** An evaluation error: failurePolicy decides. */
  readonly isError: boolean;
  readonly type: 'invalid_error' | 'compile_error' | 'out_of_budget';
  /** The duration of the evaluation. */
  readonly elapsedMs: number;
}

/** The result of a policy for a request and one parameter object. */
export interface PolicyEvaluation {
  readonly failures: readonly PolicyFailure[];
  readonly auditAnnotations: readonly EvaluatedAnnotation[];
  /** The errors of audit annotations that could not be evaluated. */
  readonly annotationProblems: readonly string[];
}

interface EvaluatedAnnotation {
  readonly key: string;
  readonly value: string;
}

const emptyEvaluation: PolicyEvaluation = { failures: [], auditAnnotations: [], annotationProblems: [] };

/** `params`: the parameter object; null for a policy without paramKind or a binding without paramRef. */
export function evaluatePolicy(
  cel: Cel,
  policy: CompiledPolicy,
  request: AdmissionVariables,
  params: unknown,
): PolicyEvaluation {
  const variables = new PolicyVariables(request, params);
  if (policy.matchConditions.length > 0) {
    const conditionsBudget: ExpressionBudget = {
      costLimit: costLimits.expression,
      remaining: costLimits.matchConditions,
    };
    const result = evaluateMatchConditions(policy.matchConditions, variables, conditionsBudget);
    if (result === 'unmet') return emptyEvaluation;
    if (result === 'too expensive') return failedEvaluation(outOfBudgetMessage, 'out_of_budget');
    if (result !== 'met') return failedEvaluation(aggregateMessages(result.problems), 'invalid_error');
  }
  const budget: ExpressionBudget = { costLimit: costLimits.expression, remaining: costLimits.policy };
  if (policy.variables.size > 0)
    variables.variables = lazyVariables(cel, policy.variables, variables, budget);
  const failures = evaluateValidations(policy.validations, variables, budget);
  if (failures.length === 0 && policy.auditAnnotations.length === 0) return emptyEvaluation;
  return { ...evaluateAuditAnnotations(policy.auditAnnotations, variables, budget), failures };
}

const failedEvaluation = (message: string, type: PolicyFailure['type']): PolicyEvaluation => ({
  ...emptyEvaluation,
  failures: [{ message, reason: undefined, index: 0, isError: true, type, elapsedMs: 0 }],
});

const outOfBudgetFailure = (index: number): PolicyFailure => ({
  message: outOfBudgetMessage,
  reason: undefined,
  index,
  isError: true,
  type: 'out_of_budget',
  elapsedMs: 0,
});

/** The failed validations. Once the cost budget is exhausted, that is the only failure. */
function evaluateValidations(
  validations: readonly CompiledValidation[],
  variables: PolicyVariables,
  budget: ExpressionBudget,
): readonly PolicyFailure[] {
  let failures: PolicyFailure[] | undefined;
  let start = performance.now();
  for (let index = 0; index < validations.length; index++) {
    const validation = validations[index]!;
    const { expression, reason } = validation;
    const outcome = evaluateExpression(expression, variables, budget);
    if (outcome === 'too expensive') return [outOfBudgetFailure(index)];
    if ('value' in outcome && outcome.value === true) continue;
    // Only failed validations are measured.
    const now = performance.now();
    const elapsedMs = now - start;
    start = now;
    failures ??= [];
    if ('value' in outcome) {
      const message = messageOf(validation, variables, budget);
      if (message === undefined) return [outOfBudgetFailure(index)];
      failures.push({ message, reason, index, isError: false, type: 'invalid_error', elapsedMs });
    } else {
      const type = 'problem' in expression ? 'compile_error' : 'invalid_error';
      const { problem: message } = outcome;
      failures.push({ message, reason: undefined, index, isError: true, type, elapsedMs });
    }
  }
  return failures ?? noFailures;
}

const noFailures: readonly PolicyFailure[] = [];

const maxMessageBytes = 5 * 1024;

/**
 * The message of a failed validation; undefined where messageExpression exceeds the cost budget. A messageExpression that
 * fails, or whose text is empty, too long or has line breaks, is ignored.
 */
function messageOf(
  validation: CompiledValidation,
  variables: PolicyVariables,
  budget: ExpressionBudget,
): string | undefined {
  const { message, messageExpression } = validation;
  if (!messageExpression) return message;
  const outcome = evaluateExpression(messageExpression, variables, budget);
  if (outcome === 'too expensive') return undefined;
  const text = 'value' in outcome && typeof outcome.value === 'string' ? outcome.value.trim() : '';
  const isUsable = text !== '' && !/[\r\n]/.test(text) && Buffer.byteLength(text) <= maxMessageBytes;
  return isUsable ? text : message;
}

const maxAnnotationBytes = 10 * 1024;

function evaluateAuditAnnotations(
  annotations: CompiledPolicy['auditAnnotations'],
  variables: PolicyVariables,
  budget: ExpressionBudget,
): Pick<PolicyEvaluation, 'auditAnnotations' | 'annotationProblems'> {
  if (annotations.length === 0) return emptyEvaluation;
  const auditAnnotations: EvaluatedAnnotation[] = [];
  const problems: string[] = [];
  for (const { key, value } of annotations) {
    const outcome = evaluateExpression(value, variables, budget);
    if (outcome === 'too expensive') problems.push(outOfBudgetMessage);
    else if ('problem' in outcome) problems.push(outcome.problem);
    else if (typeof outcome.value === 'string' && outcome.value.trim() !== '') {
      auditAnnotations.push({ key, value: truncate(outcome.value.trim(), maxAnnotationBytes) });
    }
  }
  return { auditAnnotations, annotationProblems: problems };
}

/** Truncates a string to a number of UTF-8 bytes, at a character boundary. */
function truncate(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString()
    .replace(/\ufffd$/, '');
}

/** The variables of expressions: those of the request, and `params` and `variables`. */
class PolicyVariables {
  readonly #request: AdmissionVariables;
  readonly params: unknown;
  variables: object | undefined;

  constructor(request: AdmissionVariables, params: unknown) {
    this.#request = request;
    this.params = params;
  }

  get object(): unknown {
    return this.#request.object;
  }

  get oldObject(): unknown {
    return this.#request.oldObject;
  }

  get request(): object {
    return this.#request.request;
  }

  get namespaceObject(): unknown {
    return this.#request.namespaceObject;
  }

  get authorizer(): unknown {
    return this.#request.authorizer;
  }

  get 'authorizer.requestResource'(): unknown {
    return this.#request['authorizer.requestResource'];
  }
}
