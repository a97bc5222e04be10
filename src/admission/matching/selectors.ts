// Admission: matches requests against namespaceSelector and objectSelector.
import type { LabelSelector } from '../../kind/meta/label-selector.ts';
import { isEmptyLabelSelector, labelSelectorMatches } from '../../kind/meta/label-selector-match.ts';
import { decodePairs } from '../../store/pairs.ts';
import type { Attributes } from '../attributes.ts';

type Labels = Readonly<Record<string, string>>;

const none: Labels = {};

/** Selects writes by the labels of the object, as it was or as it is to be, and by those of the namespace it is in. */
export class WriteSelectors {
  readonly #namespace: LabelSelector | undefined;
  readonly #object: LabelSelector | undefined;

  constructor(namespaceSelector: LabelSelector | undefined, objectSelector: LabelSelector | undefined) {
    this.#namespace = wanted(namespaceSelector);
    this.#object = wanted(objectSelector);
  }

  /** Nothing is left out. */
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

const wanted = (selector: LabelSelector | undefined) =>
  selector === undefined || isEmptyLabelSelector(selector) ? undefined : selector;

/** A namespaceSelector matches every cluster-scoped object. A Namespace is matched by its own labels. */
function selectsNamespace(selector: LabelSelector, attributes: Attributes): boolean {
  const { target, operation, object, api } = attributes;
  const { resource, subresource, namespace } = target;
  if (resource.prefix !== 'namespaces') {
    return !resource.definition.namespaced || labelSelectorMatches(selector, storedLabels(api, namespace));
  }
  if (subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return labelSelectorMatches(selector, object?.metadata.labels ?? none);
  }
  return labelSelectorMatches(selector, storedLabels(api, attributes.name));
}

function storedLabels({ store }: Attributes['api'], namespace: string): Labels {
  const stored = store.get(`namespaces/${namespace}`);
  return stored ? Object.fromEntries(decodePairs(stored.labels)) : none;
}

/** The options of a connection have no labels that could be selected by. */
function selectsObject(selector: LabelSelector, { operation, object, old }: Attributes): boolean {
  if (operation === 'CONNECT') return false;
  return (
    (object !== undefined && labelSelectorMatches(selector, object.metadata.labels ?? none)) ||
    (old !== undefined && labelSelectorMatches(selector, old.metadata.labels ?? none))
  );
}
