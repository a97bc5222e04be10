// The fields of an object beside their documentation from OpenAPI.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Kind } from '../api/discovery.ts';
import type { ApiObject } from '../api/objects.ts';
import { readSchemas, type Schema, type SchemaSource } from '../api/openapi.ts';
import { messageOf, useApp } from '../state/app.ts';
import { Empty, Notice } from '../ui/elements.tsx';

export function ObjectFields({ object, kind }: { object: ApiObject; kind: Kind }) {
  const app = useApp();
  const source = useSignal<SchemaSource | undefined>(undefined);
  const problem = useSignal('');
  const showsUnset = useSignal(false);
  useEffect(() => {
    readSchemas(app.session, kind).then(
      (read) => {
        source.value = read;
      },
      (error: unknown) => {
        problem.value = messageOf(error);
      },
    );
  }, [app, kind]);
  if (problem.value) return <Notice tone="bad">{problem.value}</Notice>;
  if (!source.value) return <Empty title="Reading the schema…" />;
  const schema = source.value.find(kind);
  if (!schema) return <Empty title="The server publishes no schema of this kind" />;
  return (
    <div class="fields">
      <p class="muted">{schema.description}</p>
      <label class="check">
        <input
          type="checkbox"
          checked={showsUnset.value}
          onChange={({ currentTarget }) => {
            showsUnset.value = currentTarget.checked;
          }}
        />
        Show fields that are not set
      </label>
      <FieldList
        source={source.value}
        schema={schema}
        value={object}
        depth={0}
        showsUnset={showsUnset.value}
      />
    </div>
  );
}

interface FieldListProps {
  readonly source: SchemaSource;
  readonly schema: Schema;
  readonly value: unknown;
  readonly depth: number;
  readonly showsUnset: boolean;
}

/** Fields that every object has, or that other tabs show. */
const hiddenFields = new Set(['managedFields']);

function FieldList({ source, schema, value, depth, showsUnset }: FieldListProps) {
  const resolved = source.resolve(schema);
  const isObject = typeof value === 'object' && value !== null;
  if (Array.isArray(value)) {
    return (
      <ol class="field-list">
        {value.map((item, index) => (
          <Field
            key={index}
            source={source}
            name={`[${index}]`}
            schema={resolved.items ?? {}}
            value={item}
            depth={depth}
            showsUnset={showsUnset}
            isRequired={false}
          />
        ))}
      </ol>
    );
  }
  const members = (isObject ? value : {}) as Readonly<Record<string, unknown>>;
  const known = Object.keys(resolved.properties ?? {});
  const names = showsUnset ? [...new Set([...known, ...Object.keys(members)])] : Object.keys(members);
  const ofValues = typeof resolved.additionalProperties === 'object' ? resolved.additionalProperties : {};
  return (
    <ul class="field-list">
      {names
        .filter((name) => !hiddenFields.has(name))
        .map((name) => (
          <Field
            key={name}
            source={source}
            name={name}
            schema={resolved.properties?.[name] ?? ofValues}
            value={members[name]}
            depth={depth}
            showsUnset={showsUnset}
            isRequired={resolved.required?.includes(name) ?? false}
          />
        ))}
    </ul>
  );
}

function Field({
  name,
  isRequired,
  ...props
}: FieldListProps & { readonly name: string; readonly isRequired: boolean }) {
  const { source, schema, value, depth } = props;
  const resolved = source.resolve(schema);
  const isContainer = typeof value === 'object' && value !== null;
  const hasFields = isContainer || resolved.properties !== undefined;
  const isOpen = useSignal(depth === 0 && value !== undefined && name !== 'status');
  return (
    <li class={value === undefined ? 'unset' : ''}>
      <div class="field-head">
        {hasFields ? (
          <button
            type="button"
            class="quiet toggle"
            aria-expanded={isOpen.value}
            onClick={() => {
              isOpen.value = !isOpen.value;
            }}
          >
            <span aria-hidden="true">{isOpen.value ? '▾' : '▸'}</span> <strong>{name}</strong>
          </button>
        ) : (
          <strong class="leaf">{name}</strong>
        )}
        <span class="muted">
          {typeText(resolved)}
          {isRequired ? ', required' : ''}
        </span>
        {!isContainer && value !== undefined && <code class="field-value">{String(value)}</code>}
        {value === undefined && resolved.default !== undefined && (
          <span class="muted">default {JSON.stringify(resolved.default)}</span>
        )}
      </div>
      {resolved.description && <p class="field-about">{resolved.description}</p>}
      {resolved.enum && <p class="field-about">One of {resolved.enum.map(String).join(', ')}.</p>}
      {hasFields && isOpen.value && <FieldList {...props} depth={depth + 1} />}
    </li>
  );
}

function typeText({ type, format, items, additionalProperties }: Schema): string {
  if (type === 'array') return items?.type ? `list of ${items.type}` : 'list';
  if (type === 'object' && additionalProperties) return 'map';
  return format ? `${type} (${format})` : (type ?? '');
}
