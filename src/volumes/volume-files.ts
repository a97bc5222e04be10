// The rendered files of a volume: path, mode and content, as the kubelet writes them.
export interface VolumeFile {
  /** Relative to the volume, separated by slashes. */
  readonly path: string;
  readonly mode: number;
  readonly content: Buffer;
}

export interface RenderedVolume {
  /** Ordered by path. */
  readonly files: readonly VolumeFile[];
  /** When a token must be rotated, in milliseconds since the epoch. */
  readonly refreshAt: number | undefined;
}

/** The volume cannot be mounted; the pod would stay in ContainerCreating. */
export class VolumeProblem extends Error {}

/** Files by path; a later file replaces an earlier one with the same path. */
export class VolumeFiles {
  readonly #files = new Map<string, VolumeFile>();

  add(path: string, mode: number, content: Buffer | string): void {
    requirePathInVolume(path);
    this.#files.set(path, { path, mode, content: Buffer.from(content) });
  }

  sorted(): VolumeFile[] {
    return [...this.#files.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }
}

/** Pod validation rejects such paths already; this guards against path traversal on objects that bypassed it. */
function requirePathInVolume(path: string): void {
  // The kubelet's AtomicWriter reserves names that start with `..` (`..data`).
  const steps = path.split('/');
  const isRelative = path !== '' && !path.startsWith('/') && !path.includes('\0');
  if (isRelative && !path.startsWith('..') && !steps.includes('..')) return;
  throw new VolumeProblem(`the path ${JSON.stringify(path)} is outside the volume`);
}
