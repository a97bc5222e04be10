// The table of mutations, at most one for each row of docs/reference/spec-coverage.md.
import type { Mutation } from '../mutation.ts';
import { applyAndAccess } from './apply-and-access.ts';
import { batchAndStorageKinds } from './batch-and-storage-kinds.ts';
import { clusterKinds } from './cluster-kinds.ts';
import { coreKinds } from './core-kinds.ts';
import { customResources } from './custom-resources.ts';
import { dialectRules } from './dialect-rules.ts';
import { endpoints } from './endpoints.ts';
import { readsAndWatches } from './reads-and-watches.ts';
import { requiredFields } from './required-fields.ts';
import { versioning } from './versioning.ts';
import { volumesAndPolicies } from './volumes-and-policies.ts';

export const mutations: readonly Mutation[] = [
  ...coreKinds,
  ...clusterKinds,
  ...batchAndStorageKinds,
  ...volumesAndPolicies,
  ...customResources,
  ...endpoints,
  ...readsAndWatches,
  ...applyAndAccess,
  ...versioning,
  ...dialectRules,
  ...requiredFields,
];
