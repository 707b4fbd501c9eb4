import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Admin } from "@platformatic/kafka";
import { checkServers, loadConfig } from "@reenact/collector";
import { expect, test } from "vitest";
import { bin, launch } from "../e2e/reenact.ts";
import type { Distributed } from "./distributed-servers.ts";
import { golden, madeRun, post } from "./made-runs.ts";

/** What is said of servers on which a collector cannot start, or would lose something. */
export function checkTests(servers: () => Distributed): void {
  test("brokers and database over TLS, with a password: spans are taken; a wrong password or an unknown authority refuses the start", async () => {
    const { kafka, postgres, processes, apart, shared } = servers();
    const { broker, user, password, certificate } = kafka.secure;
    const made = apart("secure");
    const start = (name: string, word: string, ca: object) =>
      processes.start(name, ["receive"], {
        ...made,
        journal: {
          ...(made["journal"] as object),
          url: `kafka://${user}:${word}@${broker}/secure`,
          tls: "verify",
          ...ca,
        },
        catalog: { ...shared.catalog, schema: "secure", tls: "verify", ca: postgres.certificate },
      });
    const ca = { ca: certificate };
    const [taken, wrong, unknown] = await Promise.all([
      start("secure", password, ca),
      start("secure-wrong", "wrong", ca),
      start("secure-unknown", password, {}),
    ]);
    expect([await wrong.ended(), await unknown.ended()]).toEqual([5, 5]);
    expect(wrong.printed()).toMatch(
      /^DENIED: kafka:\/\/127[^\n]*; next: correct the user and password in journal\.url/,
    );
    expect(unknown.printed()).toMatch(/^UNAVAILABLE: kafka:\/\/127[^\n]*certificate/);
    await taken.ready();
    expect(await post(taken.http, madeRun(golden.id)[0]!)).toBe(true);
    expect(await taken.stop()).toBe(0);
    for (const each of [taken, wrong, unknown])
      expect(each.printed() + JSON.stringify(each.logged())).not.toContain(password);
  });

  test("servers are checked before a collector starts: each line that fails says what, where, why and the next command", async () => {
    const { kafka, postgres, s3, shared, apart } = servers();
    process.env["AWS_ACCESS_KEY_ID"] = s3.credentials.accessKeyId;
    process.env["AWS_SECRET_ACCESS_KEY"] = s3.credentials.secretAccessKey;
    const made = apart("checked");
    const check = async (part: "journal" | "catalog" | "store", setting: object | string) => {
      const given = {
        ...shared,
        ...made,
        [part]: typeof setting === "string" ? setting : { ...(made[part] as object), ...setting },
      };
      return checkServers(loadConfig({ env: {}, given }));
    };
    const failed = async (...args: Parameters<typeof check>) =>
      (await check(...args)).filter(({ ok }) => !ok).map(({ id, line, fix }) => `${id} ${line} -> ${fix}`);

    const admin = new Admin({ clientId: "test", bootstrapBrokers: [kafka.broker] });
    const topic = async (name: string, configs: Readonly<Record<string, string>>) => {
      const list = Object.entries(configs).map(([key, value]) => ({ name: key, value }));
      await admin.createTopics({ topics: [name], partitions: 1, replicas: 1, configs: list });
      return `kafka://${kafka.broker}/${name}`;
    };
    try {
      const allowSingleBroker = false;
      const url = await topic("alone-2", {});
      expect(await failed("journal", { url, allowSingleBroker })).toEqual([
        expect.stringMatching(/^topic UNSAFE_TOPIC: kafka:.*on one broker only -> give the topic 3 replicas/),
      ]);
      expect(await failed("journal", { url: `kafka://${kafka.broker}/none`, allowSingleBroker })).toEqual([
        expect.stringMatching(/^topic none is not there, and 1 of the 3 brokers .* -> start more brokers/),
      ]);
      expect(await failed("journal", { url: await topic("compacted", { "cleanup.policy": "compact" }) })).toEqual([
        expect.stringMatching(/^topic UNSAFE_TOPIC: .*compact.* -> .*cleanup\.policy=delete/),
      ]);
      expect(await failed("journal", { url: await topic("short", { "retention.ms": "60000" }) })).toEqual([
        expect.stringMatching(/^topic-limits short: .*lost -> kafka-configs .*--entity-name short .*retention\.ms/),
      ]);
      expect(await failed("journal", { url: await topic("small", { "max.message.bytes": "9000" }) })).toEqual([
        expect.stringMatching(/^topic-limits small: max\.message\.bytes=9000,.* -> kafka-configs/),
      ]);
    } finally {
      await admin.close();
    }
    expect(await failed("journal", { url: "kafka://127.0.0.1:1/none" })).toEqual([
      expect.stringMatching(/^brokers UNAVAILABLE: kafka:\/\/127\.0\.0\.1:1\/none: .* -> start the brokers/),
    ]);

    const { PGUSER: user = "", PGPASSWORD: password = "", PGPORT, PGDATABASE } = postgres.env;
    const as = (name: string, secret = password) => `postgres://${name}:${secret}@127.0.0.1:${PGPORT}/${PGDATABASE}`;
    postgres.sql(`CREATE ROLE guest LOGIN PASSWORD '${password}'; CREATE SCHEMA others`, user);
    expect(await failed("catalog", { url: as("guest"), schema: "guests" })).toEqual([
      expect.stringMatching(/^tables schema guests is not there, and role guest may make none -> psql .*AUTHORIZATION/),
    ]);
    expect(await failed("catalog", { url: as("guest"), schema: "others" })).toEqual([
      expect.stringMatching(/^tables schema others is not owned by role guest.* -> psql .*OWNER TO "guest"/),
    ]);
    expect(await failed("catalog", { url: as(user, "wrong") })).toEqual([
      expect.stringMatching(/^database DENIED: .* -> /),
    ]);
    expect(await failed("store", "s3://nowhere/all")).toEqual([
      expect.stringMatching(/^store NO_BUCKET: .* -> create/),
    ]);

    const folder = mkdtempSync(join(tmpdir(), "reenact-check-"));
    try {
      const file = join(folder, "collector.json");
      writeFileSync(file, JSON.stringify({ ...shared, ...made }));
      const ended = await launch([process.execPath, bin, "doctor", "--config", file], { env: {} });
      expect(ended.stdout).toMatch(/^(✓ [a-z-]+ +[^\n]+\n){5,}$/);
      for (const part of ["brokers", "topic", "database", "tables", "store", "store-features"])
        expect(ended.stdout).toContain(`✓ ${part} `);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      writeFileSync(file, JSON.stringify({ ...shared, ...made, store: "s3://nowhere/all" }));
      expect(await launch([process.execPath, bin, "doctor", "--config", file], { env: {} })).toMatchObject({ code: 1 });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
