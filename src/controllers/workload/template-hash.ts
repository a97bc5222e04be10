// The hash of a pod template, for the names of ReplicaSets and ControllerRevisions (upstream: controller.ComputeHash).
import type { PodTemplateSpec } from '../../apis/core/pod-template-spec.ts';

/** Without vowels and similar-looking characters, as in upstream's SafeEncodeString. */
const safeAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The same for equal templates, whatever the order of their fields. The collision count changes it if an object for another
 * template has the name already. Unlike upstream's it does not depend on a Go type.
 */
export function templateHash(template: PodTemplateSpec, collisionCount: number | undefined): string {
  const text = JSON.stringify(sorted([template, collisionCount ?? null]));
  return [...String(fnv32a(Buffer.from(text)))]
    .map((digit) => safeAlphabet[digit.charCodeAt(0) % safeAlphabet.length])
    .join('');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, member]) => [key, sorted(member)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function fnv32a(bytes: Buffer): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
