import type { Credentials, Warn } from './authenticator.ts';

/** The bearer token a request carries; '' when it carries none. */
export function bearerToken(credentials: Credentials, warn: Warn): string {
  const header = credentials.authorization;
  if (header === undefined) return credentials.token ?? '';
  const trimmed = header.trim();
  const space = trimmed.indexOf(' ');
  if (space !== 6 || trimmed.slice(0, 6).toLowerCase() !== 'bearer') return '';
  if (trimmed.charCodeAt(7) === 32) {
    warn('the provided Authorization header contains extra space before the bearer token, and is ignored');
    return '';
  }
  const end = trimmed.indexOf(' ', 7);
  return end < 0 ? trimmed.slice(7) : trimmed.slice(7, end);
}
