// One half of a bench row: `bench_opencode.mjs ADAPTER CALLS [LAUNCHER] < event.json` sends the
// event CALLS times, through the adapter's hook or, where a LAUNCHER is given, to that directly.
import { spawn } from "node:child_process"
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

const [adapter, calls, launcher] = process.argv.slice(2)
const event = JSON.parse(fs.readFileSync(0, "utf8"))
const hooks = await (await import(pathToFileURL(adapter).href)).EccHooks({ directory: event.cwd })
const info = { id: event.session_id }
await hooks.event({ event: { type: "session.created", properties: { info } } })

function direct() {
  return new Promise((resolve) => {
    const stdio = ["pipe", "pipe", "ignore"]
    const child = spawn("sh", [launcher, event.hook_event_name], { stdio })
    child.stdout.resume()
    child.on("close", resolve)
    child.stdin.end(JSON.stringify(event))
  })
}

// with a reply of the model before it, which is recorded along with the event
const reply = { role: "assistant", sessionID: event.session_id, time: { completed: 1 } }

async function throughAdapter() {
  await hooks.event({ event: { type: "message.updated", properties: { info: reply } } })
  const { file_path: filePath, old_string: oldString, new_string: newString } = event.tool_input
  const input = { tool: "edit", sessionID: event.session_id, callID: event.tool_use_id }
  return hooks["tool.execute.before"](input, { args: { filePath, oldString, newString } })
}

for (let call = 0; call < Number(calls); call++) await (launcher ? direct() : throughAdapter())

// every event is silent, so check in the logs that the hooks ran
const data = path.join(process.env.CLAUDE_CONFIG_DIR, "plugins", "data")
const logs = fs.readdirSync(data).map((name) => path.join(data, name, "hooks.log"))
const lines = logs.flatMap((file) => fs.readFileSync(file, "utf8").trim().split("\n"))
const bad = lines.filter((line) => JSON.parse(line).outcome !== "silent")
process.exit(bad.length || lines.length < Number(calls) ? 1 : 0)
