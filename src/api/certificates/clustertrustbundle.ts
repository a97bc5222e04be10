import { string } from '../../schema/scalars.ts';
import { field, type Infer, struct } from '../../schema/struct.ts';
import type { KindContext } from '../context.ts';
import { kind } from '../meta/kind.ts';
import { plainStrategy } from '../plain-strategy.ts';
import { resource } from '../resource.ts';
import { alsoIn } from '../versions.ts';
import { v1alpha1 } from './versions.ts';

export const ClusterTrustBundleSpec = struct('certificates/v1beta1.ClusterTrustBundleSpec', {
  signerName: field(1, string),
  trustBundle: field(2, string, { required: true }),
});
export type ClusterTrustBundleSpec = Infer<typeof ClusterTrustBundleSpec>;

export const ClusterTrustBundle = kind(
  'certificates/v1beta1.ClusterTrustBundle',
  {
    spec: field(2, ClusterTrustBundleSpec, { required: true }),
  },
  { doc: '' },
);
export type ClusterTrustBundle = Infer<typeof ClusterTrustBundle>;

export const clustertrustbundles = (context: KindContext) =>
  resource<ClusterTrustBundle>({
    group: 'certificates',
    version: 'v1beta1',
    kind: 'ClusterTrustBundle',
    plural: 'clustertrustbundles',
    namespaced: false,
    schema: ClusterTrustBundle,
    strategy: plainStrategy(context, ClusterTrustBundle),
  });

export const clustertrustbundlesV1alpha1 = (context: KindContext) =>
  alsoIn('v1alpha1', clustertrustbundles(context), v1alpha1.of(ClusterTrustBundle));
