// The places of a kind's schema that a client can fill: lists, maps, strings, bytes and free-form JSON, at any depth.
import type { Shape, StructShape } from './shape.ts';

/** A step from the root of an object: a field, the first element of a list, or the first value of a map. */
type Step = string;
export const listStep = '[]';
export const mapStep = '{}';

export interface Place {
  readonly path: readonly Step[];
  readonly shape: Shape;
  /** The same for places of different kinds that share a struct: the struct and the path in it. */
  readonly signature: string;
}

/** `spec.containers[].env`. */
export const nameOfPlace = ({ path }: Pick<Place, 'path'>) =>
  path
    .map((step) => (step === listStep || step === mapStep ? step : `.${step}`))
    .join('')
    .slice(1);

const fillable: readonly Shape['is'][] = ['list', 'map', 'string', 'bytes', 'raw'];
/** The fields of an object that are not a kind's own. */
const typeMeta = ['kind', 'apiVersion'];

/** All places of a kind. A struct that contains itself is entered once. */
export function placesOf(root: StructShape): Place[] {
  const places: Place[] = [];
  const visit = (shape: Shape, path: readonly Step[], structs: readonly string[], local: string): void => {
    if (fillable.includes(shape.is)) places.push({ path, shape, signature: local });
    if (shape.is === 'list') visit(shape.element, [...path, listStep], structs, `${local}[]`);
    else if (shape.is === 'map') visit(shape.element, [...path, mapStep], structs, `${local}{}`);
    else if (shape.is === 'struct') visitFields(shape, path, structs, local);
  };
  const visitFields = (
    struct: StructShape,
    path: readonly Step[],
    structs: readonly string[],
    local: string,
  ): void => {
    if (struct.name !== '' && structs.includes(struct.name)) return;
    const from = struct.name === '' ? local : struct.name;
    for (const [name, { shape }] of struct.fields()) {
      if (path.length === 0 && typeMeta.includes(name)) continue;
      visit(shape, [...path, name], [...structs, struct.name], `${from}.${name}`);
    }
  };
  visitFields(root, [], [], '');
  return places;
}
