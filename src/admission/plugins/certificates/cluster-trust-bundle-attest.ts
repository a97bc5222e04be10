// Admission plugin ClusterTrustBundleAttest: writing trust anchors of a signer takes the verb "attest" on it.
import { ClusterTrustBundle } from '../../../apis/certificates/clustertrustbundle.ts';
import { isOnlyMutatingGCFields } from '../../../kind/meta/gc-fields.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { requireSignerAccess } from './signer-access.ts';

export class ClusterTrustBundleAttest implements Plugin<ClusterTrustBundle> {
  readonly name = 'ClusterTrustBundleAttest';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.prefix !== 'clustertrustbundles' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: Attributes<ClusterTrustBundle>): void | Promise<void> {
    const { object, oldObject } = attributes;
    const signer = object.spec.signerName ?? '';
    if (signer === '' || (oldObject && isOnlyMutatingGCFields(ClusterTrustBundle, object, oldObject))) return;
    return requireSignerAccess('attest', signer, attributes);
  }
}
