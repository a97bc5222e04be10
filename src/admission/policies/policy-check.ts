// ValidatingAdmissionPolicy: checks one request against its policies and applies the actions of their bindings.
import { forbidden } from '../../errors/catalogue.ts';
import { ApiError, type StatusReason } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Attributes } from '../attributes.ts';
import { AdmissionVariables } from '../expressions/admission-variables.ts';
import { PendingInput } from '../expressions/request-authorizer.ts';
import type { PolicyCompiler } from './compiled-policy.ts';
import { evaluatePolicy, type PolicyEvaluation, type PolicyFailure } from './evaluation.ts';
import type { ApplicablePolicy, CachedBinding, CachedPolicy } from './policy-cache.ts';
import type { Enforcement, PolicyMetrics } from './policy-metrics.ts';

/** The decision of one policy by one of its bindings, or the error that prevented it. */
interface PolicyDecision {
  readonly policy: CachedPolicy;
  readonly binding?: CachedBinding;
  readonly evaluation?: PolicyEvaluation;
  /** A configuration error: paramKind is not served, or paramRef selects no parameters. */
  readonly problem?: string;
}

interface Denial {
  readonly message: string;
  readonly reason: string | undefined;
}

/** The HTTP status code by the reason of a validation. */
const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
};

/** The check of one request against all policies that apply to its target. */
export class PolicyCheck {
  readonly #attributes: Attributes;
  readonly #compiler: PolicyCompiler;
  readonly #metrics: PolicyMetrics;
  /** By the resource version into which the objects are converted for a policy. */
  readonly #variables = new Map<ServedResource, AdmissionVariables>();

  constructor(attributes: Attributes, compiler: PolicyCompiler, metrics: PolicyMetrics) {
    this.#attributes = attributes;
    this.#compiler = compiler;
    this.#metrics = metrics;
  }

  /**
   * Throws the error for the client. If an expression waits for an input (`PendingInput`), all policies are evaluated
   * again once the input is there.
   */
  run(applicable: readonly ApplicablePolicy[]): void | Promise<void> {
    const decisions: PolicyDecision[] = [];
    try {
      for (const each of applicable) this.#evaluateBindings(each, decisions);
    } catch (pending) {
      if (!(pending instanceof PendingInput)) throw pending;
      return pending.ready.then(() => this.run(applicable));
    }
    if (decisions.length > 0) this.#applyDecisions(decisions);
  }

  /** Evaluates a policy for each of its bindings that match, and for each of their parameters. */
  #evaluateBindings(
    { policy, matcher, bindings, paramResource }: ApplicablePolicy,
    decisions: PolicyDecision[],
  ): void {
    const matchedResource = matcher.match(this.#attributes);
    if (!matchedResource) return;
    if (paramResource === null) {
      const { apiVersion, kind } = policy.spec.paramKind!;
      decisions.push({
        policy,
        problem: `failed to configure policy: failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`,
      });
      return;
    }
    for (const { binding, matcher: bindingMatcher } of bindings) {
      if (!bindingMatcher.match(this.#attributes)) continue;
      const params = paramResource && binding.params(this.#attributes.api, paramResource);
      if (!params) {
        this.#evaluate(policy, binding, matchedResource, null, decisions);
        continue;
      }
      const selected = params.find(this.#attributes.namespace);
      if ('problem' in selected) {
        decisions.push({ policy, binding, problem: `failed to configure binding: ${selected.problem}` });
        continue;
      }
      for (const param of selected.params) this.#evaluate(policy, binding, matchedResource, param, decisions);
    }
  }

  #evaluate(
    policy: CachedPolicy,
    binding: CachedBinding,
    matchedResource: ServedResource,
    params: unknown,
    decisions: PolicyDecision[],
  ): void {
    const { cel } = this.#compiler;
    const evaluation = evaluatePolicy(
      cel,
      policy.compiled(this.#compiler),
      this.#variablesFor(matchedResource),
      params,
    );
    const { failures, auditAnnotations, annotationProblems } = evaluation;
    const hasEffect = failures.length + auditAnnotations.length + annotationProblems.length > 0;
    if (hasEffect) decisions.push({ policy, binding, evaluation });
  }

  #variablesFor(matchedResource: ServedResource): AdmissionVariables {
    let variables = this.#variables.get(matchedResource);
    if (!variables) {
      variables = new AdmissionVariables(this.#compiler.cel, this.#attributes, matchedResource);
      this.#variables.set(matchedResource, variables);
    }
    return variables;
  }

  #applyDecisions(decisions: readonly PolicyDecision[]): void {
    // The client gets the first denial; all of them are counted in metrics.
    const denials: Denial[] = [];
    const auditAnnotations = new Map<string, Set<string>>();
    for (const { policy, binding, evaluation, problem } of decisions) {
      const deny = (message: string, reason?: string) => {
        const policyText = `ValidatingAdmissionPolicy '${policy.name}'${binding ? ` with binding '${binding.name}'` : ''}`;
        denials.push({ message: `${policyText} denied request: ${message}`, reason });
      };
      if (problem !== undefined && policy.failsClosed) deny(problem);
      if (!evaluation || !binding) continue;
      for (const failure of evaluation.failures) this.#enforce(policy, binding, failure, deny);
      for (const { key, value } of evaluation.auditAnnotations) {
        const annotationKey = `${policy.name}/${key}`;
        auditAnnotations.set(annotationKey, (auditAnnotations.get(annotationKey) ?? new Set()).add(value));
      }
      if (policy.failsClosed) for (const message of evaluation.annotationProblems) deny(message);
    }
    for (const [key, values] of auditAnnotations) this.#attributes.annotate(key, [...values].join(', '));
    if (denials.length > 0) throw this.#denialError(denials[0]!);
  }

  #enforce(
    policy: CachedPolicy,
    binding: CachedBinding,
    failure: PolicyFailure,
    deny: (message: string, reason?: string) => void,
  ): void {
    const count = (enforcement: Enforcement) =>
      this.#metrics.countFailure(policy.name, binding.name, failure, enforcement);
    if (failure.isError && !policy.failsClosed) {
      count('allow');
      return;
    }
    const { validationActions: actions = [] } = binding.spec;
    for (const action of actions) {
      if (action === 'Deny') {
        deny(failure.message, failure.reason);
        count('deny');
      } else if (action === 'Audit') {
        this.#annotateFailure(policy, binding, failure);
        count('audit');
      } else if (action === 'Warn') {
        const policyText = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
        this.#attributes.warnings.push(`Validation failed for ${policyText}: ${failure.message}`);
        count('warn');
      }
    }
  }

  #annotateFailure(policy: CachedPolicy, binding: CachedBinding, { message, index }: PolicyFailure): void {
    const { annotations } = this.#attributes.api.dialect;
    const failureAnnotation = {
      message,
      policy: policy.name,
      binding: binding.name,
      expressionIndex: index,
      validationActions: binding.spec.validationActions,
    };
    this.#attributes.annotate(
      annotations.auditValidationFailure,
      escapeHtml(JSON.stringify([failureAnnotation])),
    );
  }

  #denialError({ message, reason = 'Invalid' }: Denial): ApiError {
    const { target, name } = this.#attributes;
    const error = forbidden(target.resource.subject, name || 'Unknown', message);
    return new ApiError(codes[reason] ?? 422, reason as StatusReason, error.message, {
      ...error.details,
      causes: [{ message }],
    });
  }
}

/** Escapes JSON as Go's encoding/json does: characters that are special in HTML as \\uXXXX. */
function escapeHtml(json: string): string {
  return json.replace(
    /[<>&\u2028\u2029]/g,
    (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
