// Pod Security admission: evaluates pods against a level and version, and counts evaluations.
import type { Dialect } from '../../../dialect/dialect.ts';
import type { Features } from '../../../kind/features/features.ts';
import type { Metrics, NumberFamily } from '../../../telemetry/metrics.ts';
import type { Attributes } from '../../attributes.ts';
import { violations } from './checks.ts';
import type { Circumstances, PodParts } from './pod-parts.ts';
import { minorOf, type Standard, shown } from './policy.ts';
import type { Violation } from './wording.ts';

/** The newest release whose standards are known. */
const latest = 33;

type Mode = 'enforce' | 'audit' | 'warn';

export class Evaluation {
  readonly #circumstances: Circumstances;
  readonly #evaluations: NumberFamily;

  constructor(dialect: Dialect, features: Features, meters: Metrics) {
    const trustsUserNamespaces = features.enabled('UserNamespacesPodSecurityStandards');
    this.#circumstances = { dialect, trustsUserNamespaces };
    this.#evaluations = meters.counter('pod_security_evaluations_total');
  }

  /** The message for the violations of a pod; undefined where it has none. */
  evaluate(attributes: Attributes, mode: Mode, standard: Standard, pod: PodParts): string | undefined {
    const found = this.violations(standard, pod);
    if (mode === 'enforce' || found.length > 0) this.#count(attributes, mode, standard, found.length === 0);
    if (found.length === 0) return undefined;
    const each = found.map(({ reason, detail }) => `${reason} (${detail})`);
    return `PodSecurity "${shown(standard)}": ${each.join(', ')}`;
  }

  violations(standard: Standard, pod: PodParts): Violation[] {
    return violations(pod, standard.level, minorOf(standard, latest), this.#circumstances);
  }

  #count({ target, operation }: Attributes, mode: Mode, standard: Standard, isAllowed: boolean): void {
    const { level, version } = standard;
    const isKnown = version === 'latest' || version === `v1.${minorOf(standard, latest)}`;
    const resource = target.resource.prefix === 'pods' ? 'pod' : 'controller';
    this.#evaluations.child(
      isAllowed ? 'allow' : 'deny',
      mode,
      level,
      isKnown ? version : 'future',
      operation.toLowerCase(),
      resource,
      target.subresource,
    ).value++;
  }
}
