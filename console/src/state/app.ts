// The state of the console: session, stream of watches, kinds, route, and who the user is.
import { computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { apiVersionOf, discoverKinds, type Kind, kindKey } from '../api/discovery.ts';
import { RequestError, type Session } from '../api/session.ts';
import { WatchStream } from '../api/watch-stream.ts';
import type { KeyCommand } from './keyboard.ts';
import { Router } from './router.ts';

export interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
}

export type Theme = 'system' | 'light' | 'dark';

export interface Message {
  readonly id: number;
  readonly tone: 'good' | 'bad';
  readonly text: string;
}

const anonymousUser = 'system:anonymous';
const messageMs = 6_000;

export class App {
  readonly session: Session;
  readonly stream: WatchStream;
  readonly router = new Router();
  /** Undefined while nobody is signed in. */
  readonly user = signal<UserInfo | undefined>(undefined);
  readonly problem = signal<string | undefined>(undefined);
  readonly kinds = signal<readonly Kind[]>([]);
  readonly namespaces = signal<readonly string[]>([]);
  readonly messages = signal<readonly Message[]>([]);
  readonly dialog = signal<'help' | 'kinds' | 'sign-in' | undefined>(undefined);
  readonly theme = signal<Theme>((localStorage.getItem('orch.theme') as Theme | null) ?? 'system');
  /** Changes when watches have to start again as another user. */
  readonly identity = signal(0);
  /** Time for ages, once a second. */
  readonly now = signal(Date.now());
  /** The view that handles keys. */
  onCommand: ((command: KeyCommand) => boolean) | undefined;
  readonly kindsByKey = computed(() => new Map(this.kinds.value.map((kind) => [kindKey(kind), kind])));
  #lastMessage = 0;

  constructor(session: Session) {
    this.session = session;
    this.stream = new WatchStream(session);
    setInterval(() => {
      if (!document.hidden) this.now.value = Date.now();
    }, 1_000);
  }

  /** Reads who the user is and which kinds there are. An anonymous user has to sign in. */
  async start(): Promise<void> {
    try {
      const { authenticationGroup } = this.session.info.names;
      const review = await this.session.json<{ status: { userInfo: UserInfo } }>(
        `/apis/${authenticationGroup}/v1/selfsubjectreviews`,
        {
          method: 'POST',
          body: JSON.stringify({ apiVersion: `${authenticationGroup}/v1`, kind: 'SelfSubjectReview' }),
        },
      );
      const { username, groups = [] } = review.status.userInfo;
      if (username === anonymousUser && !this.session.impersonated) return this.#askToSignIn(undefined);
      this.kinds.value = await discoverKinds(this.session);
      this.user.value = { username, groups };
      this.problem.value = undefined;
      void this.#readNamespaces();
    } catch (error) {
      this.#askToSignIn(error);
    }
  }

  async signIn(token: string): Promise<void> {
    this.session.signIn(token);
    await this.#restart();
  }

  async signOut(): Promise<void> {
    this.session.signOut();
    this.user.value = undefined;
    await this.#restart();
  }

  async impersonate(user: string, groups: readonly string[]): Promise<void> {
    this.session.impersonated = user === '' ? undefined : { user, groups };
    await this.#restart();
  }

  /** Reads the kinds again, such as after a CustomResourceDefinition was created. */
  async refreshKinds(): Promise<void> {
    this.kinds.value = await discoverKinds(this.session);
  }

  setTheme(theme: Theme): void {
    this.theme.value = theme;
    localStorage.setItem('orch.theme', theme);
    applyTheme(theme);
  }

  notify(tone: Message['tone'], text: string): void {
    const id = ++this.#lastMessage;
    this.messages.value = [...this.messages.value.slice(-3), { id, tone, text }];
    setTimeout(() => this.dismiss(id), messageMs);
  }

  dismiss(id: number): void {
    this.messages.value = this.messages.value.filter((message) => message.id !== id);
  }

  /** The kind of an owner reference or event; undefined if it is not served. */
  kindOf(apiVersion: string, kindName: string): Kind | undefined {
    const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
    return (
      this.kinds.value.find((kind) => apiVersionOf(kind) === apiVersion && kind.kind === kindName) ??
      this.kinds.value.find((kind) => kind.group === group && kind.kind === kindName)
    );
  }

  async #restart(): Promise<void> {
    this.stream.reset();
    await this.start();
    this.identity.value++;
  }

  #askToSignIn(error: unknown): void {
    this.user.value = undefined;
    if (error instanceof RequestError && error.code === 401) {
      this.session.signOut();
      this.problem.value = 'The server does not accept this token.';
    } else this.problem.value = error === undefined ? undefined : messageOf(error);
  }

  async #readNamespaces(): Promise<void> {
    try {
      const list = await this.session.json<{ items: { metadata: { name: string } }[] }>('/api/v1/namespaces');
      this.namespaces.value = list.items.map(({ metadata }) => metadata.name).sort();
    } catch {
      // A user who may not list namespaces types their names.
      this.namespaces.value = [];
    }
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

const AppContext = createContext<App | undefined>(undefined);
export const AppProvider = AppContext.Provider;

export function useApp(): App {
  const app = useContext(AppContext);
  if (!app) throw new Error('no App above this component');
  return app;
}
