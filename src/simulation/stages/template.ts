// Templates in the texts of stages: `{{now}}`, `{{nodeIP}}` and others.
import { isObject, type JsonObject, type JsonValue } from '../../codec/json/json-value.ts';

/** The values that a template may use. */
export const templateNames = ['now', 'nodeName', 'nodeIP', 'podIP', 'podName', 'podNamespace'] as const;
export type TemplateValues = Readonly<Record<(typeof templateNames)[number], string>>;

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g;

export const fillText = (text: string, values: TemplateValues) =>
  text.replace(placeholder, (_, name: keyof TemplateValues) => values[name]);

/** The value with all its strings filled in. Keys are not templates. */
export function fillTemplate(template: JsonValue, values: TemplateValues): JsonValue {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values));
  if (!isObject(template)) return template;
  const filled = Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)]);
  return Object.fromEntries(filled) as JsonObject;
}

/** The names in a template that have no value. */
export function unknownNames(template: JsonValue): string[] {
  const names = JSON.stringify(template).matchAll(placeholder);
  return Array.from(names, ([, name = '']) => name).filter((name) => !isTemplateName(name));
}

const isTemplateName = (name: string) => (templateNames as readonly string[]).includes(name);
