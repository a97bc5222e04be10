// The frame of every view: navigation, connection, user, keys.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { type Kind, kindKey } from '../api/discovery.ts';
import { type App, type Theme, useApp } from '../state/app.ts';
import { KeySequence, takesKeys } from '../state/keyboard.ts';
import { kindRoute } from '../state/router.ts';
import { Help } from './help.tsx';
import { KindPicker } from './kind-picker.tsx';

export interface NavigationLink {
  readonly view: string;
  readonly label: string;
}

export function Shell({
  links,
  children,
}: {
  links: readonly NavigationLink[];
  children: ComponentChildren;
}) {
  const app = useApp();
  const isMenuOpen = useSignal(false);
  useGlobalKeys(app);
  const { route } = app.router;
  // A chosen link closes the menu of a small screen.
  useEffect(() => {
    isMenuOpen.value = false;
  }, [route.value]);
  return (
    <div class={`shell ${isMenuOpen.value ? 'menu-open' : ''}`}>
      <button type="button" class="skip" onClick={() => document.getElementById('content')?.focus()}>
        Skip to content
      </button>
      <header class="top">
        <button
          type="button"
          class="menu-button quiet"
          aria-expanded={isMenuOpen.value}
          aria-controls="navigation"
          aria-label="Menu"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          ☰
        </button>
        <a class="brand" href="#/">
          Orch
        </a>
        <a class="search-link" href="#/search" aria-label="Search all kinds">
          Search <kbd>/</kbd>
        </a>
        <div class="spacer" />
        <Connection />
        <ThemeField />
        <button
          type="button"
          class="quiet"
          aria-label="Keys"
          onClick={() => {
            app.dialog.value = 'help';
          }}
        >
          ?
        </button>
        <User />
      </header>
      <Navigation links={links} />
      <main id="content" tabIndex={0}>
        {app.session.impersonated && (
          <div class="impersonation" role="status">
            You see what <strong>{app.session.impersonated.user}</strong> may see.
            <button type="button" onClick={() => void app.impersonate('', [])}>
              Stop
            </button>
          </div>
        )}
        {children}
      </main>
      {app.dialog.value === 'help' && <Help />}
      {app.dialog.value === 'kinds' && <KindPicker />}
      <div class="messages" aria-live="polite">
        {app.messages.value.map(({ id, tone, text }) => (
          <div key={id} class={`message ${tone}`}>
            <span>{text}</span>
            <button type="button" class="quiet" aria-label="Dismiss" onClick={() => app.dismiss(id)}>
              ✕
            </button>
          </div>
        ))}
      </div>
    </div>
  );
}

function useGlobalKeys(app: App): void {
  useEffect(() => {
    const sequence = new KeySequence();
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (app.dialog.value !== undefined || takesKeys(document.activeElement)) return;
      const command = sequence.press(event.key, performance.now());
      if (command === undefined) return;
      // Enter on a focused link or button is theirs.
      const isOnControl =
        document.activeElement instanceof HTMLElement && document.activeElement.matches('a, button, summary');
      if (command === 'open' && isOnControl) return;
      if (runCommand(app, command)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [app]);
}

function runCommand(app: App, command: Parameters<NonNullable<App['onCommand']>>[0]): boolean {
  if (typeof command === 'object') {
    app.router.go(`#/${command.goTo}`);
    return true;
  }
  if (app.onCommand?.(command)) return true;
  if (command === 'help' || command === 'kinds') {
    app.dialog.value = command;
    return true;
  }
  if (command === 'search') {
    app.router.go('#/search');
    return true;
  }
  if (command === 'namespace') {
    const field = document.querySelector<HTMLInputElement>('input.namespace');
    field?.focus();
    field?.select();
    return field !== null;
  }
  if (command === 'back' && app.router.route.value.view === 'object') {
    app.router.go(kindRoute(app.router.route.value.segments[0] ?? 'pods'));
    return true;
  }
  return false;
}

const connectionTexts = {
  idle: 'idle',
  connecting: 'connecting',
  open: 'live',
  lost: 'reconnecting',
} as const;

function Connection() {
  const { stream } = useApp();
  const state = stream.state.value;
  return (
    <span class={`connection ${state}`} role="status">
      {connectionTexts[state]}
    </span>
  );
}

function ThemeField() {
  const app = useApp();
  return (
    <select
      class="quiet theme"
      aria-label="Theme"
      value={app.theme.value}
      onChange={({ currentTarget }) => app.setTheme(currentTarget.value as Theme)}
    >
      <option value="system">Auto</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

function User() {
  const app = useApp();
  const user = app.user.value;
  if (!user) return null;
  return (
    <span class="user" title={user.groups.join(', ')}>
      <span class="user-name">{user.username}</span>
      {app.session.token !== undefined && (
        <button type="button" class="quiet" onClick={() => void app.signOut()}>
          Sign out
        </button>
      )}
    </span>
  );
}

/** The groups that most users look for come first, then the others by name. */
const firstGroups = ['', 'apps', 'batch'];

function Navigation({ links }: { links: readonly NavigationLink[] }) {
  const app = useApp();
  const { view, segments } = app.router.route.value;
  const groups = Object.entries(Object.groupBy(app.kinds.value, ({ group }) => group)).sort(
    ([one], [other]) => groupRank(one) - groupRank(other) || one.localeCompare(other),
  );
  const current = view === 'kind' || view === 'object' || view === 'create' ? segments[0] : undefined;
  return (
    <nav id="navigation" aria-label="Kinds">
      <ul class="views">
        {links.map(({ view: name, label }) => (
          <li key={name}>
            <a href={`#/${name}`} aria-current={view === name ? 'page' : undefined}>
              {label}
            </a>
          </li>
        ))}
      </ul>
      {groups.map(([group, kinds = []]) => (
        <details
          key={group}
          open={firstGroups.includes(group) || kinds.some((kind) => kindKey(kind) === current)}
        >
          <summary>{group || 'core'}</summary>
          <ul>
            {[...kinds].sort(byName).map((kind) => (
              <li key={kindKey(kind)}>
                <a
                  href={kindRoute(kindKey(kind))}
                  aria-current={kindKey(kind) === current ? 'page' : undefined}
                >
                  {kind.kind}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </nav>
  );
}

const byName = (one: Kind, other: Kind) => one.kind.localeCompare(other.kind);

function groupRank(group: string): number {
  const rank = firstGroups.indexOf(group);
  return rank < 0 ? firstGroups.length : rank;
}
