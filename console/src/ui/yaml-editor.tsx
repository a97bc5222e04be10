// A field for YAML: CodeMirror once it is loaded.
import { useEffect, useRef } from 'preact/hooks';
import type { CodeEditor } from './code-editor.ts';

interface YamlEditorProps {
  /** The text at the start. The editor keeps its own from then on: a new text needs a new editor, by its key. */
  readonly initialText: string;
  readonly onChange: (text: string) => void;
}

export function YamlEditor({ initialText, onChange }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    let isClosed = false;
    void import('./code-editor.ts').then(({ openEditor }) => {
      if (isClosed || !host.current) return;
      editor.current = openEditor(host.current, initialText, (text) => change.current(text));
    });
    return () => {
      isClosed = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
  }, []);
  return <div class="editor" ref={host} />;
}
