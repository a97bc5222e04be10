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
import { createEnvironment, type VersionOptions } from './versions.ts';

const strings = listOf(string);

/** The environment replaces `service` by the name of the dialect (EnvironmentOptions.serviceName). */
function objectType(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const structFields = Object.entries(fields).map(
    ([jsonName, type]) => [jsonName, { type, jsonName }] as const,
  );
  return struct(`service.${name}`, new Map(structFields));
}

const groupVersionKind = objectType('GroupVersionKind', { group: string, version: string, kind: string });
const groupVersionResource = objectType('GroupVersionResource', {
  group: string,
  version: string,
  resource: string,
});

const admissionRequest = objectType('AdmissionRequest', {
  kind: groupVersionKind,
  resource: groupVersionResource,
  subResource: string,
  requestKind: groupVersionKind,
  requestResource: groupVersionResource,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: objectType('UserInfo', {
    username: string,
    uid: string,
    groups: strings,
    extra: mapOf(string, strings),
  }),
  dryRun: bool,
  options: dyn,
});

const namespaceType = objectType('Namespace', {
  metadata: objectType('NamespaceMetadata', {
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
  spec: objectType('NamespaceSpec', { finalizers: strings }),
  status: objectType('NamespaceStatus', {
    conditions: listOf(
      objectType('NamespaceCondition', {
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

const commonVariables: Readonly<Record<string, Variable>> = {
  object: { type: dyn },
  oldObject: { type: dyn },
  request: { type: admissionRequest },
  namespaceObject: { type: namespaceType },
};

const authorizerVariables: Readonly<Record<string, Variable>> = {
  authorizer: { type: authorizerType },
  'authorizer.requestResource': { type: resourceCheckType },
};

/** The optional variables of an expression, beside the objects and the request. */
export interface AdmissionScope {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** The variables that the policy has defined before this expression. */
  readonly variables?: VariableTypes;
}

/** The type of `variables`, which gets a field for each variable of the policy. */
export class VariableTypes {
  readonly #fields = new Map<string, StructField>();
  readonly type = struct('service.variables', this.#fields);

  define(name: string, type: CelType): void {
    this.#fields.set(name, { type, jsonName: name });
  }
}

/** The environments of admission expressions. Objects and params have the type dyn. */
export class AdmissionEnvironments {
  readonly #base: Environment;
  readonly #cache = new Map<string, Environment>();

  constructor(version: VersionOptions) {
    this.#base = createEnvironment(version).extend(commonVariables);
  }

  environmentFor({ params, authorizer, variables }: AdmissionScope): Environment {
    const key = `${params} ${authorizer}`;
    let environment = this.#cache.get(key);
    if (!environment) {
      environment = this.#base.extend({
        ...(params && { params: { type: dyn } }),
        ...(authorizer && authorizerVariables),
      });
      this.#cache.set(key, environment);
    }
    return variables ? environment.extend({ variables: { type: variables.type } }) : environment;
  }
}
