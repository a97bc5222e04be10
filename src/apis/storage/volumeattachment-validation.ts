// Validation of VolumeAttachment.

import { type FieldError, forbidden, invalid, required, tooLong } from '../../errors/field-error.ts';
import { goSyntaxOfType } from '../../errors/go-syntax-of-type.ts';
import type { KindContext } from '../../kind/context.ts';
import { validateFinalizersQualified, validateMetadata } from '../../kind/meta/validation.ts';
import { dnsSubdomain, nameIsSubdomain } from '../../schema/names.ts';
import { validateRange } from '../core/attached-volume-validation.ts';
import { validateCsiDriverName } from '../core/csi-driver-name.ts';
import { validateInlineVolumeSpec } from '../core/persistentvolume-validation.ts';
import type { VolumeError } from './volume-error.ts';
import {
  type VolumeAttachment,
  type VolumeAttachmentSource,
  VolumeAttachmentSpec,
  type VolumeAttachmentStatus,
} from './volumeattachment.ts';

const maxMetadataBytes = 256 * 1024;
const maxMessageBytes = 1024;
const exactlyOneMessage = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';

/** Rules for create: the common ones, then those for create only. */
export function validateNewVolumeAttachment(object: VolumeAttachment, context: KindContext): FieldError[] {
  const { attacher, source } = object.spec;
  const { persistentVolumeName: name } = source;
  const path = 'spec.source.persistentVolumeName';
  return [
    ...validateVolumeAttachment(object, context),
    ...validateCsiDriverName(attacher, 'spec.attacher'),
    ...(name === undefined ? [] : dnsSubdomain(name).map((problem) => invalid(path, name, problem))),
  ];
}

function validateVolumeAttachment(
  { metadata, spec, status }: VolumeAttachment,
  context: KindContext,
): FieldError[] {
  return [
    ...validateFinalizersQualified(metadata, context.dialect),
    ...(spec.attacher === '' ? [required('spec.attacher')] : []),
    ...validateSource(spec.source, 'spec.source', context),
    ...dnsSubdomain(spec.nodeName).map((problem) => invalid('spec.nodeName', spec.nodeName, problem)),
    ...validateStatus(status, 'status'),
  ];
}

function validateSource(source: VolumeAttachmentSource, path: string, context: KindContext): FieldError[] {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  if (name === undefined && !inline) return [required(path, exactlyOneMessage)];
  if (name !== undefined && inline) return [forbidden(path, exactlyOneMessage)];
  if (inline) return validateInlineVolumeSpec(inline, `${path}.inlineVolumeSpec`, context);
  if (name !== '') return [];
  return [required(`${path}.persistentVolumeName`, 'must specify non empty persistentVolumeName')];
}

function validateStatus(status: VolumeAttachmentStatus, path: string): FieldError[] {
  const { attachmentMetadata = {}, attachError, detachError } = status;
  let bytes = 0;
  for (const key in attachmentMetadata) {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(attachmentMetadata[key]!);
  }
  return [
    ...(bytes > maxMetadataBytes ? [tooLong(`${path}.attachmentMetadata`, maxMetadataBytes)] : []),
    ...(attachError ? validateError(attachError, `${path}.attachError`) : []),
    ...(detachError ? validateError(detachError, `${path}.detachError`) : []),
  ];
}

function validateError({ message = '', errorCode }: VolumeError, path: string): FieldError[] {
  // The error message of kube-apiserver names a different limit than it enforces.
  const isTooLong = Buffer.byteLength(message) > maxMessageBytes;
  return [
    ...(isTooLong ? [tooLong(`${path}.message`, maxMetadataBytes)] : []),
    ...(errorCode === undefined ? [] : validateRange(errorCode, `${path}.errorCode`, 0, 2 ** 31 - 1)),
  ];
}

/** kube-apiserver runs create validation again on update, so each error appears twice. */
export function validateVolumeAttachmentUpdate(
  object: VolumeAttachment,
  old: VolumeAttachment,
  context: KindContext,
): FieldError[] {
  const validateAsCreate = () => [
    ...validateMetadata(object.metadata, { namespaced: false, nameRule: nameIsSubdomain }),
    ...validateVolumeAttachment(object, context),
  ];
  const errors = [...validateAsCreate(), ...validateAsCreate()];
  if (VolumeAttachmentSpec.write(object.spec) !== VolumeAttachmentSpec.write(old.spec)) {
    errors.push(invalid('spec', goSyntaxOfType(VolumeAttachmentSpec, object.spec), 'field is immutable'));
  }
  return errors;
}
