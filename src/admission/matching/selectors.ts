// Admission: matches requests against namespaceSelector and objectSelector.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { isEmptyLabelSelector, labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { decodePairs } from '../../store/stored-object.ts';
import type { Attributes } from '../attributes.ts';

type Labels = Readonly<Record<string, string>>;

const noLabels: Labels = {};

/** objectSelector matches if the labels of the new or of the old object match; namespaceSelector reads the stored Namespace. */
export class AdmissionSelectors {
  readonly #namespace: LabelSelector | undefined;
  readonly #object: LabelSelector | undefined;

  constructor(namespaceSelector: LabelSelector | undefined, objectSelector: LabelSelector | undefined) {
    this.#namespace = unlessEmpty(namespaceSelector);
    this.#object = unlessEmpty(objectSelector);
  }

  /** Whether both selectors are empty. */
  get selectAll(): boolean {
    return this.#namespace === undefined && this.#object === undefined;
  }

  select(attributes: Attributes): boolean {
    return (
      (this.#namespace === undefined || selectsNamespace(this.#namespace, attributes)) &&
      (this.#object === undefined || selectsObject(this.#object, attributes))
    );
  }
}

const unlessEmpty = (selector: LabelSelector | undefined) =>
  selector === undefined || isEmptyLabelSelector(selector) ? undefined : selector;

/** A namespaceSelector matches every cluster-scoped object. A Namespace is matched by its own labels. */
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

/** The object of CONNECT is an options object without labels. */
function selectsObject(selector: LabelSelector, { operation, object, oldObject }: Attributes): boolean {
  if (operation === 'CONNECT') return false;
  return (
    (object !== undefined && labelSelectorMatches(selector, object.metadata.labels ?? noLabels)) ||
    (oldObject !== undefined && labelSelectorMatches(selector, oldObject.metadata.labels ?? noLabels))
  );
}
