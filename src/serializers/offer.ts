// The offer of an endpoint to content negotiation: media types, and the kinds that it can convert its response to.

/** The kind to which the response is converted: `;as=Table;g=meta…;v=v1`. */
export interface ConversionTarget {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

export interface Offer {
  /** Media types in order of preference. The first is the default. */
  readonly mediaTypes: readonly string[];
  /** The media types that the 406 message lists and of which `Accept` must name one; undefined skips that check. */
  readonly routeTypes?: readonly string[];
  /** The endpoint serves only converted responses. */
  readonly isConvertedOnly?: boolean;
  /** Whether a response without a conversion can have this media type. Absent: always. */
  servesUnconverted?(mediaType: string): boolean;
  /** Whether a response that is converted to this kind can have this media type. Absent: never. */
  converts?(target: ConversionTarget, mediaType: string): boolean;
  /** Whether this media type has watches (`;stream=watch`). Absent: always. */
  hasWatch?(mediaType: string): boolean;
}
