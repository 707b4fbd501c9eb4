import { spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";
import { join } from "node:path";

/** A certificate for localhost and 127.0.0.1 that nobody else signed, in two PEM files below the folder. */
export function makeCertificate(folder: string): { readonly key: string; readonly certificate: string } {
  const [key, certificate] = [join(folder, "server.key"), join(folder, "server.crt")];
  const name = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", certificate];
  const args = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...files, ...name];
  const { status, stderr, error } = spawnSync("openssl", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl: ${error?.message ?? stderr.slice(-2000)}`);
  chmodSync(key, 0o600);
  return { key, certificate };
}
