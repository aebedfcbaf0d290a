// An agent, on the TypeScript library of the protocol, to stand behind the proxy: it has a command
// of its own and repeats what it is told.
import { Readable, Writable } from "node:stream";
import { agent, methods, ndJsonStream } from "@agentclientprotocol/sdk";

let sessions = 0;
const cancelled = new Map();

const connection = agent({ name: "echo" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: false },
  }))
  .onRequest(methods.agent.session.new, ({ client }) => {
    sessions += 1;
    const sessionId = `echo-${sessions}`;
    setTimeout(() => {
      client.notify(methods.client.session.update, {
        sessionId,
        update: {
          sessionUpdate: "available_commands_update",
          availableCommands: [{ name: "mine", description: "The agent's own." }],
        },
      });
    }, 50);
    return { sessionId };
  })
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    for (const content of params.prompt) {
      await client.notify(methods.client.session.update, {
        sessionId: params.sessionId,
        update: { sessionUpdate: "agent_message_chunk", content },
      });
    }
    return { stopReason: cancelled.get(params.sessionId) ? "cancelled" : "end_turn" };
  })
  .onNotification(methods.agent.session.cancel, () => {})
  .connect(ndJsonStream(Writable.toWeb(process.stdout), Readable.toWeb(process.stdin)));
await connection.closed;
