import { type FieldError, invalid, required, tooLong } from '../../errors/field-error.ts';
import { dnsSubdomain } from '../../schema/names.ts';

const maxLength = 63;

/** A CSI driver goes by a domain name, in which capital letters may stand. */
export function validateCsiDriverName(name: string, path: string): FieldError[] {
  return [
    ...(name === '' ? [required(path)] : []),
    ...(Buffer.byteLength(name) > maxLength ? [tooLong(path, maxLength)] : []),
    ...dnsSubdomain(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  ];
}
