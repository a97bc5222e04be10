// node-lifecycle-controller: the nodes of a zone that wait for their NoExecute taint, which evicts their pods. A token bucket with one
// token limits the rate.

export class ZoneTainter {
  readonly #waiting = new Set<string>();
  /** Nodes per second; 0 stops tainting. */
  #rate: number;
  /** The monotonic time from which on a node may be tainted. */
  #availableAtMs: number;

  constructor(rate: number, nowMs: number) {
    this.#rate = rate;
    this.#availableAtMs = nowMs;
  }

  add(node: string): void {
    this.#waiting.add(node);
  }

  delete(node: string): void {
    this.#waiting.delete(node);
  }

  /** A rate limit that was exhausted stays so until a token of the new rate is due. */
  setRate(rate: number, nowMs: number): void {
    const isExhausted = this.#rate === 0 || this.#availableAtMs > nowMs;
    this.#rate = rate;
    this.#availableAtMs = isExhausted ? nowMs + this.#intervalMs : nowMs;
  }

  /** The next node to taint now. */
  take(nowMs: number): string | undefined {
    const [node] = this.#waiting;
    if (node === undefined || this.#rate === 0 || this.#availableAtMs > nowMs) return undefined;
    this.#waiting.delete(node);
    this.#availableAtMs = nowMs + this.#intervalMs;
    return node;
  }

  /** How long the next node waits; undefined if there is none, or tainting is stopped. */
  delayMs(nowMs: number): number | undefined {
    if (this.#waiting.size === 0 || this.#rate === 0) return undefined;
    return Math.max(0, this.#availableAtMs - nowMs);
  }

  get #intervalMs(): number {
    return this.#rate === 0 ? 0 : 1000 / this.#rate;
  }
}
