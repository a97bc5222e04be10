// WindowsSecurityContextOptions: validation (upstream: validateWindowsSecurityContextOptions).
import { type FieldError, invalid } from '../../errors/field-error.ts';
import { dnsSubdomain } from '../../schema/names.ts';
import type { WindowsSecurityContextOptions } from './security-context.ts';

const maxCredentialSpecKiB = 64;
const maxDomainLength = 256;
const maxUserLength = 104;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainPart = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/;

export function validateWindowsOptions(
  options: WindowsSecurityContextOptions | undefined,
  path: string,
): FieldError[] {
  if (!options) return [];
  const { gmsaCredentialSpecName: specName, gmsaCredentialSpec: spec, runAsUserName } = options;
  const errors: FieldError[] = [];
  if (specName !== undefined) {
    for (const problem of dnsSubdomain(specName)) {
      errors.push(invalid(`${path}.gmsaCredentialSpecName`, specName, problem));
    }
  }
  if (spec === '') {
    errors.push(invalid(`${path}.gmsaCredentialSpec`, spec, 'gmsaCredentialSpec cannot be an empty string'));
  } else if (spec !== undefined && Buffer.byteLength(spec) > maxCredentialSpecKiB * 1024) {
    const detail = `gmsaCredentialSpec size must be under ${maxCredentialSpecKiB} KiB`;
    errors.push(invalid(`${path}.gmsaCredentialSpec`, spec, detail));
  }
  if (runAsUserName !== undefined) {
    for (const problem of userNameProblems(runAsUserName)) {
      errors.push(invalid(`${path}.runAsUserName`, runAsUserName, problem));
    }
  }
  return errors;
}

/** The problems of a runAsUserName, `user` or `DOMAIN\user`. */
function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (/[\u0000-\u001f\u007f]/.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1)!;
  const domain = parts.length === 2 ? parts[0]! : undefined;
  const problems: string[] = [];
  if (domain !== undefined) {
    if (domain.length >= maxDomainLength) {
      problems.push(`runAsUserName's Domain length must be under ${maxDomainLength} characters`);
    }
    if (!netBios.test(domain) && !domain.split('.').every((part) => domainPart.test(part))) {
      problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format");
    }
  }
  if (user === '') problems.push("runAsUserName's User cannot be empty");
  else if (user.length > maxUserLength) {
    problems.push(`runAsUserName's User length must not be longer than ${maxUserLength} characters`);
  }
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces");
  return problems;
}
