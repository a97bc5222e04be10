// YAML with colors for keys, strings and numbers.
import type { ComponentChildren } from 'preact';

/** A line of YAML: indentation and dashes, a key, and its value. */
const linePattern =
  /^(\s*(?:- )*)((?:"[^"]*"|'[^']*'|[^\s:"'#-][^:"'#]*|[^\s:"'#][^:"'#]*)(?=:(?:\s|$)))?(:)?(.*)$/;

export function YamlLine({ text }: { text: string }) {
  const match = linePattern.exec(text);
  if (!match) return <>{text}</>;
  const [, indentation = '', key, colon, rest = ''] = match;
  return (
    <>
      {indentation}
      {key !== undefined && <span class="yaml-key">{key}</span>}
      {colon}
      <ScalarText text={rest} />
    </>
  );
}

function ScalarText({ text }: { text: string }): ComponentChildren {
  const value = text.trim();
  if (value === '') return text;
  if (/^(-?[0-9.]+|true|false|null)$/.test(value)) return <span class="yaml-number">{text}</span>;
  return <span class="yaml-string">{text}</span>;
}

export function YamlText({ text, label }: { text: string; label: string }) {
  return (
    <pre class="yaml" tabIndex={0} role="region" aria-label={label}>
      {text.split('\n').map((line, index) => (
        <div key={index}>{line === '' ? ' ' : <YamlLine text={line} />}</div>
      ))}
    </pre>
  );
}
