import { unsupportedMediaType } from '../../errors/catalogue.ts';
import { jsonType } from '../answer.ts';
import type { Exchange } from '../exchange.ts';
import { headerOf } from '../headers.ts';
import type { Offer } from '../negotiate.ts';

/** The media types objects are read and written in. */
const forms = [jsonType];

export const answerForms: Offer = { types: forms, representations: forms };

/** Throws 415 unless the body is in a form that can be read. Who does not say sends JSON. */
export function acceptedBody(exchange: Exchange): void {
  const given = headerOf(exchange, 'content-type');
  if (given === undefined || given === '' || given === jsonType) return;
  const mediaType = given.split(';', 1)[0]!.trim().toLowerCase();
  if (!forms.includes(mediaType)) throw unsupportedMediaType(forms);
}
