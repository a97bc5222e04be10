// Admission plugin PodSecurity: enforces the Pod Security Standards that the labels of a namespace select.
import type { Pod } from '../../../apis/core/pod.ts';
import { invalidObject } from '../../../errors/catalogue.ts';
import type { ApiObject } from '../../../kind/api-object.ts';
import type { StorageContext } from '../../../registry/verb-context.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';
import type { Plugin, PluginDependencies } from '../../plugin.ts';
import { PodSecurityEvaluator } from './evaluation.ts';
import { existingPodWarnings } from './existing-pods.ts';
import { LabelledNamespaces } from './labelled-namespaces.ts';
import type { PodParts } from './pod-parts.ts';
import { isSignificantPodUpdate, podTemplateExtractor } from './pod-templates.ts';
import {
  formatStandard,
  isAtMostAsStrict,
  isPrivilegedPolicy,
  type Labels,
  type Policy,
  policyFromLabels,
  type Standard,
  validatePolicyLabels,
} from './policy.ts';

/** Subresources whose updates can change what the containers of a pod may do. */
const containerSubresources = ['ephemeralcontainers', 'resize'];

export class PodSecurity implements Plugin<ApiObject> {
  readonly name = 'PodSecurity';
  readonly #api: StorageContext;
  readonly #prefix: string;
  readonly #namespaces: LabelledNamespaces;
  readonly #evaluator: PodSecurityEvaluator;

  constructor({ api, features, metrics }: Pick<PluginDependencies, 'api' | 'features' | 'metrics'>) {
    this.#api = api;
    this.#prefix = api.dialect.labels.podSecurityPrefix;
    this.#namespaces = new LabelledNamespaces(api, this.#prefix);
    this.#evaluator = new PodSecurityEvaluator(api.dialect, features, metrics);
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (operation !== 'CREATE' && operation !== 'UPDATE') return false;
    if (resource.prefix === 'pods') {
      return subresource === '' || (operation === 'UPDATE' && containerSubresources.includes(subresource));
    }
    if (subresource !== '') return false;
    if (resource.prefix === 'namespaces') return true;
    // Workload resources only cause warnings and audit annotations, so they need a namespace with labels.
    return podTemplateExtractor(resource) !== undefined && this.#namespaces.hasAny;
  }

  validate(attributes: Attributes<ApiObject>): void | Promise<void> {
    const { target, object } = attributes;
    if (target.resource.prefix === 'namespaces') return this.#validateNamespace(attributes);
    const policy = this.#namespaces.policyOf(attributes.namespace);
    if (!isPodRequest(attributes)) {
      const template = podTemplateExtractor(target.resource)!(object);
      if (!template) return;
      this.#audit(attributes, policy, template);
      this.#warn(attributes, policy, template);
      return;
    }
    const { object: pod, oldObject } = attributes;
    // Under a privileged policy every update is evaluated: nothing is checked, but the evaluation is counted.
    if (!oldObject || isPrivilegedPolicy(policy) || isSignificantPodUpdate(pod, oldObject))
      this.#validatePod(attributes, policy);
  }

  reset(): void {
    this.#namespaces.reset();
  }

  #validatePod(attributes: Attributes<Pod>, policy: Policy): void {
    const { metadata, spec } = attributes.object;
    const pod = { annotations: metadata.annotations ?? {}, spec };
    attributes.annotate(`${this.#prefix}enforce-policy`, formatStandard(policy.enforce));
    const problem = this.#evaluator.evaluate(attributes, 'enforce', policy.enforce, pod);
    this.#audit(attributes, policy, pod);
    if (problem !== undefined) throw newForbidden(attributes, `violates ${problem}`);
    this.#warn(attributes, policy, pod);
  }

  #audit(attributes: Attributes, { audit }: Policy, pod: PodParts): void {
    const problem = this.#evaluator.evaluate(attributes, 'audit', audit, pod);
    if (problem !== undefined)
      attributes.annotate(`${this.#prefix}audit-violations`, `would violate ${problem}`);
  }

  #warn(attributes: Attributes, { warn }: Policy, pod: PodParts): void {
    const problem = this.#evaluator.evaluate(attributes, 'warn', warn, pod);
    if (problem !== undefined) addWarning(attributes, `would violate ${problem}`);
  }

  #validateNamespace(attributes: Attributes<ApiObject>): void | Promise<void> {
    const labels = labelsOf(attributes.object);
    const oldLabels = attributes.oldObject && labelsOf(attributes.oldObject);
    const errors = validatePolicyLabels(labels, this.#prefix);
    if (errors.length > 0) {
      // Labels that were invalid before do not block other changes of the namespace.
      if (oldLabels && validatePolicyLabels(oldLabels, this.#prefix).length > 0) return;
      throw invalidObject({ group: '', kind: 'Namespace' }, attributes.name, errors);
    }
    if (!oldLabels) return;
    const enforce = policyFromLabels(labels, this.#prefix).enforce;
    if (isAtMostAsStrict(enforce, policyFromLabels(oldLabels, this.#prefix).enforce)) return;
    return this.#warnAboutExistingPods(attributes, enforce);
  }

  async #warnAboutExistingPods(attributes: Attributes, enforce: Standard): Promise<void> {
    const violationsOf = (pod: Pod) =>
      this.#evaluator.violations(enforce, { annotations: pod.metadata.annotations ?? {}, spec: pod.spec });
    const warnings = await existingPodWarnings(this.#api, attributes.name, enforce, violationsOf);
    for (const warning of warnings) addWarning(attributes, warning);
  }
}

/** Pods and their subresources. */
const isPodRequest = (attributes: Attributes): attributes is Attributes<Pod> =>
  attributes.target.resource.prefix === 'pods';

function labelsOf({ metadata: { labels = {} } }: ApiObject): Labels {
  const has = (key: string) => Object.hasOwn(labels, key);
  return { has, get: (key) => (has(key) ? labels[key] : undefined) };
}

function addWarning({ warnings }: Attributes, warning: string): void {
  if (!warnings.includes(warning)) warnings.push(warning);
}
