import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";

const bin = fileURLToPath(new URL("../../collector/bin/reenact-collector.js", import.meta.url));

/**
 * The collector's program on a free port, over a folder of its own or a new bucket of `s3`, with more variables in `env`. `{ child, http, config,
 * stop() }`: the process, its address, its configuration file; `stop` kills it and removes its folder.
 */
export async function startCollector(settings, s3 = null, env = {}) {
  const folder = mkdtempSync(join(process.env.REENACT_BENCH_FOLDER ?? tmpdir(), "bench-collector-"));
  const config = join(folder, "collector.json");
  const store = s3 === null ? { store: join(folder, "store") } : await bucketOf(s3);
  const given = { data: join(folder, "data"), listen: { port: 0 }, ...store, ...settings };
  writeFileSync(config, JSON.stringify(given));
  const child = spawn(process.execPath, [bin, "--config", config], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const stop = () => {
    child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const [line] = await once(child.stdout, "data", { signal: AbortSignal.timeout(60_000) });
    const { otlpHttp, http = otlpHttp } = JSON.parse(line.toString());
    return { child, http, config, stop };
  } catch (error) {
    stop();
    throw error;
  }
}

async function bucketOf({ endpoint, credentials }) {
  process.env.AWS_ACCESS_KEY_ID = credentials.accessKeyId;
  process.env.AWS_SECRET_ACCESS_KEY = credentials.secretAccessKey;
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true });
  const bucket = `bench-${Date.now()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
  return { store: `s3://${bucket}/runs`, s3: { endpoint, pathStyle: true } };
}
