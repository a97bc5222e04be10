// The result of one measured case.
export interface Result {
  readonly resource: string;
  readonly verb: string;
  readonly format: string;
  readonly place: string;
  readonly filling: string;
  /** Of the request or of the response, whichever is larger. */
  readonly bytes: number;
  readonly code: number;
  /** The longest turn of the best attempt. */
  readonly ms: number;
  /** Until the response was complete. */
  readonly elapsedMs: number;
  /** The longest turn came after the response. */
  readonly isLater: boolean;
  /** The functions of the longest turn; '' below the limit. */
  readonly profile: string;
  /** The start of an error. */
  readonly text: string;
}
