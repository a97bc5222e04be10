// DaemonSet: maintains templateGeneration, a removed v1beta1 field, in an annotation.
import { nullPrototypeObject } from '../../codec/json/json-value.ts';
import { badRequest } from '../../errors/catalogue.ts';
import { quote } from '../../errors/quote.ts';
import type { ObjectMetadata } from '../../kind/api-object.ts';
import { PodTemplateSpec } from '../core/pod-template-spec.ts';

/** Only the server changes this annotation, starting from the value that the client set on create. */
const annotation = 'deprecated.daemonset.template.generation';

interface WithTemplate {
  metadata: ObjectMetadata;
  spec: { template: PodTemplateSpec };
}

/** Sets the annotation from the client's object, to 0 if it is absent, as upstream's conversion does. */
export function defaultTemplateGeneration(object: WithTemplate): void {
  setAnnotation(object, String(parseTemplateGeneration(object)));
}

/**
 * Sets the annotation on a write: on create at least 1, on update the stored value, incremented if the template
 * changed.
 */
export function updateTemplateGeneration(object: WithTemplate, old?: WithTemplate): void {
  const requested = parseTemplateGeneration(object);
  let generation = requested < 1n ? 1n : requested;
  if (old) {
    const changed = PodTemplateSpec.write(object.spec.template) !== PodTemplateSpec.write(old.spec.template);
    generation = BigInt(old.metadata.annotations?.[annotation] ?? 0) + (changed ? 1n : 0n);
  }
  setAnnotation(object, String(generation));
}

export const templateGenerationOf = ({ metadata }: WithTemplate) => metadata.annotations?.[annotation];

/** Restores the stored value, for writes that cannot change the template. */
export function keepTemplateGeneration(object: WithTemplate, old: WithTemplate): void {
  setAnnotation(object, old.metadata.annotations?.[annotation] ?? '0');
}

function parseTemplateGeneration({ metadata }: WithTemplate): bigint {
  const text = metadata.annotations?.[annotation];
  if (text === undefined) return 0n;
  const problem = (detail: string) =>
    badRequest(
      `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing ${quote(text)}: ${detail}`,
    );
  if (!/^[+-]?[0-9]+$/.test(text)) throw problem('invalid syntax');
  // Bounds the time to parse; a 64-bit integer with leading zeros may have more than 19 digits.
  if (text.length > 200) throw problem('value out of range');
  const value = BigInt(text.replace(/^\+/, ''));
  if (value !== BigInt.asIntN(64, value)) throw problem('value out of range');
  return value;
}

function setAnnotation({ metadata }: WithTemplate, text: string): void {
  metadata.annotations ??= nullPrototypeObject();
  metadata.annotations[annotation] = text;
}
