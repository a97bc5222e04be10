// Edit without fear: YAML, the server's dry run as a diff, the fields of other managers, apply, force, undo.

import { useApp } from '../state/app.ts';
import type { Editing } from '../state/editing.ts';
import { DiffView } from '../ui/diff-view.tsx';
import { Empty, Notice } from '../ui/elements.tsx';
import { YamlEditor } from '../ui/yaml-editor.tsx';

interface EditPanelProps {
  readonly editing: Editing;
  readonly onSaved: () => void;
}

export function EditPanel({ editing, onSaved }: EditPanelProps) {
  const app = useApp();
  const { mode, text, dryRun, conflicts, problem, isBusy, isLoaded, undoable, generation } = editing;
  if (!isLoaded.value) {
    return problem.value ? <Notice tone="bad">{problem.value}</Notice> : <Empty title="Loading…" />;
  }
  const save = async (force = false) => {
    if (!(await editing.save(force))) return;
    app.notify('good', mode.value === 'create' ? 'Created' : 'Saved');
    onSaved();
  };
  const undo = async () => {
    if (!(await editing.undo())) return;
    app.notify('good', 'Undone');
    onSaved();
  };
  return (
    <div class="edit">
      <div class="edit-actions">
        {mode.value !== 'create' && (
          <label>
            Write as{' '}
            <select
              value={mode.value}
              onChange={({ currentTarget }) => void editing.load(currentTarget.value as 'apply' | 'replace')}
            >
              <option value="apply">server-side apply</option>
              <option value="replace">replacement (PUT)</option>
            </select>
          </label>
        )}
        <button type="button" disabled={isBusy.value} onClick={() => void editing.preview()}>
          Dry run
        </button>
        <button type="button" class="primary" disabled={isBusy.value} onClick={() => void save()}>
          {mode.value === 'create' ? 'Create' : mode.value === 'apply' ? 'Apply' : 'Replace'}
        </button>
        {mode.value !== 'create' && (
          <>
            <button type="button" disabled={isBusy.value} onClick={() => void editing.load()}>
              Reload
            </button>
            <button
              type="button"
              disabled={isBusy.value || undoable.value.length === 0}
              onClick={() => void undo()}
            >
              Undo{undoable.value.length > 0 ? ` (${undoable.value.length})` : ''}
            </button>
          </>
        )}
      </div>
      {mode.value === 'apply' && (
        <p class="hint">
          Apply owns every field of this text as <code class="inline">orch-console</code>. Remove the lines
          that you do not mean to own; their values stay.
        </p>
      )}
      <YamlEditor
        key={generation.value}
        initialText={text.peek()}
        onChange={(next) => {
          text.value = next;
        }}
      />
      {problem.value && <Notice tone="bad">{problem.value}</Notice>}
      {conflicts.value.length > 0 && (
        <Notice tone="warn">
          <strong>Other managers own these fields:</strong>
          <ul class="conflicts">
            {conflicts.value.map(({ field, message }) => (
              <li key={`${field} ${message}`}>
                <code>{field}</code> {message}
              </li>
            ))}
          </ul>
          <p>Remove the fields from your text, or take them: then the other managers no longer own them.</p>
          <div class="edit-actions">
            <button type="button" onClick={() => void editing.preview(true)}>
              Dry run with force
            </button>
            <button type="button" class="danger" onClick={() => void save(true)}>
              Take the fields (force)
            </button>
          </div>
        </Notice>
      )}
      {dryRun.value && (
        <>
          <h2>What the server would store</h2>
          <DiffView {...dryRun.value} label="Difference of the dry run" />
        </>
      )}
    </div>
  );
}
