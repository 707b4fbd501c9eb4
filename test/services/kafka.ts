import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "./certificate.ts";
import { installPackages } from "./debian-packages.ts";
import { serviceCache } from "./service-cache.ts";
import { freePort, type RunningServer, startServer } from "./start-server.ts";

const VERSION = "4.3.1";
const PARTS = [
  ["org.apache.kafka", "kafka_2.13", VERSION],
  ["org.apache.kafka", "kafka-tools", VERSION],
  // without it a failing broker logs nothing
  ["org.apache.logging.log4j", "log4j-slf4j-impl", "2.25.4"],
] as const;
const LOG = `rootLogger.level = INFO
rootLogger.appenderRef.console.ref = console
appender.console.type = Console
appender.console.name = console
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d %p %c{1} %m%n
`;

const [USER, PASSWORD] = ["tester", "a-password-of-tests-2"];

const folder = () => join(serviceCache(), `kafka-${VERSION}`);

/** Why it cannot be started here; null: it can. */
export function missingKafka(): string | null {
  if (existsSync(join(folder(), "log4j2.properties"))) return null;
  return "kafka is not installed: node test/services/install.ts kafka";
}

/** From Maven's registry. Java 17 or later and mvn are Debian's where there are none, which asks for root. */
export function installKafka(): string {
  if (missingKafka() === null) return folder();
  if (spawnSync("mvn", ["-v"]).status !== 0) installPackages("default-jre-headless", "maven");
  mkdirSync(serviceCache(), { recursive: true });
  const made = mkdtempSync(join(serviceCache(), "kafka-"));
  const dependency = ([group, artifact, version]: (typeof PARTS)[number]) =>
    `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  const head = "<modelVersion>4.0.0</modelVersion><groupId>reenact</groupId><artifactId>kafka</artifactId>";
  const pom = `<project>${head}<version>1</version><packaging>pom</packaging><dependencies>${PARTS.map(dependency).join("")}</dependencies></project>`;
  writeFileSync(join(made, "pom.xml"), pom);
  run("mvn", ["-B", "-q", "dependency:copy-dependencies", "-DoutputDirectory=libs"], made);
  writeFileSync(join(made, "log4j2.properties"), LOG);
  rmSync(folder(), { recursive: true, force: true });
  renameSync(made, folder());
  return folder();
}

export interface Kafka {
  /** host and port */
  readonly broker: string;
  /** the same over TLS, for a user with a password (SCRAM-SHA-512) */
  readonly secure: {
    readonly broker: string;
    readonly user: string;
    readonly password: string;
    /** PEM file */
    readonly certificate: string;
  };
  readonly pid: () => number;
  /** stops it and removes its data */
  stop(): Promise<void>;
  /** SIGKILL; it comes back with `up`, on the same port and data */
  down(): Promise<void>;
  up(): Promise<void>;
}

/** One broker on free ports of 127.0.0.1, with data of its own. `settings`: lines of server.properties. */
export async function startKafka(settings: Readonly<Record<string, string | number>> = {}): Promise<Kafka> {
  const missing = missingKafka();
  if (missing !== null) throw new Error(missing);
  const data = mkdtempSync(join(tmpdir(), "reenact-kafka-"));
  const [port, controller, secure] = [await freePort(), await freePort(), await freePort()];
  const { key, certificate } = makeCertificate(data);
  writeFileSync(join(data, "server.pem"), readFileSync(key, "utf8") + readFileSync(certificate, "utf8"), {
    mode: 0o600,
  });
  const lines = {
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.voters": `1@127.0.0.1:${controller}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},SASL_SSL://127.0.0.1:${secure},CONTROLLER://127.0.0.1:${controller}`,
    "advertised.listeners": `PLAINTEXT://127.0.0.1:${port},SASL_SSL://127.0.0.1:${secure}`,
    "inter.broker.listener.name": "PLAINTEXT",
    "sasl.enabled.mechanisms": "SCRAM-SHA-512",
    "listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config":
      "org.apache.kafka.common.security.scram.ScramLoginModule required;",
    "ssl.keystore.type": "PEM",
    "ssl.keystore.location": join(data, "server.pem"),
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
    "log.dirs": join(data, "log"),
    "offsets.topic.replication.factor": 1,
    "offsets.topic.num.partitions": 1,
    "transaction.state.log.replication.factor": 1,
    "transaction.state.log.min.isr": 1,
    "transaction.state.log.num.partitions": 1,
    "group.initial.rebalance.delay.ms": 0,
    // after a kill the old session has to end before it starts again
    "broker.session.timeout.ms": 2_000,
    "broker.heartbeat.interval.ms": 500,
    "group.min.session.timeout.ms": 1_000,
    "auto.create.topics.enable": false,
    ...settings,
  };
  const properties = join(data, "server.properties");
  writeFileSync(
    properties,
    Object.entries(lines)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  );
  const classes = globSync(join(folder(), "libs/*.jar")).join(":");
  const id = run("java", ["-cp", classes, "kafka.tools.StorageTool", "random-uuid"], data).trim().split("\n").at(-1)!;
  const users = ["--add-scram", `SCRAM-SHA-512=[name=${USER},password=${PASSWORD}]`];
  run("java", ["-cp", classes, "kafka.tools.StorageTool", "format", "-t", id, "-c", properties, ...users], data);
  let starts = 0;
  const start = (): Promise<RunningServer> => {
    const logFile = join(data, `log-${starts++}.txt`);
    const log = `-Dlog4j2.configurationFile=${join(folder(), "log4j2.properties")}`;
    return startServer({
      command: "java",
      args: ["-Xms128m", "-Xmx512m", "-XX:+UseSerialGC", log, "-cp", classes, "kafka.Kafka", properties],
      logFile,
      // the port is open before the broker can be used
      ready: async () => spawnSync("grep", ["-q", "Kafka Server started", logFile]).status === 0,
      timeoutMs: 60_000,
    });
  };
  let server = await start();
  return {
    broker: `127.0.0.1:${port}`,
    secure: { broker: `127.0.0.1:${secure}`, user: USER, password: PASSWORD, certificate },
    pid: () => server.pid,
    async stop() {
      await server.kill();
      rmSync(data, { recursive: true, force: true });
    },
    down: () => server.kill(),
    async up() {
      server = await start();
    },
  };
}

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command}: ${error?.message ?? (stdout + stderr).slice(-2000)}`);
  return stdout;
}
