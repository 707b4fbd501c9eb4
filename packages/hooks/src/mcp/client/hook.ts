import type { Hook } from "@reenact/capture/hook";

/**
 * The clients of the Model Context Protocol, over whatever transport: standard streams of a process, streamable HTTP,
 * server-sent events, or the user's own. Tools are steps of their names, other requests of their methods. A server in the
 * program itself is left alone.
 */
export const mcpClient: Hook = {
  name: "mcp/client",
  title: "MCP clients",
  files: [
    { packages: ["@modelcontextprotocol/sdk"], path: /^dist\/(?:esm|cjs)\/shared\/protocol\.js$/, value: "Protocol" },
    { packages: ["@modelcontextprotocol/client"], path: /^dist\/src-[\w-]+\.[cm]js$/, value: "Protocol" },
  ],
  versions: { from: "1.32.0", below: "3.0.0" },
  channel: {
    isClient: (instance) => "getServerCapabilities" in instance,
    // a process of its own is begun for it, and ends again
    negotiation: ["negotiateEra", "negotiateStdioViaSibling"].map((value) => ({
      packages: ["@modelcontextprotocol/client"],
      path: /^dist\/public-[\w-]+\.[cm]js$/,
      value,
    })),
    isOwn: ({ constructor }) => constructor.name === "InMemoryTransport",
  },
};
