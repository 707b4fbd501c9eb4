// One model call; then it starts children, and reaches past every seam, in ways that programs use: `node reaches-outside.cjs [uncaught]`.
// LEDGER: a file to which its child processes append. NAMES: address of a name server.
const childProcess = require("node:child_process");
const dgram = require("node:dgram");
const dns = require("node:dns");
const net = require("node:net");
const { promisify } = require("node:util");

const { LEDGER, NAMES, PROVIDER_URL } = process.env;
const append = ["-e", `require("fs").appendFileSync(${JSON.stringify(LEDGER)}, "once\\n")`];
const node = process.execPath;

const ways = {
  execFile: () => promisify(childProcess.execFile)(node, append),
  exec: () => promisify(childProcess.exec)(`echo once >> "${LEDGER}"`),
  spawn: () => new Promise((resolve) => childProcess.spawn(node, append).on("exit", resolve)),
  spawnSync: async () => childProcess.spawnSync(node, append),
  child: () =>
    new Promise((resolve) => {
      const child = new childProcess.ChildProcess();
      child.on("exit", resolve);
      child.spawn({ file: node, args: [node, ...append], stdio: "ignore" });
    }),
  resolver: () => {
    const resolver = new dns.promises.Resolver({ timeout: 200, tries: 1 });
    resolver.setServers([NAMES]);
    return resolver.resolve4("name.invalid");
  },
  servers: () => {
    dns.setServers([NAMES]);
    return new Promise((resolve, reject) =>
      dns.resolveTxt("name.invalid", (error, answer) => (error ? reject(error) : resolve(answer))),
    );
  },
  socket: () =>
    new Promise((resolve, reject) => {
      const socket = net.connect(Number(new URL(PROVIDER_URL).port), "127.0.0.1", () => resolve(socket.destroy()));
      socket.on("error", reject);
    }),
};

async function main() {
  await fetch(`${PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: "go" }] }),
  });
  const [host, port] = NAMES.split(":");
  if (process.argv[2] === "uncaught")
    setTimeout(() => {
      const socket = dgram.createSocket("udp4");
      socket.connect(Number(port), host, () => socket.close());
    }, 1);
  else
    for (const [name, reach] of Object.entries(ways))
      console.log(
        name,
        await reach().then(
          () => "done",
          (error) => error.code,
        ),
      );
}
main();
