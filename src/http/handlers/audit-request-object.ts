// Audit: records the request object, patch or DeleteOptions of a write in the audit event (level Request and above).
import { decodeCbor } from '../../codec/cbor/decode.ts';
import type { JsonValue } from '../../codec/json/json-value.ts';
import { parseCompactJson } from '../../codec/json/parse-compact.ts';
import { stringifyJson } from '../../codec/json/stringify.ts';
import { decodeYaml } from '../../codec/yaml/decode.ts';
import type { ApiObject } from '../../kind/api-object.ts';
import { DeleteOptions } from '../../kind/meta/delete-options.ts';
import type { ServedKind } from '../../kind/registry.ts';
import { applyCborType, applyYamlType } from '../../patch/decode-applied-configuration.ts';
import type { WriteObserver } from '../../registry/write/context.ts';
import type { AuditContext } from '../../request/audit.ts';
import type { RequestBody } from '../../serializers/request-body.ts';
import type { Exchange } from '../../transport/exchange.ts';
import { escapeHtml } from '../../transport/json-text.ts';

/** Records the decoded request object, before defaulting and admission. */
export function recordRequestObject(
  { audit }: Exchange,
  { definition }: ServedKind,
  object: ApiObject,
): void {
  audit?.setRequestObject(object.metadata, () => definition.schema.write(object));
}

/** Records the request object of a write whose body the pipeline decodes later. */
export function auditObserver(audit: AuditContext, { definition }: ServedKind): WriteObserver {
  return {
    onDecoded: (object) => audit.setRequestObject(object.metadata, () => definition.schema.write(object)),
    needsWholeObject: audit.keepsRequestObject,
  };
}

/** Records a patch as JSON, whatever its media type. An undecodable patch is rejected later and left out here. */
export function recordPatch({ audit }: Exchange, mediaType: string, body: Buffer): void {
  audit?.setRequestJson(() => toAuditJson(() => decodePatch(mediaType, body)));
}

function decodePatch(mediaType: string, body: Buffer): JsonValue {
  if (mediaType === applyCborType) return decodeCbor(body);
  if (mediaType !== applyYamlType) return parseCompactJson(body).value;
  // Most clients send an applied configuration as JSON, which is also YAML.
  try {
    return parseCompactJson(body).value;
  } catch {
    return decodeYaml(body).value;
  }
}

/** Upstream records DeleteOptions in its internal version, `<group>/__internal`. */
export function recordDeleteOptions({ audit }: Exchange, body: RequestBody, metaGroup: string): void {
  audit?.setRequestJson(() =>
    toAuditJson(() => {
      const { object } = DeleteOptions.decode(body.parse().value);
      const type = { kind: 'DeleteOptions', apiVersion: `${metaGroup}/__internal` };
      return JSON.parse(DeleteOptions.write({ ...object, ...type })) as JsonValue;
    }),
  );
}

/** '' if `decode` throws. */
function toAuditJson(decode: () => JsonValue): string {
  try {
    return escapeHtml(stringifyJson(decode()));
  } catch {
    return '';
  }
}
