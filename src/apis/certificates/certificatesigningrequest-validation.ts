// CertificateSigningRequest: validation of the request on create, and of conditions and certificate in the status and
// approval subresources.
// Dialect: the names of signers in Kubernetes' domain, or in Orch's own.

import type { Dialect } from '../../dialect/dialect.ts';
import {
  addErrors,
  duplicate,
  type FieldError,
  forbidden,
  goByteSlice,
  invalid,
  notSupported,
  required,
} from '../../errors/field-error.ts';
import { DerError } from '../../pki/der.ts';
import { pemBlocks } from '../../pki/pem.ts';
import { parseSigningRequest, type SigningRequest } from '../../pki/signing-request.ts';
import { parseCertificates } from '../../pki/x509/certificate.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from './certificatesigningrequest.ts';
import { keyUsages } from './key-usage.ts';
import { validateSignerName } from './signer-name.ts';

const minExpirationSeconds = 600;
const sortedUsages = [...keyUsages].sort();

export function validateRequest({ spec }: CertificateSigningRequest, dialect: Dialect): FieldError[] {
  const errors: FieldError[] = [];
  const problem = requestProblem(spec.request ?? '');
  if (problem !== undefined) errors.push(invalid('spec.request', goByteSlice(spec.request), problem));
  addErrors(errors, validateUsages(spec.usages ?? []));
  if (spec.signerName === dialect.signers.legacyUnknown) {
    const detail = 'the legacy signerName is not allowed via this API version';
    errors.push(invalid('spec.signerName', spec.signerName, detail));
  } else {
    addErrors(errors, validateSignerName(spec.signerName, 'spec.signerName'));
  }
  const { expirationSeconds } = spec;
  if (expirationSeconds !== undefined && expirationSeconds < minExpirationSeconds) {
    const detail = `may not specify a duration less than ${minExpirationSeconds} seconds (10 minutes)`;
    errors.push(invalid('spec.expirationSeconds', expirationSeconds, detail));
  }
  return errors;
}

/** Parses the PEM-encoded PKCS #10 request. Throws DerError if it is malformed. */
export function parseRequest(request: string): SigningRequest {
  const blocks = pemBlocks(Buffer.from(request, 'base64').toString('latin1'));
  const block = blocks[0];
  if (block?.type !== 'CERTIFICATE REQUEST') {
    throw new DerError('PEM block type must be CERTIFICATE REQUEST');
  }
  return parseSigningRequest(block.data);
}

/** Why the request cannot be parsed; undefined if it can. */
function requestProblem(request: string): string | undefined {
  try {
    parseRequest(request);
    return undefined;
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}

function validateUsages(usages: readonly string[]): FieldError[] {
  if (usages.length === 0) return [required('spec.usages')];
  return usages.flatMap((usage, i) => {
    const path = `spec.usages[${i}]`;
    if (!keyUsages.some((known) => known === usage)) return [notSupported(path, usage, sortedUsages)];
    return usages.indexOf(usage) < i ? [duplicate(path, usage)] : [];
  });
}

interface Conditions {
  conditions?: CertificateSigningRequestCondition[];
}

/** Conditions that must have status True and cannot be removed. */
const permanentConditions = ['Approved', 'Denied', 'Failed'];

export function validateConditions(conditions: readonly CertificateSigningRequestCondition[]): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [i, { type, status }] of conditions.entries()) {
    const path = `status.conditions[${i}]`;
    if (type === '') errors.push(required(`${path}.type`));
    else if (seen.has(type)) errors.push(duplicate(`${path}.type`, type));
    const oppositeType = type === 'Approved' ? 'Denied' : 'Approved';
    if ((type === 'Approved' || type === 'Denied') && seen.has(oppositeType)) {
      errors.push(invalid(`${path}.type`, type, 'Approved and Denied conditions are mutually exclusive'));
    }
    seen.add(type);
    if (status === '') errors.push(required(`${path}.status`));
    else if (permanentConditions.includes(type) && status !== 'True') {
      errors.push(notSupported(`${path}.status`, status, ['True']));
    }
  }
  return errors;
}

/** Forbids removing permanent conditions, and adding Approved or Denied except through the approval subresource. */
export function validateDecisionsUnchanged(
  { status }: CertificateSigningRequest,
  { status: oldStatus }: CertificateSigningRequest,
  { isApproval }: { isApproval: boolean },
): FieldError[] {
  const hasCondition = ({ conditions = [] }: Conditions, conditionType: string) =>
    conditions.some(({ type }) => type === conditionType);
  const errors: FieldError[] = [];
  for (const type of permanentConditions) {
    if (hasCondition(oldStatus, type) && !hasCondition(status, type)) {
      errors.push(forbidden('status.conditions', `updates may not remove a condition of type "${type}"`));
    }
  }
  for (const type of isApproval ? [] : ['Approved', 'Denied']) {
    if (hasCondition(status, type) && !hasCondition(oldStatus, type)) {
      errors.push(forbidden('status.conditions', `updates may not add a condition of type "${type}"`));
    }
  }
  return errors;
}

/** Validates the issued certificate, in base64. A signer sets it once. */
export function validateCertificate(certificate: string, oldCertificate: string): FieldError[] {
  if (certificate === oldCertificate) return [];
  if (oldCertificate !== '') {
    return [forbidden('status.certificate', 'updates may not modify existing certificate content')];
  }
  const reject = (detail: string) => [invalid('status.certificate', '<certificate data>', detail)];
  const blocks = pemBlocks(Buffer.from(certificate, 'base64').toString('latin1'));
  if (blocks.length === 0) return reject('must contain at least one CERTIFICATE PEM block');
  for (const { type, hasHeaders, data } of blocks) {
    if (type !== 'CERTIFICATE') return reject(`only CERTIFICATE PEM blocks are allowed, found "${type}"`);
    if (hasHeaders) return reject('no PEM block headers are permitted');
    const problem = certificatesProblem(data);
    if (problem !== undefined) return reject(problem);
  }
  return [];
}

/** The problem of a CERTIFICATE PEM block, which may contain several certificates; undefined if it is valid. */
function certificatesProblem(der: Buffer): string | undefined {
  try {
    return parseCertificates(der).length > 0
      ? undefined
      : 'found CERTIFICATE PEM block containing 0 certificates';
  } catch (error) {
    if (error instanceof DerError) return error.message;
    throw error;
  }
}
