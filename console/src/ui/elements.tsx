// Small elements that every view uses.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

export function Notice({
  tone,
  children,
}: {
  tone: 'info' | 'good' | 'bad' | 'warn';
  children: ComponentChildren;
}) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  );
}

/** A modal dialog: the browser keeps the focus in it, and Escape closes it. */
export function Dialog(props: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  children: ComponentChildren;
}) {
  const element = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = element.current!;
    if (!dialog.open) dialog.showModal();
  }, []);
  return (
    <dialog
      class={props.wide ? 'wide' : ''}
      ref={element}
      aria-label={props.title}
      onClose={props.onClose}
      onCancel={props.onClose}
    >
      <header>
        <h2>{props.title}</h2>
        <button type="button" class="quiet" onClick={props.onClose} aria-label="Close">
          ✕
        </button>
      </header>
      {props.children}
    </dialog>
  );
}

interface Tab {
  readonly id: string;
  readonly label: string;
}

/** Links, so that a tab has a URL. */
export function Tabs(props: {
  label: string;
  tabs: readonly Tab[];
  current: string;
  href: (id: string) => string;
}) {
  return (
    <nav class="tabs" aria-label={props.label}>
      {props.tabs.map(({ id, label }) => (
        <a key={id} href={props.href(id)} aria-current={id === props.current ? 'page' : undefined}>
          {label}
        </a>
      ))}
    </nav>
  );
}

const goodWords =
  /^(running|ready|active|bound|available|complete|completed|succeeded|true|healthy|established|normal)$/i;
const badWords =
  /^(failed|error|crashloopbackoff|imagepullbackoff|errimagepull|notready|lost|evicted|oomkilled|unknown|warning|.*backoff)$/i;
const waitWords = /^(pending|terminating|containercreating|progressing|released|podinitializing|suspended)$/i;

/** The tone of a status word; undefined for other texts. */
function toneOf(text: string): 'good' | 'bad' | 'warn' | undefined {
  const [word = ''] = text.split(',');
  if (goodWords.test(word)) return text.includes('SchedulingDisabled') ? 'warn' : 'good';
  if (badWords.test(word)) return 'bad';
  return waitWords.test(word) ? 'warn' : undefined;
}

export function StatusText({ text }: { text: string }) {
  const tone = toneOf(text);
  return tone ? <span class={`status ${tone}`}>{text}</span> : <span>{text}</span>;
}
