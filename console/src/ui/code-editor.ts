// CodeMirror for YAML, loaded when an editor opens.
//
// The editor is in a shadow root: there CodeMirror uses constructed style sheets, which the Content-Security-Policy of the page
// allows. In the document it would add a style element, which the policy refuses.
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

export interface CodeEditor {
  destroy(): void;
}

const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#7a3e9d, #d8a6f5)' },
  { tag: tags.comment, color: 'var(--muted)' },
]);

const theme = EditorView.theme({
  '&': { fontSize: '13px', height: '100%', color: 'var(--text)' },
  '&.cm-focused': { outline: '2px solid var(--accent)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', overflow: 'auto' },
  '.cm-gutters': { backgroundColor: 'var(--raised)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine': { backgroundColor: 'color-mix(in srgb, var(--accent-soft) 50%, transparent)' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-selectionBackground, &.cm-focused .cm-selectionBackground': {
    backgroundColor: 'light-dark(#b9e0dc, #1f5a54) !important',
  },
});

export function openEditor(host: HTMLElement, text: string, onChange: (text: string) => void): CodeEditor {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  const parent = document.createElement('div');
  parent.style.height = '100%';
  root.replaceChildren(parent);
  const view = new EditorView({
    root,
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        bracketMatching(),
        highlightActiveLine(),
        indentUnit.of('  '),
        yaml(),
        syntaxHighlighting(highlighting),
        theme,
        EditorView.contentAttributes.of({ 'aria-label': 'YAML of the object' }),
        keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return { destroy: () => view.destroy() };
}
