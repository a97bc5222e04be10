// Audit: timestamps with microseconds (metav1.MicroTime).

/** Caches the text of the last second, `2026-11-15T14:31:32.`: most timestamps share it. */
export class MicroTimeFormatter {
  #second = -1;
  #secondText = '';

  /** `ms`: milliseconds since the epoch, with fractions. */
  format(ms: number): string {
    const second = Math.floor(ms / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#secondText = new Date(second * 1000).toISOString().slice(0, 20);
    }
    const micros = Math.floor((ms - second * 1000) * 1000);
    // Six digits, padded with zeros.
    return `${this.#secondText}${String(1_000_000 + micros).slice(1)}Z`;
  }
}
