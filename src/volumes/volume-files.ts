/** A file of a volume, as a node would write it. */
export interface VolumeFile {
  /** Relative to the volume, with slashes. */
  readonly path: string;
  /** Its permission bits. */
  readonly mode: number;
  readonly content: Buffer;
}

/** A volume at one moment. */
export interface RenderedVolume {
  /** In the order of their paths. */
  readonly files: readonly VolumeFile[];
  /** When a token in it is to be replaced, in milliseconds since the epoch; undefined where there is none. */
  readonly refreshAt: number | undefined;
}

/** Why a volume cannot be made: the pod would wait for it. */
export class VolumeProblem extends Error {}

/** Files by their paths: of two with the same, the later one counts. */
export class VolumeFiles {
  readonly #files = new Map<string, VolumeFile>();

  add(path: string, mode: number, content: Buffer | string): void {
    refuseWayOut(path);
    this.#files.set(path, { path, mode, content: Buffer.from(content) });
  }

  sorted(): VolumeFile[] {
    return [...this.#files.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
  }
}

/** What the server checks too: but a file outside the volume is not to be had by any mistake. */
function refuseWayOut(path: string): void {
  const steps = path.split('/');
  const isRelative = path !== '' && !path.startsWith('/') && !path.includes('\0');
  if (isRelative && !path.startsWith('..') && !steps.includes('..')) return;
  throw new VolumeProblem(`the path ${JSON.stringify(path)} is outside the volume`);
}
