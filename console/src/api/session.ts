// The session of a tab: the bearer token, the user to impersonate, and requests to the API with both.
//
// The token is in sessionStorage, which ends with the tab, and in no cookie: a page of another site can neither read nor send it.

/** What the server tells before the user has signed in. */
export interface ServerInfo {
  readonly version: string;
  readonly dialect: 'orch' | 'kubernetes';
  readonly isSecure: boolean;
  readonly names: {
    readonly bearerProtocolPrefix: string;
    readonly authenticationGroup: string;
    readonly authorizationGroup: string;
    readonly rbacGroup: string;
    readonly discoveryGroup: string;
    readonly metaGroup: string;
    readonly simulatedNodeLabel: string;
    readonly failedNodeAnnotation: string;
  };
}

const tokenKey = 'orch.token';

/** A rejected request: the Status of the server. */
export class RequestError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly StatusCause[];

  constructor(code: number, status: Partial<Status>) {
    super(status.message || `the server answered ${code}`);
    this.code = code;
    this.reason = status.reason ?? '';
    this.causes = status.details?.causes ?? [];
  }
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

interface Status {
  readonly message: string;
  readonly reason: string;
  readonly details: { readonly causes?: readonly StatusCause[] };
}

export interface RequestOptions {
  readonly method?: string;
  readonly body?: string;
  readonly accept?: string;
  readonly contentType?: string;
  readonly signal?: AbortSignal;
}

/** A user that requests run as. */
export interface ImpersonatedUser {
  readonly user: string;
  readonly groups: readonly string[];
}

export class Session {
  readonly info: ServerInfo;
  #token: string | undefined;
  impersonated: ImpersonatedUser | undefined;

  constructor(info: ServerInfo) {
    this.info = info;
    this.#token = sessionStorage.getItem(tokenKey) ?? undefined;
  }

  get token(): string | undefined {
    return this.#token;
  }

  signIn(token: string): void {
    this.#token = token;
    sessionStorage.setItem(tokenKey, token);
  }

  signOut(): void {
    this.#token = undefined;
    sessionStorage.removeItem(tokenKey);
  }

  /** Sends a request and returns its response. Throws RequestError if the server rejects it. */
  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    const {
      method = 'GET',
      body,
      accept = 'application/json',
      contentType = 'application/json',
      signal,
    } = options;
    const headers: Record<string, string> = { accept };
    if (this.#token !== undefined) headers.authorization = `Bearer ${this.#token}`;
    if (body !== undefined) headers['content-type'] = contentType;
    const allHeaders = new Headers(headers);
    if (this.impersonated) {
      allHeaders.set('impersonate-user', this.impersonated.user);
      for (const group of this.impersonated.groups) allHeaders.append('impersonate-group', group);
    }
    const response = await fetch(path, {
      method,
      headers: allHeaders,
      cache: 'no-store',
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
    });
    if (!response.ok) throw await rejection(response);
    return response;
  }

  async json<T>(path: string, options: RequestOptions = {}): Promise<T> {
    return (await this.send(path, options)).json() as Promise<T>;
  }

  async text(path: string, options: RequestOptions = {}): Promise<string> {
    return (await this.send(path, options)).text();
  }
}

async function rejection(response: Response): Promise<RequestError> {
  const text = await response.text();
  try {
    return new RequestError(response.status, JSON.parse(text) as Partial<Status>);
  } catch {
    return new RequestError(response.status, { message: text.trim() });
  }
}

export async function fetchServerInfo(): Promise<ServerInfo> {
  return (await fetch('/console/api/info', { cache: 'no-store' })).json() as Promise<ServerInfo>;
}
