import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ApiFailure } from "../api/api-failure.ts";
import { call } from "../api/call.ts";

const WORDS: Readonly<Record<string, string>> = {
  UNAUTHENTICATED: "This collector does not know that key.",
  FORBIDDEN: "That key may not read runs. Use one with the scope “read”.",
};

/** Asks for a key. It goes to the collector once; the browser keeps a session cookie that no script can read. */
export function SignIn() {
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const key = new FormData(event.currentTarget).get("key");
    setBusy(true);
    try {
      await call("signIn", { body: { key: typeof key === "string" ? key.trim() : "" } });
      await client.resetQueries();
    } catch (error) {
      const { code, message } = error as ApiFailure;
      setProblem(WORDS[code] ?? message);
    } finally {
      setBusy(false);
    }
  };

  return (
    <section className="notice">
      <h1>Sign in</h1>
      <p>This collector shows its runs only to those who have a key with the scope “read”.</p>
      <form onSubmit={(event) => void submit(event)} className="sign-in">
        <label htmlFor="key">Key</label>
        <input
          id="key"
          name="key"
          type="password"
          autoComplete="current-password"
          spellCheck={false}
          required
          aria-invalid={problem !== null}
          aria-describedby="key-problem"
        />
        <p id="key-problem" role="alert" className="problem">
          {problem}
        </p>
        <button className="button primary" disabled={busy}>
          Sign in
        </button>
      </form>
      <p className="muted">
        No key? Whoever runs the collector gives one out; <code>reenact up --token …</code> takes its own from the
        command line. A link that the collector printed at its start works once, within ten minutes.
      </p>
    </section>
  );
}
