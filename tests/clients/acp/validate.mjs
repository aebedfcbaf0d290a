// Frames that an agent sent, held against the schema that the TypeScript library ships. The second
// file has the frames that it was sent: the schema of an answer depends on its question.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const require = createRequire(import.meta.url);
const Ajv = require("ajv/dist/2020").default;
const schema = require("@agentclientprotocol/sdk/schema/v1/schema.json");
const ajv = new Ajv({ strict: false, allErrors: true, logger: false });
ajv.addSchema(schema, "acp");
const known = (name) => ajv.getSchema(`acp#/$defs/${name}`);

const [sent, asked] = process.argv.slice(2).map((file) =>
  readFileSync(file, "utf8").split("\n").filter((line) => line !== "").map((line) => JSON.parse(line)),
);
const NAMES = {
  initialize: "InitializeResponse",
  "session/new": "NewSessionResponse",
  "session/load": "LoadSessionResponse",
  "session/resume": "ResumeSessionResponse",
  "session/close": "CloseSessionResponse",
  "session/prompt": "PromptResponse",
  "session/update": "SessionNotification",
  "session/request_permission": "RequestPermissionRequest",
};
const methods = new Map(asked.filter((it) => it.method && it.id !== undefined).map((it) => [it.id, it.method]));
if (known("SessionNotification")({})) throw new Error("the schema takes anything");
const counts = {};
let bad = 0;
for (const frame of sent) {
  const method = frame.method ?? methods.get(frame.id);
  const name = frame.error ? "Error" : NAMES[method];
  if (!name) throw new Error(`no schema for ${JSON.stringify(frame).slice(0, 200)}`);
  const part = frame.error ?? frame.result ?? frame.params;
  const envelope = ajv.getSchema("acp#/anyOf/0");
  for (const [check, value] of [[known(name), part], [envelope, frame]]) {
    if (!check(value)) {
      bad += 1;
      console.error(`${method}: ${ajv.errorsText(check.errors)}: ${JSON.stringify(value).slice(0, 300)}`);
    }
  }
  counts[name] = (counts[name] ?? 0) + 1;
}
console.log(`${sent.length} frames, ${bad} not valid: ${JSON.stringify(counts)}`);
process.exitCode = bad || sent.length < 10 ? 1 : 0;
