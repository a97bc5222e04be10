interface ManagedObject {
  readonly metadata: { readonly managedFields?: readonly ManagedFields[] };
}

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  readonly fieldsV1: FieldSet;
}

interface FieldSet {
  readonly [element: string]: FieldSet;
}

/** The field ownership of an object: paths by manager and operation, both in the order of `managedFields`. */
export function owners({ metadata }: ManagedObject): Record<string, string[]> {
  return Object.fromEntries(
    (metadata.managedFields ?? []).map(({ manager, operation, subresource, fieldsV1 }) => [
      [manager, operation, ...(subresource === undefined ? [] : [subresource])].join(' '),
      paths(fieldsV1, ''),
    ]),
  );
}

function paths(set: FieldSet, at: string): string[] {
  return Object.entries(set).flatMap(([element, below]) => {
    if (element === '.') return [at];
    const path = at + step(element);
    return Object.keys(below).length === 0 ? [path] : paths(below, path);
  });
}

function step(element: string): string {
  const value = element.slice(2);
  switch (element.slice(0, 2)) {
    case 'f:':
      return `.${value}`;
    case 'k:':
      return `[${Object.entries(JSON.parse(value))
        .map(([key, part]) => `${key}=${part}`)
        .join(',')}]`;
    case 'v:':
      return `[${value}]`;
    default:
      throw new Error(`a field set with the element ${element}`);
  }
}
