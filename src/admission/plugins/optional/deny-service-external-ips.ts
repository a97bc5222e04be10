// Admission plugin DenyServiceExternalIPs: services may not gain external IPs.
import type { Service } from '../../../apis/core/service.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import { newForbidden } from '../../new-forbidden.ts';
import type { Plugin } from '../../plugin.ts';

export class DenyServiceExternalIPs implements Plugin<Service> {
  readonly name = 'DenyServiceExternalIPs';

  handles({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.definition.kind !== 'Service' || resource.group !== '' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: Attributes<Service>): void {
    const { externalIPs = [] } = attributes.object.spec;
    const oldIPs = attributes.oldObject?.spec.externalIPs ?? [];
    if (externalIPs.every((address) => oldIPs.includes(address))) return;
    throw newForbidden(attributes, 'Use of external IPs is denied by admission control');
  }
}
