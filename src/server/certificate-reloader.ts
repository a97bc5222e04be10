// Reloads certificates while the server runs: files that were replaced, and own certificates that are due for renewal.
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../telemetry/log.ts';
import type { ServerCertificates } from './certificates.ts';
import type { Component } from './component.ts';

/** As in kube-apiserver, a replaced file is in use after a minute at most. */
const intervalMs = 60_000;

/** The certificates of the server, and the CA bundle of authenticating proxies (PEM). */
export interface LoadedCertificates {
  readonly certificates: ServerCertificates;
  readonly proxyCa: string | undefined;
}

export interface CertificateReloaderParts {
  readonly clock: Clock;
  readonly logger: Logger;
  load(current: LoadedCertificates): Promise<LoadedCertificates>;
  /** Makes the server use them. */
  apply(loaded: LoadedCertificates): Promise<void>;
}

export class CertificateReloader implements Component {
  readonly #parts: CertificateReloaderParts;
  #current: LoadedCertificates;
  #cancelTimer: () => void = () => {};
  #reloading: Promise<void> | undefined;
  #isClosed = false;
  /** The last failure, which is logged once. */
  #problem: string | undefined;

  constructor(current: LoadedCertificates, parts: CertificateReloaderParts) {
    this.#current = current;
    this.#parts = parts;
  }

  start(): void {
    this.#cancelTimer = this.#parts.clock.after(intervalMs, () => {
      this.#reloading = this.#reload().then(() => {
        if (!this.#isClosed) this.start();
      });
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#cancelTimer();
    await this.#reloading;
  }

  async #reload(): Promise<void> {
    const { logger, load, apply } = this.#parts;
    try {
      const loaded = await load(this.#current);
      this.#problem = undefined;
      if (this.#isClosed || isDeepStrictEqual(loaded, this.#current)) return;
      await apply(loaded);
      this.#current = loaded;
      logger.info({}, 'certificates were reloaded');
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      // Also while the two files of a pair are being replaced: then the next attempt succeeds.
      if (problem !== this.#problem) logger.warn({ problem }, 'certificates were not reloaded');
      this.#problem = problem;
    }
  }
}
