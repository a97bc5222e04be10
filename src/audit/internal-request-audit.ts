// Audit: records writes of the server itself, made without an HTTP request, as the equivalent API requests.
import { randomUUID } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { ApiError } from '../errors/status.ts';
import { storedJsonInVersion } from '../kind/storage/codec.ts';
import { convertToVersion } from '../kind/storage/convert-stored.ts';
import type { AuditedWrite, AuditHook } from '../registry/audit-hook.ts';
import type { Target } from '../registry/target.ts';
import type { RequestInfo } from '../request/request-info.ts';
import { readRequestInfo } from '../request/request-info.ts';
import type { User } from '../request/user.ts';
import type { Auditor } from './auditor.ts';
import type { AuditedRequest } from './record.ts';

const methodByVerb = {
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  deletecollection: 'DELETE',
} as const;

/** Audits the writes of one component of the server, which have its user and user agent. */
export class InternalRequestAudit implements AuditHook {
  readonly #auditor: Auditor;
  readonly #clock: Clock;
  readonly #user: User;
  readonly #userAgent: string;

  constructor(auditor: Auditor, clock: Clock, user: User, userAgent: string) {
    this.#auditor = auditor;
    this.#clock = clock;
    this.#user = user;
    this.#userAgent = userAgent;
  }

  record: AuditHook['record'] = async (write, run, responseObject) => {
    const request = new InternalRequest(write, this.#user, this.#clock.now());
    const record = this.#auditor.recordInternal(request, this.#userAgent);
    // Level None: nothing is recorded.
    if (!record) return run(() => {});
    if (!record.requestReceived()) throw new Error('failed to store audit event');
    const { resource } = write.target;
    try {
      const result = await run((object) => {
        record.setRequestObject(object.metadata, () => resource.definition.schema.write(object));
      });
      const object = record.keepsResponseObject ? responseObject(result) : undefined;
      if (object)
        record.setResponseObject(storedJsonInVersion(resource, await convertToVersion(resource, object)));
      return result;
    } catch (error) {
      request.code = error instanceof ApiError ? error.code : 500;
      if (error instanceof ApiError) record.setResponseStatus(error.toStatus());
      throw error;
    } finally {
      record.responseStarted(request.code);
      record.responseComplete();
    }
  };
}

/** An internal write in the shape of an HTTP exchange. */
class InternalRequest implements AuditedRequest {
  readonly auditId = randomUUID();
  readonly impersonator = undefined;
  readonly user: User;
  readonly receivedAtMs: number;
  readonly request: { readonly url: string };
  readonly info: RequestInfo;
  readonly #startMs = performance.now();
  /** The status code that an HTTP response would have. */
  code: number;

  constructor({ verb, target }: AuditedWrite, user: User, receivedAtMs: number) {
    const url = pathOf(target);
    this.user = user;
    this.receivedAtMs = receivedAtMs;
    this.request = { url };
    this.info = readRequestInfo(methodByVerb[verb], url);
    this.code = verb === 'create' ? 201 : 200;
  }

  get response() {
    return { statusCode: this.code, headersSent: true };
  }

  get elapsedMs(): number {
    return performance.now() - this.#startMs;
  }
}

function pathOf({ resource, namespace, name, subresource }: Target): string {
  const { group, version, definition } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const namespacePath = namespace === '' ? '' : `/namespaces/${namespace}`;
  const segments = [name, subresource].filter((segment) => segment !== '').map((segment) => `/${segment}`);
  return `${root}${namespacePath}/${definition.plural}${segments.join('')}`;
}
