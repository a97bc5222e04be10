// Converts OpenAPI v3 documents to v2 (Swagger 2.0).
import { createHash } from 'node:crypto';
import { type Document, methods, type Operation, type Parameter, type Schema } from './document.ts';

/** The parts of an OpenAPI v2 document that the API uses. */
export interface Document2 {
  readonly swagger: '2.0';
  readonly info: Document['info'];
  readonly paths: Readonly<Record<string, PathItem2>>;
  readonly definitions: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Parameter2>>;
  readonly securityDefinitions: Document['components']['securitySchemes'];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

export type PathItem2 = Readonly<Record<string, Operation2 | readonly (Parameter2 | Reference)[]>>;

interface Operation2 {
  readonly description: string;
  readonly consumes?: readonly string[];
  readonly produces: readonly string[];
  readonly schemes: readonly string[];
  readonly tags: readonly string[];
  readonly operationId: string;
  readonly parameters?: readonly (Parameter2 | Reference)[];
  readonly responses: Readonly<Record<string, { readonly description: string; readonly schema?: Schema }>>;
  readonly [extension: `x-${string}`]: unknown;
}

export interface Parameter2 {
  readonly uniqueItems?: true;
  readonly type?: string;
  readonly description?: string;
  readonly name: string;
  readonly in: 'path' | 'query' | 'body';
  readonly required?: true;
  readonly schema?: Schema;
}

interface Reference {
  readonly $ref: string;
}

/** Parameters that are inlined instead of shared. */
const inlinedParameters: readonly string[] = ['name', 'dryRun', 'fieldValidation'];

/** A v3 document, or a part of one, converted to v2. */
export interface Version2Part {
  readonly paths: Document2['paths'];
  readonly definitions: Document2['definitions'];
  /** The shared parameters of the paths. */
  readonly parameters: ReadonlyMap<string, Parameter2>;
}

/** Converts a document to a part of the v2 document. `isCustom`: custom resources consume what they produce. */
export function toVersion2({ paths, components }: Version3Part, { isCustom = false } = {}): Version2Part {
  const conversion = new Conversion(isCustom);
  const items = Object.entries(paths).map(([path, item]) => [path, conversion.pathItem(item)]);
  const definitions = Object.entries(components.schemas ?? {});
  return {
    paths: Object.fromEntries(items),
    definitions: Object.fromEntries(definitions.map(([name, schema]) => [name, toVersion2Schema(schema)])),
    parameters: conversion.sharedParameters,
  };
}

export interface Version3Part {
  readonly paths: Document['paths'];
  readonly components: Pick<Document['components'], 'schemas'>;
}

class Conversion {
  /** Referenced parameters by name. */
  readonly sharedParameters = new Map<string, Parameter2>();
  readonly #isCustom: boolean;

  constructor(isCustom: boolean) {
    this.#isCustom = isCustom;
  }

  pathItem(item: Document['paths'][string]): PathItem2 {
    const operations = methods.flatMap((method) => {
      const operation = item[method];
      return operation ? [[method, this.#operation(operation)] as const] : [];
    });
    const { parameters } = item;
    return {
      ...Object.fromEntries(operations),
      ...(parameters && {
        parameters: parameters.map((parameter) => this.#shareParameter(toParameter2(parameter))),
      }),
    };
  }

  #operation({ requestBody, responses, parameters = [], description, ...rest }: Operation): Operation2 {
    const { tags, operationId, ...extensions } = rest;
    const ownParameters = parameters.map(toParameter2);
    if (requestBody) ownParameters.unshift(bodyParameter(requestBody));
    const [firstResponse] = Object.values(responses);
    const produces = sortMediaTypes(Object.keys(firstResponse?.content ?? {}));
    const consumes = this.#isCustom
      ? sortMediaTypes(Object.keys((requestBody ?? firstResponse)?.content ?? {}))
      : consumedMediaTypes(requestBody, extensions, firstResponse?.content ?? {}, produces);
    return {
      description,
      ...(consumes.length > 0 && { consumes }),
      produces,
      schemes: ['https'],
      tags,
      operationId,
      ...(ownParameters.length > 0 && {
        parameters: ownParameters.map((parameter) => this.#shareParameter(parameter)),
      }),
      responses: Object.fromEntries(
        Object.entries(responses).map(([code, { description: responseDescription, content }]) => {
          const [mediaType] = Object.values(content ?? {});
          return [
            code,
            {
              description: responseDescription,
              ...(mediaType && { schema: toVersion2Schema(mediaType.schema) }),
            },
          ];
        }),
      ),
      ...extensions,
    };
  }

  /** A reference to the parameter, which becomes a shared one; or the parameter itself, if it is inlined. */
  #shareParameter(parameter: Parameter2): Parameter2 | Reference {
    const isKindBody =
      parameter.in === 'body' && !/\.(DeleteOptions|Patch)$/.test(parameter.schema?.$ref ?? '');
    if (isKindBody || inlinedParameters.includes(parameter.name)) return parameter;
    const digest = createHash('sha256').update(JSON.stringify(parameter)).digest('base64url').slice(0, 8);
    const name = `${parameter.name}-${digest}`;
    this.sharedParameters.set(name, parameter);
    return { $ref: `#/parameters/${name}` };
  }
}

function toParameter2({ schema, description, name, in: location, required }: Parameter): Parameter2 {
  return { ...schema, description, name, in: location, ...(required && { required }) } as Parameter2;
}

function bodyParameter({ content, required }: NonNullable<Operation['requestBody']>): Parameter2 {
  const [mediaType] = Object.values(content);
  return {
    name: 'body',
    in: 'body',
    ...(required && { required }),
    schema: toVersion2Schema(mediaType?.schema ?? {}),
  };
}

/** Paths that are no resources consume what they produce, if that is an object. */
function consumedMediaTypes(
  requestBody: Operation['requestBody'],
  extensions: object,
  content: NonNullable<Operation['requestBody']>['content'],
  produces: readonly string[],
): readonly string[] {
  if (requestBody) return sortMediaTypes(Object.keys(requestBody.content));
  if (Object.keys(extensions).length > 0) return ['*/*'];
  return Object.values(content).some(({ schema }) => schema.$ref !== undefined) ? produces : [];
}

/** The order of media types in v2. */
const mediaTypeOrder = [
  /^text\/plain$/,
  /^application\/json$/,
  /^application\/yaml$/,
  /protobuf$/,
  /\/cbor$/,
  /\/json;stream=watch$/,
  /protobuf;stream=watch$/,
  /\/json-patch\+json$/,
  /\/merge-patch\+json$/,
  /\/strategic-merge-patch\+json$/,
  /\/apply-patch\+yaml$/,
];

function sortMediaTypes(types: readonly string[]): string[] {
  const rank = (type: string) => {
    const index = mediaTypeOrder.findIndex((pattern) => pattern.test(type));
    return index < 0 ? mediaTypeOrder.length : index;
  };
  return [...types].sort((a, b) => rank(a) - rank(b));
}

/** A schema as v2 publishes it: without defaults, a string in place of alternatives, a plain $ref in place of allOf. */
function toVersion2Schema(schema: Schema): Schema {
  const { default: _, allOf, oneOf, $ref, items, additionalProperties, properties, ...rest } = schema;
  const reference = $ref ?? allOf?.[0]?.$ref;
  return {
    ...rest,
    ...(oneOf && { type: 'string' }),
    ...(items && { items: toVersion2Schema(items) }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'boolean'
          ? additionalProperties
          : toVersion2Schema(additionalProperties),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, toVersion2Schema(property)]),
      ),
    }),
    ...(reference !== undefined && {
      $ref: reference.replace('#/components/schemas/', '#/definitions/'),
    }),
  };
}
