// OpenAPI operations of a path.
import type { Dialect } from '../../dialect/dialect.ts';
import {
  type MediaTypeObjects,
  type Method,
  methods,
  type Operation,
  type Parameter,
  type PathItem,
} from './document.ts';
import type { GroupVersionKind } from './group-version-kinds.ts';
import { sorted } from './parameters.ts';

/** An operation in the terms of the API, from which `pathItem` builds the OpenAPI operation. */
export interface OperationSpec {
  readonly method: Method;
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly content: MediaTypeObjects; readonly required: boolean };
  /** Responses by status code. */
  readonly responses: Readonly<Record<number, MediaTypeObjects>>;
  readonly action?: string;
  readonly kind?: GroupVersionKind;
}

const statusTexts: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

/** A path item. Parameters that all operations share are listed once. */
export function pathItem(specs: readonly OperationSpec[], tag: string, dialect: Dialect): PathItem {
  const sharedParameters = (specs[0]?.parameters ?? []).filter((parameter) =>
    specs.every(({ parameters }) => parameters?.some((candidate) => isSameParameter(parameter, candidate))),
  );
  const isNotShared = (parameter: Parameter) =>
    !sharedParameters.some((candidate) => isSameParameter(parameter, candidate));
  const operations = [...specs]
    .sort((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))
    .map((spec) => [spec.method, operation(spec, tag, isNotShared, dialect)] as const);
  return {
    ...Object.fromEntries(operations),
    ...(sharedParameters.length > 0 && { parameters: sorted(sharedParameters) }),
  };
}

function isSameParameter(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

function operation(
  { operationId, description, parameters = [], body, responses, action, kind }: OperationSpec,
  tag: string,
  isNotShared: (parameter: Parameter) => boolean,
  { extensionPrefix }: Dialect,
): Operation {
  const ownParameters = parameters.filter(isNotShared);
  const responseEntries = Object.entries(responses).map(([code, content]) => [
    code,
    { description: statusTexts[code] ?? '', content },
  ]);
  return {
    tags: [tag],
    description,
    operationId,
    ...(ownParameters.length > 0 && { parameters: sorted(ownParameters) }),
    ...(body && {
      requestBody: { content: body.content, ...(body.required && { required: true as const }) },
    }),
    responses: { ...Object.fromEntries(responseEntries), 401: { description: 'Unauthorized' } },
    ...(action !== undefined && { [`${extensionPrefix}action`]: action }),
    ...(kind && { [`${extensionPrefix}group-version-kind`]: kind }),
  };
}
