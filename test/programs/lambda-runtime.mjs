// Stands in for the native part of the runtime that AWS publishes (aws-lambda-ric), which is built on a machine of Lambda alone: the same
// three calls to the runtime API, by `node:http`. All else of the runtime is AWS's own code.
import { Agent, request } from "node:http";
import module from "node:module";

const agent = new Agent({ keepAlive: true });
let posted = Promise.resolve();

function exchange(method, path, body) {
  return new Promise((resolve, reject) => {
    const url = `http://${process.env.AWS_LAMBDA_RUNTIME_API}/2018-06-01/runtime/invocation/${path}`;
    const asked = request(url, { method, agent }, (response) => {
      const pieces = [];
      response.on("data", (piece) => pieces.push(piece));
      response.on("end", () => resolve({ headers: response.headers, bodyJson: Buffer.concat(pieces).toString() }));
    });
    asked.on("error", reject).end(body);
  });
}

const post = (path, body) => void (posted = posted.then(() => exchange("POST", path, body)));
const native = {
  next: async () => {
    await posted;
    return exchange("GET", "next");
  },
  done: (id, body) => post(`${id}/response`, body),
  error: (id, body) => post(`${id}/error`, body),
  initializeClient: () => {},
};
process[Symbol.for("lambda-runtime.native")] = native;

const source = 'module.exports = process[Symbol.for("lambda-runtime.native")];';
module.registerHooks({
  resolve: (specifier, context, next) =>
    specifier === "./rapid-client.node"
      ? { url: "file:///rapid-client.cjs", format: "commonjs", shortCircuit: true }
      : next(specifier, context),
  load: (url, context, next) =>
    url === "file:///rapid-client.cjs" ? { format: "commonjs", source, shortCircuit: true } : next(url, context),
});
