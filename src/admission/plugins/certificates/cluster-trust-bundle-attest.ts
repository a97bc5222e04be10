import { ClusterTrustBundle } from '../../../apis/certificates/clustertrustbundle.ts';
import { changesOwnersAlone } from '../../../kind/meta/owners-alone.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refuseUnlessMay } from './signer-rights.ts';

/** Anchors of a signer come from who may vouch for it. */
export class ClusterTrustBundleAttest implements Plugin {
  readonly name = 'ClusterTrustBundleAttest';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'clustertrustbundles' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: Attributes): void | Promise<void> {
    const object = attributes.object as ClusterTrustBundle;
    const old = attributes.old as ClusterTrustBundle | undefined;
    const signer = object.spec.signerName ?? '';
    if (signer === '' || (old && changesOwnersAlone(ClusterTrustBundle, object, old))) return;
    return refuseUnlessMay('attest', signer, attributes);
  }
}
