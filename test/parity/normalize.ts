import type { Json, JsonObject } from './case.ts';
import type { Answer } from './client.ts';
import type { Replay } from './replay.ts';
import { isObject, Symbols } from './symbols.ts';

/** Headers that depend on the transport or the time. */
const ignoredHeaders = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'sec-websocket-accept',
  'transfer-encoding',
]);

/** Headers whose presence is compared, but not their values. */
const opaqueHeaders = new Set(['audit-id', 'etag', 'expires', 'last-modified']);

/** Converts the responses of one server to lines that must equal the other server's. */
export function normalize(replay: Replay): string[][] {
  const documents = replay.answers.map((answer, index) => parse(answer, replay.steps[index]?.pick));
  const symbols = new Symbols(replay, documents);
  return replay.answers.map((answer, index) => {
    const rewrite = (value: Json) => symbols.rewrite(value, index + 1);
    const rewriteText = (text: string) => symbols.rewriteText(text, index + 1);
    return [
      `HTTP ${answer.status}`,
      ...headerLines(answer, rewriteText),
      ...bodyLines(answer, documents[index] ?? [], rewrite),
    ];
  });
}

/** The JSON documents of a response: one, or one for each event of a watch; none if it is not JSON. */
function parse(answer: Answer, pick?: (body: JsonObject) => Json): Json[] {
  const texts = answer.stream ? answer.stream.events : [answer.body];
  try {
    const documents = texts.map((text) => JSON.parse(exactNumbers(text)) as Json);
    return pick ? documents.map((document) => (isObject(document) ? pick(document) : document)) : documents;
  } catch {
    return [];
  }
}

/** Numbers beyond a double are compared digit by digit. */
function exactNumbers(json: string): string {
  return json.replaceAll(/(?<=[:[,]\s*)-?\d{16,}(?=\s*[,}\]])/g, '"$&"');
}

function headerLines(answer: Answer, rewriteText: (text: string) => string): string[] {
  return answer.headers
    .filter(([name]) => !ignoredHeaders.has(name))
    .map(([name, value]) => `${name}: ${opaqueHeaders.has(name) ? '<any>' : rewriteText(value)}`)
    .sort();
}

function bodyLines(answer: Answer, documents: Json[], rewrite: (value: Json) => Json): string[] {
  const lines = documents.flatMap((document) => JSON.stringify(rewrite(document), null, 2).split('\n'));
  if (answer.stream)
    return [...lines, answer.stream.ended ? '(the server ended the stream)' : '(still open)'];
  if (documents.length > 0) return [`layout: ${layout(answer.body)}`, ...lines];
  if (answer.body === '') return [];
  const text = String(rewrite(answer.body)).split('\n');
  return isYaml(answer) ? yamlLines(text) : text;
}

function layout(json: string): string {
  const spacing = json.includes('\n  ') ? 'indented' : 'compact';
  return json.endsWith('\n') ? `${spacing}, newline at the end` : spacing;
}

function isYaml({ headers }: Answer): boolean {
  return headers.some(([name, value]) => name === 'content-type' && value.includes('yaml'));
}

/** YAML is compared as text, except for the fields that are replaced in JSON too. */
function yamlLines(lines: string[]): string[] {
  return lines.map((line) =>
    line.replace(/^(\s*resourceVersion: )"\d+"$/, '$1<rv>').replace(/^(\s*serverAddress: ).*/, '$1<address>'),
  );
}
