// Says whom its run is for and that it is odd, before and after its first step, and is killed in the same turn.
import { flag, identify, tool } from "@reenact/node";

identify({ user: "alice@example.com", session: "desk-7", tags: ["vip"] });
await tool("look", async () => 1)();
flag("odd answer for alice@example.com");
identify({ tags: ["second"] });
process.kill(process.pid, "SIGKILL");
