// CEL environments of admission policies and matchConditions.
import type { Environment, Variable } from './environment.ts';
import { authorizerType, resourceCheckType } from './library/authorizer.ts';
import {
  bool,
  type CelType,
  dyn,
  int,
  listOf,
  mapOf,
  type StructField,
  string,
  struct,
  timestamp,
} from './types.ts';
import { environmentOf, type VersionOptions } from './versions.ts';

const strings = listOf(string);

function object(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const named = Object.entries(fields).map(([jsonName, type]) => [jsonName, { type, jsonName }] as const);
  return struct(`service.${name}`, new Map(named));
}

const kind = object('GroupVersionKind', { group: string, version: string, kind: string });
const resource = object('GroupVersionResource', { group: string, version: string, resource: string });

const request = object('AdmissionRequest', {
  kind,
  resource,
  subResource: string,
  requestKind: kind,
  requestResource: resource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: object('UserInfo', {
    username: string,
    uid: string,
    groups: strings,
    extra: mapOf(string, strings),
  }),
  dryRun: bool,
  options: dyn,
});

const namespace = object('Namespace', {
  metadata: object('NamespaceMetadata', {
    name: string,
    generateName: string,
    namespace: string,
    labels: mapOf(string, string),
    annotations: mapOf(string, string),
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: strings,
  }),
  spec: object('NamespaceSpec', { finalizers: strings }),
  status: object('NamespaceStatus', {
    conditions: listOf(
      object('NamespaceCondition', {
        status: string,
        type: string,
        lastTransitionTime: timestamp,
        message: string,
        reason: string,
      }),
    ),
    phase: string,
  }),
});

const always: Readonly<Record<string, Variable>> = {
  object: { type: dyn },
  oldObject: { type: dyn },
  request: { type: request },
  namespaceObject: { type: namespace },
};

const rights: Readonly<Record<string, Variable>> = {
  authorizer: { type: authorizerType },
  'authorizer.requestResource': { type: resourceCheckType },
};

/** The optional variables of an expression, beside the objects and the request. */
export interface AdmissionScope {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** The variables that a policy defines, as far as it has; undefined where it defines none. */
  readonly variables?: VariableTypes;
}

/** The type of `variables`, which grows with each one that is defined. */
export class VariableTypes {
  readonly #fields = new Map<string, StructField>();
  readonly type = struct('service.variables', this.#fields);

  define(name: string, type: CelType): void {
    this.#fields.set(name, { type, jsonName: name });
  }
}

/** The environments of expressions about writes. Objects and parameters are looked into as they come, without a type. */
export class AdmissionEnvironments {
  readonly #bare: Environment;
  readonly #made = new Map<string, Environment>();

  constructor(version: VersionOptions) {
    this.#bare = environmentOf(version).extend(always);
  }

  for({ params, authorizer, variables }: AdmissionScope): Environment {
    const key = `${params} ${authorizer}`;
    let environment = this.#made.get(key);
    if (!environment) {
      environment = this.#bare.extend({
        ...(params && { params: { type: dyn } }),
        ...(authorizer && rights),
      });
      this.#made.set(key, environment);
    }
    return variables ? environment.extend({ variables: { type: variables.type } }) : environment;
  }
}
