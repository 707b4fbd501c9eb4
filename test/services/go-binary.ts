import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { serviceCache } from "./service-cache.ts";

export interface GoService {
  readonly name: string;
  /** `module@version` of its main package */
  readonly module: string;
  readonly tags?: string;
}

export const MINIO: GoService = {
  name: "minio",
  // Release tags of this project do not resolve as module versions.
  module: "github.com/minio/minio@v0.0.0-20260212201848-7aac2a2c5b7c",
};
export const VERSITYGW: GoService = {
  name: "versitygw",
  module: "github.com/versity/versitygw/cmd/versitygw@v1.8.0",
};

/** Evaluates alert rules; without the discovery of what to watch, which is most of its size. */
export const PROMTOOL: GoService = {
  name: "promtool",
  module: "github.com/prometheus/prometheus/cmd/promtool@v0.316.0",
  tags: "remove_all_sd",
};

/** Path of the installed binary, or null. */
export function goBinary({ name }: GoService): string | null {
  const path = join(serviceCache(), "bin", name);
  return existsSync(path) ? path : null;
}

/** Builds it from the Go module proxy if it is not there; minutes when nothing is cached. Throws with Go's message. */
export function installGoBinary(service: GoService): string {
  const known = goBinary(service);
  if (known !== null) return known;
  const bin = join(serviceCache(), "bin");
  mkdirSync(bin, { recursive: true });
  const tags = service.tags === undefined ? [] : ["-tags", service.tags];
  const { status, stderr, error } = spawnSync("nice", ["-n", "15", "go", "install", ...tags, service.module], {
    env: { ...process.env, GOBIN: bin, GOFLAGS: "-buildvcs=false" },
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const path = goBinary(service);
  if (status !== 0 || path === null) throw new Error(`${service.name}: ${error?.message ?? stderr.slice(-2000)}`);
  return path;
}
