// Admission by functions of the program that embeds the server: an admission plugin (webhooks without HTTP).
import type { Attributes } from '../admission/attributes.ts';
import { newForbidden } from '../admission/new-forbidden.ts';
import type { Plugin } from '../admission/plugin.ts';
import { ApiError } from '../errors/status.ts';
import type { ApiObject } from '../kind/api-object.ts';
import type { AdmissionOperation, AdmissionTarget } from '../registry/write/admission-control.ts';

/** What the functions see of a request. */
export interface FunctionRequest {
  readonly operation: AdmissionOperation;
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** '' for the object itself. */
  readonly subresource: string;
  readonly user: { readonly name: string; readonly groups: readonly string[] };
  /** The object to be written; undefined on DELETE. `mutate` may change it. */
  readonly object: ApiObject | undefined;
  /** The stored object; undefined on CREATE. */
  readonly oldObject: ApiObject | undefined;
  readonly dryRun: boolean;
  /** Adds a warning to the response. */
  warn(text: string): void;
}

/** Functions that throw reject the request: an ApiError as it is, any other error as 403 Forbidden with its message. */
export interface AdmissionFunctions {
  /** In error messages and metrics. */
  readonly name: string;
  /** By default all API versions and kinds, creates and updates of objects and of their status. */
  readonly match?: {
    readonly apiVersion?: string;
    readonly kind?: string;
    readonly operations?: readonly AdmissionOperation[];
    /** '' for the object itself. */
    readonly subresource?: string;
  };
  /** Mutating admission, before webhooks. */
  mutate?(request: FunctionRequest): void | Promise<void>;
  /** Validating admission: the object is as it will be stored. */
  validate?(request: FunctionRequest): void | Promise<void>;
}

const defaultOperations: readonly AdmissionOperation[] = ['CREATE', 'UPDATE'];

export class FunctionPlugin implements Plugin {
  readonly name: string;
  readonly admit?: (attributes: Attributes) => Promise<void>;
  readonly validate?: (attributes: Attributes) => Promise<void>;
  readonly #match: NonNullable<AdmissionFunctions['match']>;

  constructor(functions: AdmissionFunctions) {
    const { name, match = {} } = functions;
    if (typeof name !== 'string' || name === '') throw new TypeError('startServer: a plugin needs a name');
    if (!functions.mutate && !functions.validate) {
      throw new TypeError(`startServer: plugin ${name} has neither mutate nor validate`);
    }
    this.name = name;
    this.#match = match;
    if (functions.mutate)
      this.admit = (attributes) => call((request) => functions.mutate!(request), attributes);
    if (functions.validate) {
      this.validate = (attributes) => call((request) => functions.validate!(request), attributes);
    }
  }

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    const { apiVersion, kind, operations = defaultOperations, subresource: expected } = this.#match;
    return (
      operations.includes(operation) &&
      (apiVersion === undefined || apiVersion === resource.apiVersion) &&
      (kind === undefined || kind === resource.kind) &&
      (expected === undefined ? ['', 'status'].includes(subresource) : expected === subresource)
    );
  }
}

async function call(
  run: (request: FunctionRequest) => void | Promise<void>,
  attributes: Attributes,
): Promise<void> {
  try {
    await run(toFunctionRequest(attributes));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    throw newForbidden(attributes, error instanceof Error ? error.message : String(error));
  }
}

function toFunctionRequest(attributes: Attributes): FunctionRequest {
  const { target, operation, namespace, name, user, object, oldObject, dryRun, warnings } = attributes;
  const { apiVersion, kind } = target.resource;
  return {
    operation,
    apiVersion,
    kind,
    namespace,
    name,
    subresource: target.subresource,
    user: { name: user.name, groups: user.groups },
    object,
    oldObject,
    dryRun,
    warn: (text) => void warnings.push(text),
  };
}
