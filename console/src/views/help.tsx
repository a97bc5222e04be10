// The keys of the console.
import { useApp } from '../state/app.ts';
import { goToKeys } from '../state/keyboard.ts';
import { Dialog } from '../ui/elements.tsx';

const keys: readonly (readonly [string, string])[] = [
  ['/', 'filter the table, or search across kinds'],
  ['j  k', 'next and previous row'],
  ['Home  End', 'first and last row'],
  ['Enter', 'open the selected object'],
  ['e', 'edit the selected object'],
  ['g g', 'choose a kind by name'],
  ['n', 'choose a namespace'],
  ['Escape', 'back'],
  ['?', 'this help'],
];

export function Help() {
  const app = useApp();
  return (
    <Dialog
      title="Keys"
      onClose={() => {
        app.dialog.value = undefined;
      }}
    >
      <dl class="keys">
        {keys.map(([key, about]) => (
          <KeyRow key={key} keys={key} about={about} />
        ))}
        {Object.entries(goToKeys).map(([key, { label }]) => (
          <KeyRow key={key} keys={`g ${key}`} about={`go to ${label}`} />
        ))}
      </dl>
    </Dialog>
  );
}

function KeyRow({ keys: text, about }: { keys: string; about: string }) {
  return (
    <div>
      <dt>
        {text.split(/\s+/).map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dt>
      <dd>{about}</dd>
    </div>
  );
}
