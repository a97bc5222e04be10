import type { Service } from '../../../apis/core/service.ts';
import type { AdmissionTarget } from '../../../registry/write/admission-control.ts';
import type { Attributes } from '../../attributes.ts';
import type { Plugin } from '../../plugin.ts';
import { refusal } from '../../refusal.ts';

/** Lets services take no more addresses from outside of the cluster than they have. */
export class DenyServiceExternalIPs implements Plugin {
  readonly name = 'DenyServiceExternalIPs';

  concerns({ resource, subresource, operation }: AdmissionTarget): boolean {
    if (resource.definition.kind !== 'Service' || resource.group !== '' || subresource !== '') return false;
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: Attributes): void {
    const { externalIPs = [] } = (attributes.object as Service).spec;
    const had = (attributes.old as Service | undefined)?.spec.externalIPs ?? [];
    if (externalIPs.every((address) => had.includes(address))) return;
    throw refusal(attributes, 'Use of external IPs is denied by admission control');
  }
}
