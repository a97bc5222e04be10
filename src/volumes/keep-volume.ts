// Refreshes the files of a volume: after changes, periodically, and when a token must be rotated.
import type { Clock } from '../base/clock.ts';
import type { RenderedVolume, VolumeFile } from './volume-files.ts';

export interface KeptVolume {
  /** Renders the volume now, after a change of its sources. */
  refresh(): Promise<void>;
  close(): void;
}

const defaultPeriodMs = 60_000;

export interface KeepOptions {
  readonly clock: Clock;
  /** Milliseconds between refreshes. */
  readonly period?: number;
  render(): Promise<RenderedVolume>;
  /** Called with the first files and after every change of them. */
  onFiles(files: readonly VolumeFile[]): void | Promise<void>;
  /** The volume stays as it is until the next refresh. An error that this callback throws rejects `refresh`. */
  onProblem(problem: unknown): void;
}

/** Resolves after the first refresh. */
export async function keepVolume(options: KeepOptions): Promise<KeptVolume> {
  const { clock, period = defaultPeriodMs, render, onFiles, onProblem } = options;
  let currentFiles: readonly VolumeFile[] | undefined;
  let cancelTimer = () => {};
  let isClosed = false;
  let refreshing: Promise<void> | undefined;
  const renderOnce = async () => {
    let delayMs = period;
    try {
      const { files, refreshAt } = await render();
      if (refreshAt !== undefined) delayMs = Math.max(0, Math.min(delayMs, refreshAt - clock.now()));
      if (!isClosed && !(currentFiles && filesEqual(currentFiles, files))) {
        currentFiles = files;
        await onFiles(files);
      }
    } catch (problem) {
      onProblem(problem);
    } finally {
      cancelTimer();
      // A timer has no caller that could handle the error of `onProblem`.
      if (!isClosed) cancelTimer = clock.after(delayMs, () => void refresh().catch(() => {}));
    }
  };
  // Refreshes run one after the other.
  const refresh = (): Promise<void> => {
    refreshing = (refreshing ?? Promise.resolve()).catch(() => {}).then(renderOnce);
    return refreshing;
  };
  await refresh();
  return {
    refresh,
    close() {
      isClosed = true;
      cancelTimer();
    },
  };
}

function filesEqual(oldFiles: readonly VolumeFile[], newFiles: readonly VolumeFile[]): boolean {
  return (
    oldFiles.length === newFiles.length &&
    oldFiles.every(({ path, mode, content }, i) => {
      const newFile = newFiles[i]!;
      return path === newFile.path && mode === newFile.mode && content.equals(newFile.content);
    })
  );
}
