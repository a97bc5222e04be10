// CSI driver names in volumes, PersistentVolumes and CSINodes: validation (upstream: ValidateCSIDriverName).
import { type FieldError, invalid, required, tooLong } from '../../errors/field-error.ts';
import { dnsSubdomain } from '../../schema/names.ts';

const maxDriverNameLength = 63;

/** A CSI driver name is a DNS subdomain, but may contain upper-case letters. */
export function validateCsiDriverName(name: string, path: string): FieldError[] {
  return [
    ...(name === '' ? [required(path)] : []),
    ...(Buffer.byteLength(name) > maxDriverNameLength ? [tooLong(path, maxDriverNameLength)] : []),
    ...dnsSubdomain(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  ];
}
