// CustomResourceDefinition naming: the conditions NamesAccepted and Established.
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

export function namingStatus(
  { spec, status }: CustomResourceDefinition,
  taken: TakenNames,
  now: string,
): { readonly acceptedNames: Names; readonly conditions: CustomResourceDefinitionCondition[] } {
  const accepted: Names = { ...status.acceptedNames };
  const { plural, singular = '', shortNames = [], kind, listKind = '', categories } = spec.names;
  const conflicts: [reason: string, message: string][] = [];
  const claim = (
    reason: string,
    names: readonly string[],
    isTaken: (name: string) => boolean,
    accept: () => void,
  ) => {
    const inUse = names.filter(isTaken);
    if (inUse.length === 0) accept();
    else conflicts.push([reason, inUse.map((name) => `${quote(name)} is already in use`).join(', ')]);
  };
  const isResource = (name: string) => name !== '' && taken.hasResource(name);
  const isKind = (name: string) => name !== '' && taken.hasKind(name);
  claim('PluralConflict', [plural], isResource, () => {
    accepted.plural = plural;
  });
  claim('SingularConflict', [singular], isResource, () => {
    accepted.singular = singular;
  });
  claim('ShortNamesConflict', shortNames, isResource, () =>
    setOrDelete(accepted, 'shortNames', spec.names.shortNames),
  );
  claim('KindConflict', [kind], isKind, () => {
    accepted.kind = kind;
  });
  claim('ListKindConflict', [listKind], isKind, () => {
    accepted.listKind = listKind;
  });
  setOrDelete(accepted, 'categories', categories);
  // Reports only the last conflict, as upstream does.
  const conflict = conflicts.at(-1);
  const wereEstablished = isTrue(status.conditions, 'Established');
  const conditions = [...(status.conditions ?? [])];
  const names = conflict
    ? { status: 'False', reason: conflict[0], message: conflict[1] }
    : { status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  setCondition(conditions, { type: 'NamesAccepted', ...names } as CustomResourceDefinitionCondition, now);
  if (!wereEstablished) {
    const established = conflict
      ? { status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' }
      : caBundleProblem(spec) === undefined
        ? { status: 'True', reason: 'InitialNamesAccepted', message: 'the initial names have been accepted' }
        : {
            status: 'False',
            reason: 'InvalidCABundle',
            message: 'The conversion webhook CABundle is invalid',
          };
    setCondition(
      conditions,
      { type: 'Established', ...established } as CustomResourceDefinitionCondition,
      now,
    );
  }
  return { acceptedNames: accepted, conditions };
}

function setOrDelete<K extends 'shortNames' | 'categories'>(names: Names, field: K, value: Names[K]): void {
  if (value === undefined) delete names[field];
  else names[field] = value;
}

export function isTrue(
  conditions: readonly CustomResourceDefinitionCondition[] | undefined,
  type: CustomResourceDefinitionCondition['type'],
): boolean {
  return conditions?.some((condition) => condition.type === type && condition.status === 'True') ?? false;
}
