// A field for YAML: CodeMirror once it is loaded.
import { useEffect, useRef } from 'preact/hooks';
import type { CodeEditor } from './code-editor.ts';

interface YamlEditorProps {
  /** A new value replaces the text of the editor. */
  readonly value: string;
  readonly onChange: (text: string) => void;
}

export function YamlEditor({ value, onChange }: YamlEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<CodeEditor | undefined>(undefined);
  const change = useRef(onChange);
  change.current = onChange;
  useEffect(() => {
    let isClosed = false;
    void import('./code-editor.ts').then(({ openEditor }) => {
      if (isClosed || !host.current) return;
      editor.current = openEditor(host.current, value, (text) => change.current(text));
    });
    return () => {
      isClosed = true;
      editor.current?.destroy();
      editor.current = undefined;
    };
    // The editor keeps its text: later values are set below.
  }, []);
  useEffect(() => {
    if (editor.current && editor.current.text() !== value) editor.current.setText(value);
  }, [value]);
  return <div class="editor" ref={host} />;
}
