// Sign-in with a bearer token, on the guarded port.
import { useSignal } from '@preact/signals';
import { useApp } from '../state/app.ts';
import { Notice } from '../ui/elements.tsx';

export function SignIn() {
  const app = useApp();
  const token = useSignal('');
  const isBusy = useSignal(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    if (token.value.trim() === '') return;
    isBusy.value = true;
    await app.signIn(token.value.trim());
    isBusy.value = false;
  };
  return (
    <main class="sign-in">
      <form onSubmit={submit}>
        <h1>Sign in to Orch</h1>
        <p class="muted">
          With a bearer token: of a service account, or of the token file. A client certificate signs in by
          itself.
        </p>
        {app.problem.value && <Notice tone="bad">{app.problem.value}</Notice>}
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          spellcheck={false}
          value={token.value}
          onInput={({ currentTarget }) => {
            token.value = currentTarget.value;
          }}
        />
        <button type="submit" class="primary" disabled={isBusy.value}>
          {isBusy.value ? 'Signing in…' : 'Sign in'}
        </button>
        <p class="hint">
          The token stays in this tab and is gone when it closes. To get one:
          <code>kubectl create token NAME</code>
        </p>
      </form>
    </main>
  );
}
