// Audit: append-only log file with rotation by size.
import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, write, writeSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { promisify } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { type BackupRetention, pruneBackups } from './backups.ts';

const writeAsync = promisify(write);

export interface RotationOptions extends BackupRetention {
  readonly path: string;
  /** Bytes at which the file is rotated. */
  readonly maxBytes: number;
  readonly clock: Clock;
  onFailure(error: unknown): void;
}

const newline = 0x0a;

/** When the file is full, it is renamed to a name with the current time, and a new file is opened. */
export class RotatingFile {
  readonly #options: RotationOptions;
  #descriptor: number;
  #size: number;
  /** The last write ended within a line, because the disk was full. */
  #isTorn = false;
  /** Settles after the last pruning: prunings run one after another. */
  #pruning = Promise.resolve();

  constructor(options: RotationOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    this.#descriptor = open(options.path);
    this.#size = fstatSync(this.#descriptor).size;
    this.#prune();
  }

  /** Throws if not everything was written. */
  append(lines: Buffer): void {
    const bytes = this.#prepare(lines);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#descriptor, bytes, written);
    } finally {
      this.#recordWritten(bytes, written);
    }
  }

  async appendAsync(lines: Buffer): Promise<void> {
    const bytes = this.#prepare(lines);
    let written = 0;
    try {
      while (written < bytes.length) {
        written += (await writeAsync(this.#descriptor, bytes, written, bytes.length - written, null))
          .bytesWritten;
      }
    } finally {
      this.#recordWritten(bytes, written);
    }
  }

  async close(): Promise<void> {
    closeSync(this.#descriptor);
    await this.#pruning;
  }

  /** Rotates the file if the lines do not fit. Ends a torn line first, so that the next event starts on its own line. */
  #prepare(lines: Buffer): Buffer {
    if (this.#size > 0 && this.#size + lines.length > this.#options.maxBytes) this.#rotate();
    return this.#isTorn ? Buffer.concat([Buffer.from('\n'), lines]) : lines;
  }

  #recordWritten(bytes: Buffer, written: number): void {
    this.#size += written;
    if (written > 0) this.#isTorn = bytes[written - 1] !== newline;
  }

  /** On failure the file grows beyond its size rather than losing events. */
  #rotate(): void {
    const { path, clock, onFailure } = this.#options;
    try {
      // The file may be missing: deleted by an administrator, or the last rotation failed to open it.
      if (existsSync(path)) renameSync(path, unusedBackupPath(path, clock.now()));
      const next = open(path);
      closeSync(this.#descriptor);
      this.#descriptor = next;
      this.#size = 0;
      this.#isTorn = false;
      this.#prune();
    } catch (error) {
      onFailure(error);
    }
  }

  #prune(): void {
    const { path, clock, onFailure } = this.#options;
    this.#pruning = this.#pruning.then(() => pruneBackups(path, this.#options, clock.now())).catch(onFailure);
  }
}

function open(path: string): number {
  return openSync(path, 'a', 0o600);
}

/**
 * The path of a rotated file: `audit.log` becomes `audit-2026-11-15T14-31-32.064.log`. If that file exists, tries the
 * next millisecond.
 */
function unusedBackupPath(path: string, nowMs: number): string {
  const { dir, name, ext } = parse(path);
  for (let timeMs = nowMs; ; timeMs++) {
    const time = new Date(timeMs).toISOString().slice(0, -1).replaceAll(':', '-');
    const candidate = `${dir === '' ? '.' : dir}/${name}-${time}${ext}`;
    if (!existsSync(candidate) && !existsSync(`${candidate}.gz`)) return candidate;
  }
}
