// A model call, then a datagram to STATSD_PORT with nobody to hear of it, and one whose end is awaited.
import dgram from "node:dgram";

const { PROVIDER_URL, STATSD_PORT } = process.env;
const socket = dgram.createSocket("udp4");
for (const turn of [1, 2]) {
  const response = await fetch(`${PROVIDER_URL}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "echo-random", messages: [{ role: "user", content: `turn ${turn}` }] }),
  });
  console.log((await response.json()).choices[0].message.content);
  socket.send("turns:1|c", Number(STATSD_PORT), "127.0.0.1");
  const bytes = await new Promise((resolve, reject) => {
    socket.send(Buffer.from("took:5|ms"), Number(STATSD_PORT), "127.0.0.1", (error, sent) =>
      error ? reject(error) : resolve(sent),
    );
  });
  console.log(bytes);
}
socket.close();
