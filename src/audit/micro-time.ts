// Audit: timestamps with microseconds (metav1.MicroTime).

/** Caches the text of the current second. */
export class MicroTimeFormatter {
  #second = -1;
  #text = '';

  /** `ms`: milliseconds since the epoch, with fractions. */
  format(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#text = new Date(second * 1000).toISOString().slice(0, 20);
    }
    const micros = Math.floor((ms - second * 1000) * 1000);
    return `${this.#text}${String(1_000_000 + micros).slice(1)}Z`;
  }
}
