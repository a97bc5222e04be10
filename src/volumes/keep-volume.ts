// Keeps the files of a volume up to date.
import type { Clock } from '../base/clock.ts';
import type { RenderedVolume, VolumeFile } from './volume-files.ts';

export interface KeptVolume {
  /** Renders again now, after a change. */
  refresh(): Promise<void>;
  close(): void;
}

/** Interval of refreshes. */
const usualPeriod = 60_000;

export interface KeepOptions {
  readonly clock: Clock;
  readonly period?: number;
  render(): Promise<RenderedVolume>;
  /** Called with the first state and after every change. */
  onFiles(files: readonly VolumeFile[]): void | Promise<void>;
  /** The volume stays as it is until the next refresh. An error that this callback throws rejects `refresh`. */
  onProblem(problem: unknown): void;
}

/** Refreshes periodically, and when a token must be refreshed. */
export async function keepVolume(options: KeepOptions): Promise<KeptVolume> {
  const { clock, period = usualPeriod, render, onFiles, onProblem } = options;
  let shown: readonly VolumeFile[] | undefined;
  let callOff = () => {};
  let isClosed = false;
  let looking: Promise<void> | undefined;
  const look = async () => {
    let wait = period;
    try {
      const { files, refreshAt } = await render();
      if (refreshAt !== undefined) wait = Math.max(0, Math.min(wait, refreshAt - clock.now()));
      if (!isClosed && !(shown && isSameFiles(shown, files))) {
        shown = files;
        await onFiles(files);
      }
    } catch (problem) {
      onProblem(problem);
    } finally {
      callOff();
      // A timer has no caller that could handle the error of `onProblem`.
      if (!isClosed) callOff = clock.after(wait, () => void refresh().catch(() => {}));
    }
  };
  const refresh = (): Promise<void> => {
    looking = (looking ?? Promise.resolve()).catch(() => {}).then(look);
    return looking;
  };
  await refresh();
  return {
    refresh,
    close() {
      isClosed = true;
      callOff();
    },
  };
}

function isSameFiles(some: readonly VolumeFile[], others: readonly VolumeFile[]): boolean {
  return (
    some.length === others.length &&
    some.every(({ path, mode, content }, i) => {
      const other = others[i]!;
      return path === other.path && mode === other.mode && content.equals(other.content);
    })
  );
}
