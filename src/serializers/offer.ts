// What an endpoint offers to content negotiation.

/** The kind to which the response is transformed: `;as=Table;g=meta…;v=v1`. */
export interface ConversionTarget {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
}

/** What an endpoint offers to content negotiation. */
export interface Offer {
  /** Media types in order of preference. The first is the default. */
  readonly mediaTypes: readonly string[];
  /** The media types that the 406 message lists and of which `Accept` must name one; undefined skips that check. */
  readonly routeTypes?: readonly string[];
  /** Only transformed responses are offered. */
  readonly isConvertedOnly?: boolean;
  /** Whether this media type is offered without a transformation. Absent: always. */
  servesUnconverted?(type: string): boolean;
  /** Whether this media type can carry this kind. */
  converts?(target: ConversionTarget, type: string): boolean;
  /** Whether this media type has watches (`;stream=watch`). Absent: always. */
  hasWatch?(type: string): boolean;
}
