// ValidatingAdmissionPolicy: checks one request against its policies and applies the actions of their bindings.
import { forbidden } from '../../errors/catalogue.ts';
import { ApiError, type StatusReason } from '../../errors/status.ts';
import type { ServedResource } from '../../kind/registry.ts';
import type { Attributes } from '../attributes.ts';
import { PendingDecision } from '../expressions/rights.ts';
import { AdmissionVariables } from '../expressions/write-inputs.ts';
import type { CheckMetrics, Enforcement } from './check-metrics.ts';
import type { PolicyCompiler } from './compiled-policy.ts';
import { evaluatePolicy, type Failure, type Findings } from './evaluation.ts';
import type { Applicable, LiveBinding, LivePolicy } from './policy-set.ts';

/** The decision of one policy by one of its bindings, or the error that prevented it. */
interface Said {
  readonly policy: LivePolicy;
  readonly binding?: LiveBinding;
  readonly findings?: Findings;
  /** It is not set up: there are no parameters, or no such kind of them. */
  readonly problem?: string;
}

interface Denial {
  readonly message: string;
  readonly reason: string | undefined;
}

const codes: Readonly<Record<string, number>> = {
  Unauthorized: 401,
  Forbidden: 403,
  Invalid: 422,
  RequestEntityTooLarge: 413,
};

/** Holds one write to policies. */
export class Check {
  readonly #attributes: Attributes;
  readonly #compiler: PolicyCompiler;
  readonly #metrics: CheckMetrics;
  /** By the version in which policies want to see the objects. */
  readonly #inputs = new Map<ServedResource, AdmissionVariables>();

  constructor(attributes: Attributes, compiler: PolicyCompiler, metrics: CheckMetrics) {
    this.#attributes = attributes;
    this.#compiler = compiler;
    this.#metrics = metrics;
  }

  /** Throws the error for the client. Evaluations that wait for an authorizer are repeated. */
  run(applicable: readonly Applicable[]): void | Promise<void> {
    const said: Said[] = [];
    try {
      for (const one of applicable) this.#ask(one, said);
    } catch (late) {
      if (!(late instanceof PendingDecision)) throw late;
      return late.answer.then(() => this.run(applicable));
    }
    if (said.length > 0) this.#conclude(said);
  }

  #ask({ policy, matcher, bindings, paramResource }: Applicable, said: Said[]): void {
    const as = matcher.match(this.#attributes);
    if (!as) return;
    if (paramResource === null) {
      const { apiVersion, kind } = policy.spec.paramKind!;
      said.push({
        policy,
        problem: `failed to configure policy: failed to find resource referenced by paramKind: '${apiVersion}, Kind=${kind}'`,
      });
      return;
    }
    for (const { binding, matcher: ofBinding } of bindings) {
      if (!ofBinding.match(this.#attributes)) continue;
      const params = paramResource && binding.params(this.#attributes.api, paramResource);
      if (!params) {
        this.#evaluate(policy, binding, as, null, said);
        continue;
      }
      const found = params.find(this.#attributes.namespace);
      if ('problem' in found) {
        said.push({ policy, binding, problem: `failed to configure binding: ${found.problem}` });
      } else for (const one of found.params) this.#evaluate(policy, binding, as, one, said);
    }
  }

  #evaluate(
    policy: LivePolicy,
    binding: LiveBinding,
    as: ServedResource,
    params: unknown,
    said: Said[],
  ): void {
    const { cel } = this.#compiler;
    const findings = evaluatePolicy(cel, policy.compiled(this.#compiler), this.#inputsFor(as), params);
    const { failures, notes, problems } = findings;
    if (failures.length + notes.length + problems.length > 0) said.push({ policy, binding, findings });
  }

  #inputsFor(as: ServedResource): AdmissionVariables {
    let inputs = this.#inputs.get(as);
    if (!inputs) {
      inputs = new AdmissionVariables(this.#compiler.cel, this.#attributes, as);
      this.#inputs.set(as, inputs);
    }
    return inputs;
  }

  #conclude(said: readonly Said[]): void {
    const denials: Denial[] = [];
    const notes = new Map<string, Set<string>>();
    for (const { policy, binding, findings, problem } of said) {
      const deny = (message: string, reason?: string) => {
        const by = `ValidatingAdmissionPolicy '${policy.name}'${binding ? ` with binding '${binding.name}'` : ''}`;
        denials.push({ message: `${by} denied request: ${message}`, reason });
      };
      if (problem !== undefined && policy.fails) deny(problem);
      if (!findings || !binding) continue;
      for (const failure of findings.failures) this.#enforce(policy, binding, failure, deny);
      for (const { key, value } of findings.notes) {
        const full = `${policy.name}/${key}`;
        notes.set(full, (notes.get(full) ?? new Set()).add(value));
      }
      if (policy.fails) for (const one of findings.problems) deny(one);
    }
    for (const [key, values] of notes) this.#attributes.annotate(key, [...values].join(', '));
    if (denials.length > 0) throw this.#refusal(denials[0]!);
  }

  #enforce(
    policy: LivePolicy,
    binding: LiveBinding,
    failure: Failure,
    deny: (message: string, reason?: string) => void,
  ): void {
    const count = (enforcement: Enforcement) =>
      this.#metrics.count(policy.name, binding.name, failure, enforcement);
    if (failure.isError && !policy.fails) {
      count('allow');
      return;
    }
    const { validationActions: actions = [] } = binding.spec;
    for (const action of actions) {
      if (action === 'Deny') {
        deny(failure.message, failure.reason);
        count('deny');
      } else if (action === 'Audit') {
        this.#noteFailure(policy, binding, failure);
        count('audit');
      } else if (action === 'Warn') {
        const by = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
        this.#attributes.warnings.push(`Validation failed for ${by}: ${failure.message}`);
        count('warn');
      }
    }
  }

  #noteFailure(policy: LivePolicy, binding: LiveBinding, { message, index }: Failure): void {
    const { annotations } = this.#attributes.api.dialect;
    const noted = {
      message,
      policy: policy.name,
      binding: binding.name,
      expressionIndex: index,
      validationActions: binding.spec.validationActions,
    };
    this.#attributes.annotate(annotations.auditValidationFailure, escaped(JSON.stringify([noted])));
  }

  #refusal({ message, reason = 'Invalid' }: Denial): ApiError {
    const { target, name } = this.#attributes;
    const refusal = forbidden(target.resource.subject, name || 'Unknown', message);
    return new ApiError(codes[reason] ?? 422, reason as StatusReason, refusal.message, {
      ...refusal.details,
      causes: [{ message }],
    });
  }
}

/** As the reference writes JSON: safe to be put into a page. */
function escaped(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
