// The history of an object: a slider over its revisions, what each one changed, and a way back.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Revision, readHistory, restore } from '../api/history.ts';
import { messageOf, useApp } from '../state/app.ts';
import type { LiveObject } from '../state/live-object.ts';
import { DiffView } from '../ui/diff-view.tsx';
import { Empty, Notice } from '../ui/elements.tsx';
import { YamlText } from '../ui/yaml-text.tsx';

const verbs = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted' } as const;

export function ObjectHistory({ live }: { live: LiveObject }) {
  const app = useApp();
  const revisions = useSignal<readonly Revision[] | undefined>(undefined);
  const position = useSignal(0);
  const problem = useSignal('');
  const current = live.object.value?.metadata.resourceVersion;
  const isDeleted = live.isDeleted.value || live.object.value === undefined;
  useEffect(() => {
    readHistory(app.session, live.kind, live.namespace, live.name).then(
      (read) => {
        revisions.value = read;
        position.value = read.length - 1;
      },
      (error: unknown) => {
        problem.value = messageOf(error);
      },
    );
    // Another revision of the object is another history.
  }, [app, live, current, isDeleted]);
  if (problem.value) return <Notice tone="bad">{problem.value}</Notice>;
  if (!revisions.value) return <Empty title="Reading the history…" />;
  const shown = revisions.value[position.value];
  if (!shown) {
    return (
      <Empty title="No history">
        The server keeps the history of the last minutes; this object has not changed since.
      </Empty>
    );
  }
  const before = revisions.value[position.value - 1];
  const bringBack = async () => {
    try {
      await restore(app.session, live.kind, shown, isDeleted);
      app.notify('good', `${live.name} is as it was at revision ${shown.revision}`);
    } catch (error) {
      app.notify('bad', messageOf(error));
    }
  };
  return (
    <div class="edit">
      <div class="edit-actions">
        <label for="revision">Revision</label>
        <input
          id="revision"
          type="range"
          min={0}
          max={revisions.value.length - 1}
          value={position.value}
          onInput={({ currentTarget }) => {
            position.value = Number(currentTarget.value);
          }}
        />
        <output>
          {shown.revision}: {verbs[shown.type]} ({position.value + 1} of {revisions.value.length})
        </output>
        <div class="spacer" />
        <button
          type="button"
          disabled={shown.revision === current && !isDeleted}
          onClick={() => void bringBack()}
        >
          {isDeleted ? 'Create again' : 'Restore this state'}
        </button>
      </div>
      {before && shown.type === 'MODIFIED' ? (
        <DiffView before={before.yaml} after={shown.yaml} label="What this revision changed" />
      ) : (
        <YamlText text={shown.yaml} label="The object at this revision" />
      )}
    </div>
  );
}
