// Pod Security admission: evaluates pods against a level and version, and counts evaluations.
import type { Dialect } from '../../../dialect/dialect.ts';
import type { Features } from '../../../kind/features/features.ts';
import type { Metrics, NumberFamily } from '../../../telemetry/metrics.ts';
import type { Attributes } from '../../attributes.ts';
import { findViolations } from './checks.ts';
import type { CheckContext, PodParts } from './pod-parts.ts';
import { effectiveMinorVersion, formatStandard, type Standard } from './policy.ts';
import type { Violation } from './wording.ts';

/** The newest minor version of the standards; `latest` and newer versions are evaluated as this one. */
const latestMinorVersion = 33;

type Mode = 'enforce' | 'audit' | 'warn';

export class PodSecurityEvaluator {
  readonly #context: CheckContext;
  readonly #evaluations: NumberFamily;

  constructor(dialect: Dialect, features: Features, metrics: Metrics) {
    const trustsUserNamespaces = features.enabled('UserNamespacesPodSecurityStandards');
    this.#context = { dialect, trustsUserNamespaces };
    this.#evaluations = metrics.counter('pod_security_evaluations_total');
  }

  /** Evaluates a pod and counts the evaluation. Returns the message about all violations; undefined if there are none. */
  evaluate(attributes: Attributes, mode: Mode, standard: Standard, pod: PodParts): string | undefined {
    const violations = this.violations(standard, pod);
    // In the modes audit and warn only violations are counted.
    if (mode === 'enforce' || violations.length > 0)
      this.#count(attributes, mode, standard, violations.length === 0 ? 'allow' : 'deny');
    if (violations.length === 0) return undefined;
    const details = violations.map(({ reason, detail }) => `${reason} (${detail})`);
    return `PodSecurity "${formatStandard(standard)}": ${details.join(', ')}`;
  }

  /** The violations of a pod, without counting the evaluation. */
  violations(standard: Standard, pod: PodParts): Violation[] {
    return findViolations(
      pod,
      standard.level,
      effectiveMinorVersion(standard, latestMinorVersion),
      this.#context,
    );
  }

  #count(
    { target, operation }: Attributes,
    mode: Mode,
    standard: Standard,
    decision: 'allow' | 'deny',
  ): void {
    const { level, version } = standard;
    // Versions beyond the latest share one label value, to bound the cardinality of the metric.
    const isKnown =
      version === 'latest' || version === `v1.${effectiveMinorVersion(standard, latestMinorVersion)}`;
    const resource = target.resource.prefix === 'pods' ? 'pod' : 'controller';
    this.#evaluations.child(
      decision,
      mode,
      level,
      isKnown ? version : 'future',
      operation.toLowerCase(),
      resource,
      target.subresource,
    ).value++;
  }
}
