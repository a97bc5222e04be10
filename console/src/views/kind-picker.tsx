// Chooses a kind by typing part of its name.
import { useSignal } from '@preact/signals';
import { kindKey, rankKinds } from '../api/discovery.ts';
import { useApp } from '../state/app.ts';
import { kindRoute } from '../state/router.ts';
import { Dialog } from '../ui/elements.tsx';

const maxShown = 12;

export function KindPicker() {
  const app = useApp();
  const text = useSignal('');
  const selected = useSignal(0);
  const kinds = rankKinds(app.kinds.value, text.value).slice(0, maxShown);
  const close = () => {
    app.dialog.value = undefined;
  };
  const choose = (index: number) => {
    const kind = kinds[index];
    if (!kind) return;
    close();
    app.router.go(kindRoute(kindKey(kind)));
  };
  return (
    <Dialog title="Go to a kind" onClose={close}>
      <input
        role="combobox"
        list={undefined}
        aria-label="Kind"
        aria-expanded="true"
        aria-controls="kind-options"
        aria-activedescendant={kinds.length > 0 ? `kind-option-${selected.value}` : undefined}
        placeholder="pods, deploy, crd…"
        value={text.value}
        autoFocus
        onInput={({ currentTarget }) => {
          text.value = currentTarget.value;
          selected.value = 0;
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') selected.value = Math.min(kinds.length - 1, selected.value + 1);
          else if (event.key === 'ArrowUp') selected.value = Math.max(0, selected.value - 1);
          else if (event.key === 'Enter') choose(selected.value);
          else return;
          event.preventDefault();
        }}
      />
      <ul class="options" id="kind-options" role="listbox" aria-label="Kinds">
        {kinds.map((kind, index) => (
          <li
            key={kindKey(kind)}
            id={`kind-option-${index}`}
            role="option"
            aria-selected={index === selected.value}
            onClick={() => choose(index)}
          >
            <span>{kind.kind}</span>
            <span class="muted">
              {kindKey(kind)}
              {kind.shortNames.length > 0 ? ` · ${kind.shortNames.join(', ')}` : ''}
            </span>
          </li>
        ))}
      </ul>
      {kinds.length === 0 && <p class="muted">No kind has this name.</p>}
    </Dialog>
  );
}
