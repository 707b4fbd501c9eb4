// Preload: a function that the recorder's code for HTTP/2 calls throws, for arguments that only that code gives it. BREAK: which.
const BREAKS = {
  // what is sent, or has come, is no frame
  frames: [Buffer.prototype, "readUIntBE", (offset, length) => offset === 0 && length === 3],
  // a header block is none
  headers: [Buffer, "from", (bytes) => Array.isArray(bytes)],
  // Node's class of sockets is not found
  socket: [Object, "getOwnPropertySymbols", (of) => of?.constructor?.name === "ClientHttp2Session"],
  // a request names no address
  request: [URL, "canParse", (address) => `${address}`.startsWith("http://127.0.0.1")],
};
const [owner, name, isOurs] = BREAKS[process.env.BREAK];
const real = owner[name];
owner[name] = function (...args) {
  if (isOurs(...args)) throw new Error("a fault of the recorder");
  return Reflect.apply(real, this, args);
};
