// StorageClass and VolumeAttributesClass: validation of parameters.

import { type FieldError, invalid, tooLong } from '../../errors/field-error.ts';

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;

/** Limits the number and total size of the parameters. */
export function validateParameters(parameters: Readonly<Record<string, string>>, path: string): FieldError[] {
  const keys = Object.keys(parameters);
  // The limit counts entries, though the error message of kube-apiserver says bytes.
  if (keys.length > maxParameters) return [tooLong(path, maxParameters)];
  const errors: FieldError[] = [];
  let bytes = 0;
  for (const key of keys) {
    if (key === '') errors.push(invalid(path, key, 'field can not be empty.'));
    bytes += Buffer.byteLength(key) + Buffer.byteLength(parameters[key]!);
  }
  if (bytes > maxParametersBytes) errors.push(tooLong(path, maxParametersBytes));
  return errors;
}
