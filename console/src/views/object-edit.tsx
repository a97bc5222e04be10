// The editor of an object that exists.
import { useEffect, useMemo } from 'preact/hooks';
import { useApp } from '../state/app.ts';
import { Editing } from '../state/editing.ts';
import type { LiveObject } from '../state/live-object.ts';
import { EditPanel } from './edit-panel.tsx';

export function ObjectEdit({ live }: { live: LiveObject }) {
  const app = useApp();
  const editing = useMemo(() => new Editing(app.session, live.path), [app, live.path]);
  useEffect(() => void editing.load(), [editing]);
  return <EditPanel editing={editing} onSaved={() => void editing.load()} />;
}
