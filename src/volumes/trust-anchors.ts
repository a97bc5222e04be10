// Renders the file of a clusterTrustBundle projection.
import type { ClusterTrustBundleProjection } from '../apis/core/projected-volume.ts';
import { labelSelectorMatches } from '../kind/meta/label-selector-match.ts';
import { certificateBlocks } from '../pki/certificates.ts';
import { toPem } from '../pki/pem.ts';
import { VolumeProblem } from './volume-files.ts';
import type { TrustBundle, VolumeReader } from './volume-reader.ts';

/** Returns the certificates of the selected ClusterTrustBundles as PEM, without duplicates. */
export async function renderTrustAnchors(
  source: ClusterTrustBundleProjection,
  reader: VolumeReader,
): Promise<string> {
  const bundles = await selectTrustBundles(source, reader);
  const anchors = new Map<string, string>();
  for (const { spec } of bundles) {
    for (const data of certificateBlocks(spec.trustBundle)) {
      anchors.set(data.toString('base64'), toPem('CERTIFICATE', data));
    }
  }
  return [...anchors.values()].join('');
}

async function selectTrustBundles(
  source: ClusterTrustBundleProjection,
  reader: VolumeReader,
): Promise<readonly TrustBundle[]> {
  const { name, signerName, labelSelector, optional = false } = source;
  if (name) {
    const bundle = await reader.trustBundle(name);
    if (bundle) return [bundle];
    if (optional) return [];
    throw new VolumeProblem(`ClusterTrustBundle ${JSON.stringify(name)} not found, and it is not optional`);
  }
  const ofSigner = signerName && labelSelector ? await reader.trustBundlesOf(signerName) : [];
  const selected = ofSigner.filter(
    ({ metadata, spec }) =>
      spec.signerName === signerName && labelSelectorMatches(labelSelector!, metadata.labels ?? {}),
  );
  if (selected.length > 0 || optional) return selected;
  throw new VolumeProblem(
    `no ClusterTrustBundle of signer ${JSON.stringify(signerName ?? '')} matches, and it is not optional`,
  );
}
