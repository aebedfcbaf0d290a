"""An editor, on the Python library of the protocol: what it sees of skills while they are edited."""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path

from acp import PROTOCOL_VERSION, spawn_agent_process, text_block
from acp.interfaces import Client
from acp.schema import AllowedOutcome, RequestPermissionResponse

LIMIT = 20


class Editor(Client):
    def __init__(self):
        self.updates = []
        self.questions = []
        self.news = asyncio.Event()

    async def request_permission(self, session_id, tool_call, options, **_):
        self.questions.append(tool_call.title)
        return RequestPermissionResponse(
            outcome=AllowedOutcome(outcome="selected", option_id=options[0].option_id)
        )

    async def session_update(self, session_id, update, **_):
        self.updates.append(update)
        self.news.set()

    def commands(self):
        lists = [it for it in self.updates if it.session_update == "available_commands_update"]
        return {it.name: it for it in lists[-1].available_commands} if lists else {}

    def said(self, start):
        chunks = [it for it in self.updates[start:] if it.session_update == "agent_message_chunk"]
        return "".join(it.content.text for it in chunks)

    async def until(self, what, check):
        async def wait():
            while not check():
                self.news.clear()
                await self.news.wait()

        try:
            await asyncio.wait_for(wait(), LIMIT)
        except TimeoutError:
            raise AssertionError(f"waited in vain for {what}") from None


def write(root, name, front, body):
    (root / name).mkdir(parents=True, exist_ok=True)
    (root / name / "SKILL.md").write_text(f"---\nname: {name}\n{front}---\n{body}")


async def main(command):
    project = Path(tempfile.mkdtemp(prefix="skilldeck-acp-"))
    root = project / ".agents/skills"
    write(root, "greet", "description: Greets.\narguments: [who]\n", "Greet $who.\n")
    write(root, "careful", "description: Asks.\nrequire-confirmation: true\n", "Careful.\n")
    write(root, "slow", "description: Waits.\n", "It says: !`touch started; sleep 60`\n")
    editor = Editor()
    async with spawn_agent_process(editor, *command) as (agent, process):
        await agent.initialize(protocol_version=PROTOCOL_VERSION)
        session = (await agent.new_session(cwd=str(project), mcp_servers=[])).session_id
        await editor.until("the announcement", lambda: "skill:greet" in editor.commands())

        async def prompt(text):
            start = len(editor.updates)
            done = await agent.prompt(session_id=session, prompt=[text_block(text)])
            return done.stop_reason, editor.said(start)

        reason, text = await prompt("/skill:greet Ada")
        assert reason == "end_turn" and "Greet Ada." in text, (reason, text)
        _, text = await prompt("/greet Bob")
        assert "Greet Bob." in text, text
        _, text = await prompt("/skill:gret")
        assert "`greet`" in text, text
        _, text = await prompt("/skill:careful")
        assert "Careful." in text and len(editor.questions) == 1, (text, editor.questions)

        write(root, "added", "description: First.\n", "Body.\n")
        await editor.until("the added skill", lambda: "skill:added" in editor.commands())
        write(root, "added", "description: Second.\n", "Body.\n")
        second = lambda: "Second." in editor.commands()["skill:added"].description
        await editor.until("the edited skill", second)
        shutil.rmtree(root / "added")
        await editor.until("the end of the skill", lambda: "skill:added" not in editor.commands())

        running = asyncio.create_task(prompt("/skill:slow"))
        while not (project / "started").exists():
            assert not running.done(), running.result()
            await asyncio.sleep(0.02)
        await agent.cancel(session_id=session)
        reason, _ = await asyncio.wait_for(running, LIMIT)
        assert reason == "cancelled", reason
    shutil.rmtree(project)
    print(f"{len(editor.updates)} updates: ok")


asyncio.run(main(sys.argv[1:]))
