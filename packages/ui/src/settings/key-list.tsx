import type { Answer } from "../api/call.ts";
import { CopyLine } from "../setup/copy-line.tsx";
import { bytes, number } from "../text/format.ts";

/** Who may send, read and change. A key itself is known to nobody but its owner. */
export function KeyList({ settings: { required, file, keys } }: { settings: Answer<"getSettings">["keys"] }) {
  return (
    <section className="settings-part" aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      {!required && (
        <>
          <p className="muted">
            No keys are set: everybody on this machine may send, read and change. To ask every client for one:
          </p>
          <CopyLine what="that starts a collector with a key">npx reenact up --token $(openssl rand -hex 16)</CopyLine>
        </>
      )}
      {required && keys.length > 0 && (
        <div className="table-scroll" role="region" aria-label="Keys of this project" tabIndex={0}>
          <table className="step-table">
            <thead>
              <tr>
                <th scope="col">Key</th>
                <th scope="col">May</th>
                <th scope="col" className="amount">
                  Requests a second
                </th>
                <th scope="col" className="amount">
                  Bytes a second
                </th>
              </tr>
            </thead>
            <tbody>
              {keys.map(({ name, scopes, requestsPerSecond, bytesPerSecond }, at) => (
                <tr key={`${name} ${at}`}>
                  <th scope="row">{name}</th>
                  <td>{scopes.join(", ")}</td>
                  <td className="amount">{requestsPerSecond === null ? "–" : number(requestsPerSecond)}</td>
                  <td className="amount">{bytesPerSecond === null ? "–" : bytes(bytesPerSecond)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {required && file !== null && (
        <details>
          <summary>Add or remove a key</summary>
          <p className="muted">
            Keys stand in <code>{file}</code> by their SHA-256; the file is read again when it changes. Draw a key, keep
            it, and write its digest there with a name, scopes and the tenant:
          </p>
          <CopyLine what="that draws a key and prints its digest">
            KEY=$(openssl rand -hex 24); echo "key: $KEY"; printf %s "$KEY" | sha256sum
          </CopyLine>
        </details>
      )}
    </section>
  );
}
