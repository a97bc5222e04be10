// `orch volume`: prints the files of a volume with path, mode and content.
import type { JsonValue } from '../../codec/json/json-value.ts';
import type { VolumeFile } from '../../volumes/volume-files.ts';
import type { Terminal } from '../command.ts';

export function printFiles(files: readonly VolumeFile[], terminal: Terminal): void {
  if (files.length === 0) terminal.err('The volume is empty.');
  files.forEach(({ path, mode, content }, i) => {
    if (i > 0) terminal.out('');
    const size = content.length === 1 ? '1 byte' : `${content.length} bytes`;
    terminal.out(`# ${printablePath(path)}  0${mode.toString(8)}  ${size}`);
    for (const line of linesOf(content)) terminal.out(line);
  });
}

/** The content is a text if it is UTF-8, else base64. */
export const filesDocument = (files: readonly VolumeFile[]): JsonValue =>
  files.map(({ path, mode, content }) => ({
    path,
    mode: `0${mode.toString(8)}`,
    size: content.length,
    ...(isUtf8(content) ? { content: content.toString() } : { contentBase64: content.toString('base64') }),
  }));

const isUtf8 = (content: Buffer) => Buffer.from(content.toString()).equals(content);

function linesOf(content: Buffer): string[] {
  if (content.length === 0) return [];
  const text = content.toString();
  // Binary content and terminal escape sequences are not printed.
  if (!isUtf8(content) || controlCharacters.test(text)) return ['(binary content, not shown)'];
  return text.replace(/\n$/, '').split('\n');
}

/** Except tab and line feed. */
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

const printablePath = (path: string) => (controlCharacters.test(path) ? JSON.stringify(path) : path);
