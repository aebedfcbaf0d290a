// An editor, on the TypeScript library of the protocol: what it sees of skills while they are
// edited. The command of the agent is the arguments; what stands behind it is in $BEHIND.
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, writeFileSync, rmSync, existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable, Writable } from "node:stream";
import assert from "node:assert/strict";
import { client, methods, ndJsonStream } from "@agentclientprotocol/sdk";

const LIMIT = 20_000;
const [behind, ...command] = process.argv.slice(2);
// Who answers with what it was told.
const echoes = behind === "nothing" || behind === "agent";
const project = mkdtempSync(join(tmpdir(), "skilldeck-acp-"));
const root = join(project, ".agents/skills");

function skill(name, front, body) {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "SKILL.md"), `---\nname: ${name}\n${front}---\n${body}`);
}

skill("greet", "description: Greets.\narguments: [who]\n", "Greet $who.\n");
skill("still", "description: Stays.\n", "Stay.\n");
skill("careful", "description: Asks.\nrequire-confirmation: true\n", "Careful.\n");
skill("slow", "description: Waits.\n", "It says: !`touch started; sleep 60`\n");

// Updates by session, and who waits for the next of them.
const seen = new Map();
let wake = () => {};

function updates(session) {
  if (!seen.has(session)) seen.set(session, []);
  return seen.get(session);
}

async function until(what, check) {
  const end = Date.now() + LIMIT;
  for (;;) {
    const found = await check();
    if (found) return found;
    const left = end - Date.now();
    if (left <= 0) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => {
      wake = resolve;
      setTimeout(resolve, Math.min(left, 50));
    });
  }
}

const lists = (session) =>
  updates(session).filter((it) => it.sessionUpdate === "available_commands_update");
const names = (list) => list.availableCommands.map((it) => it.name);
const latest = (session) => lists(session).at(-1);
const said = (session, from) =>
  updates(session)
    .slice(from)
    .filter((it) => it.sessionUpdate === "agent_message_chunk")
    .map((it) => it.content);

let answer = "allow";
let questions = 0;

const child = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
const ended = new Promise((resolve) => child.on("exit", resolve));
const stream = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout));

await client({ name: "skilldeck-test" })
  .onNotification(methods.client.session.update, ({ params }) => {
    updates(params.sessionId).push(params.update);
    wake();
  })
  .onRequest(methods.client.session.requestPermission, ({ params }) => {
    questions += 1;
    const option = params.options.find((it) => it.optionId === answer);
    assert.ok(option, "the option is offered");
    return { outcome: { outcome: "selected", optionId: option.optionId } };
  })
  .connectWith(stream, async (agent) => {
    const request = (method, params) => agent.request(method, params);
    const prompt = (sessionId, text, ...others) =>
      request(methods.agent.session.prompt, {
        sessionId,
        prompt: [{ type: "text", text }, ...others],
      });

    const hello = await request(methods.agent.initialize, {
      protocolVersion: 1,
      clientCapabilities: {},
    });
    assert.equal(hello.protocolVersion, 1);
    if (behind === "nothing") {
      const list = hello.agentCapabilities._meta["skilldeck.dev/skills"];
      assert.ok(list.some((it) => it.name === "skill:commit"), "the list is in the capabilities");
    }

    const { sessionId } = await request(methods.agent.session.new, { cwd: project, mcpServers: [] });
    const first = await until("the announcement", () => {
      const list = latest(sessionId);
      return list && names(list).includes("skill:greet") && list;
    });
    const greet = first.availableCommands.find((it) => it.name === "skill:greet");
    assert.equal(greet.input.hint, "[who]");
    const still = first.availableCommands.find((it) => it.name === "skill:still");
    assert.ok(!still.input, "a skill without arguments has no input");
    if (behind === "agent") {
      await until("the agent's own command", () => names(latest(sessionId)).includes("mine"));
      assert.ok(!names(latest(sessionId)).some((it, at, all) => all.indexOf(it) !== at));
    }
    if (behind === "opencode") {
      await until("OpenCode's own commands", () => names(latest(sessionId)).includes("init"));
    }

    // Live: added, edited, edited where nobody sees it, removed.
    skill("added", "description: First.\n", "Body.\n");
    await until("the added skill", () => names(latest(sessionId)).includes("skill:added"));
    const description = () =>
      latest(sessionId).availableCommands.find((it) => it.name === "skill:added")?.description;
    skill("added", "description: Second.\n", "Body.\n");
    await until("the edited skill", () => description()?.includes("Second."));
    const before = lists(sessionId).length;
    skill("added", "description: Second.\n", "Another body.\n");
    if (echoes) {
      // The new body is in force, and nobody was told of it.
      await until("the new body", async () => {
        const from = updates(sessionId).length;
        await prompt(sessionId, "/skill:added");
        return said(sessionId, from).some((it) => it.text.includes("Another body."));
      });
    }
    assert.equal(lists(sessionId).length, before, "a new body is not announced");
    rmSync(join(root, "added"), { recursive: true });
    await until("the end of the skill", () => !names(latest(sessionId)).includes("skill:added"));
    assert.equal(lists(sessionId).length, before + 1);

    if (behind === "second") {
      // What stands there has no model: it got the prompt, and says so.
      const from = updates(sessionId).length;
      await prompt(sessionId, "/skill:greet Ada");
      assert.match(said(sessionId, from)[0].text, /no agent here/);
    }
    if (echoes) {
      let from = updates(sessionId).length;
      const link = { type: "resource_link", uri: "file:///x.rs", name: "x.rs" };
      const done = await prompt(sessionId, "/skill:greet Ada", link);
      assert.equal(done.stopReason, "end_turn");
      const [text, kept] = said(sessionId, from);
      assert.ok(text.text.includes("Greet Ada."), text.text);
      assert.deepEqual(kept, link);

      from = updates(sessionId).length;
      await prompt(sessionId, "/skill:gret Ada");
      assert.match(said(sessionId, from)[0].text, /greet/);
      assert.match(said(sessionId, from)[0].text, /\/skill:gret Ada/, "the text is not lost");

      from = updates(sessionId).length;
      await prompt(sessionId, "/skill:careful");
      assert.match(said(sessionId, from)[0].text, /Careful\./);
      answer = "reject";
      from = updates(sessionId).length;
      await prompt(sessionId, "/skill:careful");
      assert.doesNotMatch(said(sessionId, from)[0].text, /Careful\.\n/);
      assert.equal(questions, 2);

      const running = prompt(sessionId, "/skill:slow");
      await until("the shell command", () => existsSync(join(project, "started")));
      await agent.notify(methods.agent.session.cancel, { sessionId });
      assert.equal((await running).stopReason, "cancelled");
    }
    if (behind === "nothing") {
      await request(methods.agent.session.load, {
        sessionId: "loaded",
        cwd: project,
        mcpServers: [],
      });
      await until("the loaded session", () => latest("loaded"));
      await request(methods.agent.session.resume, { sessionId: "resumed", cwd: project });
      await until("the resumed session", () => latest("resumed"));
      await request(methods.agent.session.close, { sessionId: "resumed" });
      await assert.rejects(prompt("resumed", "/skill:greet"));
    }
  });

child.stdin.end();
const code = await Promise.race([
  ended,
  new Promise((resolve) => setTimeout(resolve, LIMIT, "it does not end")),
]);
assert.equal(code, 0);
rmSync(project, { recursive: true });
console.log(`${seen.size} sessions, ${[...seen.values()].flat().length} updates: ok`);
process.exit(0);
