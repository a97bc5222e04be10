// Admission: CreateOptions, UpdateOptions and DeleteOptions of a request, as webhooks and CEL expressions get them.
import type { ValidatedDeleteOptions } from '../kind/delete-options.ts';
import type { WriteOptions } from '../registry/options/write-options.ts';
import type { AdmissionOperation } from '../registry/write/admission-control.ts';
import type { Attributes } from './attributes.ts';

type OptionsSource = Pick<Attributes, 'api' | 'operation' | 'options' | 'target' | 'oldObject'>;

const kindByOperation: Readonly<Record<Exclude<AdmissionOperation, 'CONNECT'>, string>> = {
  CREATE: 'CreateOptions',
  UPDATE: 'UpdateOptions',
  DELETE: 'DeleteOptions',
};

/** The options object of a request, with only the values that the client has sent; null for CONNECT. */
export function optionsObject({ api, operation, options, target, oldObject }: OptionsSource): object | null {
  if (operation === 'CONNECT') return null;
  const type = { kind: kindByOperation[operation], apiVersion: `${api.metaGroup}/v1` };
  // Only ValidatedDeleteOptions have this field, and always: it tells the types apart.
  const isDelete = 'gracePeriodSeconds' in options;
  if (isDelete) {
    // Upstream adds the UID of the Namespace as a precondition, so that a recreated Namespace is not deleted.
    const uid = target.resource.prefix === 'namespaces' ? oldObject?.metadata.uid : undefined;
    return { ...type, ...deleteOptionsFields(options, uid) };
  }
  return { ...type, ...writeOptionsFields(options) };
}

function writeOptionsFields({ sentOptions }: WriteOptions): object {
  if (!sentOptions) return {};
  const { dryRun, fieldManager, fieldValidation } = sentOptions;
  return {
    ...(dryRun.length > 0 && { dryRun }),
    ...(fieldManager && { fieldManager }),
    ...(fieldValidation && { fieldValidation }),
  };
}

function deleteOptionsFields({ raw }: ValidatedDeleteOptions, uid: string | undefined): object {
  const {
    gracePeriodSeconds,
    preconditions,
    orphanDependents,
    propagationPolicy,
    dryRun = [],
    ignoreStoreReadErrorWithClusterBreakingPotential: ignore,
  } = raw ?? {};
  return {
    ...(gracePeriodSeconds !== undefined && { gracePeriodSeconds }),
    ...((preconditions || uid !== undefined) && { preconditions: { ...(uid && { uid }), ...preconditions } }),
    ...(orphanDependents !== undefined && { orphanDependents }),
    ...(propagationPolicy !== undefined && { propagationPolicy }),
    ...(dryRun.length > 0 && { dryRun }),
    ...(ignore !== undefined && { ignoreStoreReadErrorWithClusterBreakingPotential: ignore }),
  };
}
