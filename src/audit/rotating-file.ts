import { closeSync, existsSync, fstatSync, mkdirSync, openSync, renameSync, write, writeSync } from 'node:fs';
import { dirname, parse } from 'node:path';
import { promisify } from 'node:util';
import type { Clock } from '../base/clock.ts';
import { type Keeping, tidyUp } from './old-files.ts';

const writeLater = promisify(write);

export interface RotationOptions extends Keeping {
  readonly path: string;
  /** Bytes from which on a new file is begun. */
  readonly maxSize: number;
  readonly clock: Clock;
  onFailure(error: unknown): void;
}

const newline = 0x0a;

/** A file that is only ever added to. Once it is full it is put aside under a name with the time, and a new one begins. */
export class RotatingFile {
  readonly #options: RotationOptions;
  #descriptor: number;
  #size: number;
  /** What was last written ended within a line: the disk was full. */
  #isTorn = false;
  #tidying = Promise.resolve();

  constructor(options: RotationOptions) {
    this.#options = options;
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
    this.#descriptor = open(options.path);
    this.#size = fstatSync(this.#descriptor).size;
    this.#tidy();
  }

  /** Throws when not all of it could be written. */
  append(lines: Buffer): void {
    const bytes = this.#prepare(lines);
    let done = 0;
    try {
      while (done < bytes.length) done += writeSync(this.#descriptor, bytes, done);
    } finally {
      this.#note(bytes, done);
    }
  }

  async appendLater(lines: Buffer): Promise<void> {
    const bytes = this.#prepare(lines);
    let done = 0;
    try {
      while (done < bytes.length) {
        done += (await writeLater(this.#descriptor, bytes, done, bytes.length - done, null)).bytesWritten;
      }
    } finally {
      this.#note(bytes, done);
    }
  }

  async close(): Promise<void> {
    closeSync(this.#descriptor);
    await this.#tidying;
  }

  #prepare(lines: Buffer): Buffer {
    if (this.#size > 0 && this.#size + lines.length > this.#options.maxSize) this.#rotate();
    return this.#isTorn ? Buffer.concat([Buffer.from('\n'), lines]) : lines;
  }

  #note(bytes: Buffer, done: number): void {
    this.#size += done;
    if (done > 0) this.#isTorn = bytes[done - 1] !== newline;
  }

  /** If that fails, the file grows beyond its size: better than to lose what comes. */
  #rotate(): void {
    const { path, clock, onFailure } = this.#options;
    try {
      // It may not be there: somebody took it away, or the new one could not be opened the last time.
      if (existsSync(path)) renameSync(path, freeName(path, clock.now()));
      const next = open(path);
      closeSync(this.#descriptor);
      this.#descriptor = next;
      this.#size = 0;
      this.#isTorn = false;
      this.#tidy();
    } catch (error) {
      onFailure(error);
    }
  }

  #tidy(): void {
    const { path, clock, onFailure } = this.#options;
    this.#tidying = this.#tidying.then(() => tidyUp(path, this.#options, clock.now())).catch(onFailure);
  }
}

function open(path: string): number {
  return openSync(path, 'a', 0o600);
}

/** `audit.log` becomes `audit-2026-11-15T14-31-32.064.log`. */
function freeName(path: string, now: number): string {
  const { dir, name, ext } = parse(path);
  for (let at = now; ; at++) {
    const time = new Date(at).toISOString().slice(0, -1).replaceAll(':', '-');
    const free = `${dir === '' ? '.' : dir}/${name}-${time}${ext}`;
    if (!existsSync(free) && !existsSync(`${free}.gz`)) return free;
  }
}
