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

export interface Endpoint {
  readonly method: Method;
  readonly operationId: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly content: MediaTypeObjects; readonly required: boolean };
  /** Responses by status code. */
  readonly answers: Readonly<Record<number, MediaTypeObjects>>;
  readonly action?: string;
  readonly kind?: GroupVersionKind;
}

const reasons: Readonly<Record<string, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

/** A path item. Parameters that all operations share are listed once. */
export function pathItem(endpoints: readonly Endpoint[], tag: string, dialect: Dialect): PathItem {
  const shared = (endpoints[0]?.parameters ?? []).filter((parameter) =>
    endpoints.every(({ parameters }) => parameters?.some((other) => isSame(parameter, other))),
  );
  const isOwn = (parameter: Parameter) => !shared.some((other) => isSame(parameter, other));
  const operations = [...endpoints]
    .sort((a, b) => methods.indexOf(a.method) - methods.indexOf(b.method))
    .map((endpoint) => [endpoint.method, operation(endpoint, tag, isOwn, dialect)] as const);
  return {
    ...Object.fromEntries(operations),
    ...(shared.length > 0 && { parameters: sorted(shared) }),
  };
}

function isSame(a: Parameter, b: Parameter): boolean {
  return a.name === b.name && a.in === b.in;
}

function operation(
  { operationId, description, parameters = [], body, answers, action, kind }: Endpoint,
  tag: string,
  isOwn: (parameter: Parameter) => boolean,
  { extensionPrefix }: Dialect,
): Operation {
  const own = parameters.filter(isOwn);
  const responses = Object.entries(answers).map(([code, content]) => [
    code,
    { description: reasons[code] ?? '', content },
  ]);
  return {
    tags: [tag],
    description,
    operationId,
    ...(own.length > 0 && { parameters: sorted(own) }),
    ...(body && {
      requestBody: { content: body.content, ...(body.required && { required: true as const }) },
    }),
    responses: { ...Object.fromEntries(responses), 401: { description: 'Unauthorized' } },
    ...(action !== undefined && { [`${extensionPrefix}action`]: action }),
    ...(kind && { [`${extensionPrefix}group-version-kind`]: kind }),
  };
}
