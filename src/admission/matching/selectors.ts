// Admission: matches requests against the namespaceSelector and objectSelector of a policy, a binding or a webhook.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { isEmptyLabelSelector, labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { decodePairs } from '../../store/stored-object.ts';
import type { Attributes } from '../attributes.ts';

type Labels = Readonly<Record<string, string>>;

const noLabels: Labels = {};

export class AdmissionSelectors {
  /** Undefined: an empty selector, which matches everything. */
  readonly #namespaceSelector: LabelSelector | undefined;
  readonly #objectSelector: LabelSelector | undefined;

  constructor(namespaceSelector: LabelSelector | undefined, objectSelector: LabelSelector | undefined) {
    this.#namespaceSelector = undefinedIfEmpty(namespaceSelector);
    this.#objectSelector = undefinedIfEmpty(objectSelector);
  }

  /** Both selectors match every request. */
  get areEmpty(): boolean {
    return this.#namespaceSelector === undefined && this.#objectSelector === undefined;
  }

  /** Whether both selectors match the request. */
  matches(attributes: Attributes): boolean {
    return (
      (this.#namespaceSelector === undefined || selectsNamespace(this.#namespaceSelector, attributes)) &&
      (this.#objectSelector === undefined || selectsObject(this.#objectSelector, attributes))
    );
  }
}

const undefinedIfEmpty = (selector: LabelSelector | undefined) =>
  selector === undefined || isEmptyLabelSelector(selector) ? undefined : selector;

/**
 * Matches the labels of the request's Namespace. Cluster-scoped objects always match, except for Namespaces, which are
 * matched by their own labels: the new ones on create and update, else the stored ones.
 */
function selectsNamespace(selector: LabelSelector, attributes: Attributes): boolean {
  const { target, operation, object, api } = attributes;
  const { resource, subresource, namespace } = target;
  if (resource.prefix !== 'namespaces') {
    return !resource.definition.namespaced || labelSelectorMatches(selector, storedLabels(api, namespace));
  }
  if (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return labelSelectorMatches(selector, object?.metadata.labels ?? noLabels);
  }
  return labelSelectorMatches(selector, storedLabels(api, attributes.name));
}

function storedLabels({ store }: Attributes['api'], namespace: string): Labels {
  const stored = store.get(`namespaces/${namespace}`);
  return stored ? Object.fromEntries(decodePairs(stored.labels)) : noLabels;
}

/** Matches the labels of the new or of the old object. The object of CONNECT is an options object without labels. */
function selectsObject(selector: LabelSelector, { operation, object, oldObject }: Attributes): boolean {
  if (operation === 'CONNECT') return false;
  return (
    (object !== undefined && labelSelectorMatches(selector, object.metadata.labels ?? noLabels)) ||
    (oldObject !== undefined && labelSelectorMatches(selector, oldObject.metadata.labels ?? noLabels))
  );
}
