// OpenAPI v3: the types of a document, as far as the API uses them.

export interface Document {
  readonly openapi: '3.0.0';
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas?: Readonly<Record<string, Schema>>;
    readonly securitySchemes?: Readonly<Record<string, SecurityScheme>>;
  };
}

export const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch'] as const;
export type Method = (typeof methods)[number];

/** `parameters` are common to all operations. */
export type PathItem = { readonly [M in Method]?: Operation } & {
  readonly parameters?: readonly Parameter[];
};

export interface Operation {
  readonly tags: readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response>>;
  /** Extensions: the action of the operation, and its kind. */
  readonly [extension: `x-${string}`]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly description: string;
  readonly required?: true;
  readonly schema: Schema;
}

export type MediaTypeObjects = Readonly<Record<string, { readonly schema: Schema }>>;

interface RequestBody {
  readonly content: MediaTypeObjects;
  readonly required?: true;
}

interface Response {
  readonly description: string;
  readonly content?: MediaTypeObjects;
}

export interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly title?: string;
  readonly nullable?: boolean;
  readonly default?: unknown;
  readonly multipleOf?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: boolean;
  readonly minimum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly uniqueItems?: true;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly allOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly not?: Schema;
  readonly [extension: `x-${string}`]: unknown;
}

interface SecurityScheme {
  readonly type: 'apiKey';
  readonly description: string;
  readonly name: string;
  readonly in: 'header';
}
