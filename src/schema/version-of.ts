// Derives the schema types of one API version (networking/v1beta1) from those of another (networking/v1): the same
// types under other names.
import { ListType, list, MapType, mapOf } from './collections.ts';
import { StringType } from './scalars.ts';
import { type Field, type Fields, Struct } from './struct.ts';
import type { Type } from './type.ts';

export interface VersionOf {
  /** The type of the derived version for a type of the base version. */
  of<S extends Type>(type: S): S;
}

export interface VersionOfOptions {
  /** Types of the base version that the derived version uses too, under their names of the base version. */
  readonly shared?: readonly string[];
  /** The string types whose values this version publishes as `enum` in OpenAPI; by default those of the base version. */
  readonly publishedEnums?: readonly string[];
}

/**
 * Derives the types of a version (`networking/v1beta1`) from those of another (`networking/v1`): renames a type and
 * all types it contains, except the shared ones. The same type is derived once.
 */
export function versionOf(
  base: string,
  version: string,
  { shared = [], publishedEnums }: VersionOfOptions = {},
): VersionOf {
  const derivedTypes = new Map<Type, Type>();
  const renamed = (fullName: string) => `${version}${fullName.slice(base.length)}`;
  const isOfBase = (fullName = '') =>
    fullName.startsWith(`${base}.`) && !shared.includes(fullName.slice(base.length + 1));

  function convert(type: Type): Type {
    let result = derivedTypes.get(type);
    if (result === undefined) {
      result = derive(type);
      derivedTypes.set(type, result);
    }
    return result;
  }

  function derive(type: Type): Type {
    if (type instanceof Struct) {
      return isOfBase(type.fullName)
        ? new Struct(renamed(type.fullName), convertFields(type.fields), type.options)
        : type;
    }
    if (type instanceof StringType) {
      return isOfBase(type.fullName) ? convertString(type, type.fullName!) : type;
    }
    if (type instanceof ListType) {
      const element = convert(type.element);
      return element === type.element ? type : list(element, type.merge);
    }
    if (type instanceof MapType) {
      const element = convert(type.element);
      return element === type.element ? type : mapOf(element, convertMapOptions(type.options));
    }
    return type;
  }

  function convertString(type: StringType, fullName: string): StringType {
    const isPublishedEnum = publishedEnums?.includes(fullName.slice(base.length + 1)) ?? type.isPublishedEnum;
    return new StringType(renamed(fullName), type.values, { isPublishedEnum });
  }

  /** Renames the key type of a map. */
  function convertMapOptions(options: MapType<unknown>['options']): MapType<unknown>['options'] {
    const [baseVersion, derivedVersion] = [base, version].map((name) => name.slice(name.indexOf('/') + 1));
    if (!options.keyName?.startsWith(`${baseVersion}.`)) return options;
    return { ...options, keyName: `${derivedVersion}${options.keyName.slice(baseVersion!.length)}` };
  }

  function convertFields(fields: Fields): Fields {
    return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, convertField(field)]));
  }

  function convertField(field: Field): Field {
    const { inlined } = field;
    return {
      ...field,
      type: convert(field.type),
      ...(inlined && {
        inlined: { ...inlined, struct: convert(inlined.struct) as Struct<unknown> },
      }),
    };
  }

  return { of: (type) => convert(type) as typeof type };
}
