// CustomResourceDefinition status: acceptedNames and the conditions NamesAccepted and Established, as upstream's naming
// controller computes them. A name is accepted unless another definition of the group has it.
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionNames,
  CustomResourceDefinitionStatus,
} from '../../apis/apiextensions/customresourcedefinition-schema.ts';
import { caBundleProblem } from '../../apis/apiextensions/validation.ts';
import { quote } from '../../errors/quote.ts';
import { setCondition } from '../../kind/meta/set-condition.ts';

export type CustomResourceDefinitionCondition = NonNullable<
  CustomResourceDefinitionStatus['conditions']
>[number];
type Names = CustomResourceDefinitionNames;

/** The accepted names of the other definitions in a group. */
export class TakenNames {
  readonly #resources = new Set<string>();
  readonly #kinds = new Set<string>();

  add({ plural, singular, shortNames = [], kind, listKind }: Names): void {
    for (const name of [plural, singular, ...shortNames]) if (name) this.#resources.add(name);
    for (const name of [kind, listKind]) if (name) this.#kinds.add(name);
  }

  hasResource(name: string): boolean {
    return this.#resources.has(name);
  }

  hasKind(name: string): boolean {
    return this.#kinds.has(name);
  }
}

/** Once Established, a definition stays so, even if a later change of its names conflicts. */
export function namingStatus(
  { spec, status }: CustomResourceDefinition,
  taken: TakenNames,
  now: string,
): { readonly acceptedNames: Names; readonly conditions: CustomResourceDefinitionCondition[] } {
  const { acceptedNames, conflict } = acceptNames(spec.names, status.acceptedNames, taken);
  const conditions = [...(status.conditions ?? [])];
  setCondition(conditions, namesAcceptedCondition(conflict), now);
  if (!isConditionTrue(status.conditions, 'Established')) {
    setCondition(conditions, establishedCondition(spec, conflict), now);
  }
  return { acceptedNames, conditions };
}

/** Reason and message of a name that another definition has. */
interface NameConflict {
  readonly reason: string;
  readonly message: string;
}

/** A name in conflict keeps the value that was accepted before. */
function acceptNames(
  requested: Names,
  previous: Names,
  taken: TakenNames,
): { readonly acceptedNames: Names; readonly conflict: NameConflict | undefined } {
  const acceptedNames: Names = { ...previous };
  const { plural, singular = '', shortNames = [], kind, listKind = '', categories } = requested;
  // Of several conflicts only the last one is reported, as upstream does.
  let conflict: NameConflict | undefined;
  const claim = (
    reason: string,
    names: readonly string[],
    isTaken: (name: string) => boolean,
    accept: () => void,
  ) => {
    const inUse = names.filter(isTaken);
    if (inUse.length === 0) accept();
    else conflict = { reason, message: inUse.map((name) => `${quote(name)} is already in use`).join(', ') };
  };
  const isTakenResource = (name: string) => name !== '' && taken.hasResource(name);
  const isTakenKind = (name: string) => name !== '' && taken.hasKind(name);
  claim('PluralConflict', [plural], isTakenResource, () => {
    acceptedNames.plural = plural;
  });
  claim('SingularConflict', [singular], isTakenResource, () => {
    acceptedNames.singular = singular;
  });
  claim('ShortNamesConflict', shortNames, isTakenResource, () =>
    setOrDelete(acceptedNames, 'shortNames', requested.shortNames),
  );
  claim('KindConflict', [kind], isTakenKind, () => {
    acceptedNames.kind = kind;
  });
  claim('ListKindConflict', [listKind], isTakenKind, () => {
    acceptedNames.listKind = listKind;
  });
  setOrDelete(acceptedNames, 'categories', categories);
  return { acceptedNames, conflict };
}

function namesAcceptedCondition(conflict: NameConflict | undefined): CustomResourceDefinitionCondition {
  const type = 'NamesAccepted';
  if (conflict) return { type, status: 'False', ...conflict };
  return { type, status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
}

function establishedCondition(
  spec: CustomResourceDefinition['spec'],
  conflict: NameConflict | undefined,
): CustomResourceDefinitionCondition {
  const type = 'Established';
  if (conflict)
    return { type, status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' };
  if (caBundleProblem(spec) !== undefined) {
    const message = 'The conversion webhook CABundle is invalid';
    return { type, status: 'False', reason: 'InvalidCABundle', message };
  }
  const message = 'the initial names have been accepted';
  return { type, status: 'True', reason: 'InitialNamesAccepted', message };
}

function setOrDelete<K extends 'shortNames' | 'categories'>(names: Names, field: K, value: Names[K]): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}

export function isConditionTrue(
  conditions: readonly CustomResourceDefinitionCondition[] | undefined,
  type: CustomResourceDefinitionCondition['type'],
): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
