// Loads the adapter as OpenCode does and replays a recorded session through its hooks:
// `demo_opencode.mjs ADAPTER PROJECT < session.jsonl`. Prints one JSON line per call: its subject, its
// time, and the messages to the model and the user.
import fs from "node:fs"
import path from "node:path"
import readline from "node:readline"
import { pathToFileURL } from "node:url"

const [adapter, project] = process.argv.slice(2)
const { EccHooks } = await import(pathToFileURL(adapter).href)
const shown = []
const client = {
  session: {
    get: async () => ({}),
    promptAsync: async ({ body }) => shown.push(["model", body.parts[0].text]),
  },
  tui: { showToast: async ({ body }) => shown.push(["user", body.message]) },
}
const start = () => EccHooks({ client, directory: project })
let hooks = await start()
let session = ""
let calls = 0

/** Call a hook and print the result. */
async function show(name, what, call, before, after) {
  const started = performance.now()
  let messages = []
  try {
    await call()
    const now = after()
    if (now.length > before.length) messages.push(["model", now.slice(before.length).trim()])
  } catch (error) {
    messages.push(["model", "(refused) " + error.message])
  }
  messages = [...messages, ...shown.splice(0)]
  console.log(JSON.stringify({ name, what, ms: performance.now() - started, messages }))
}

function text({ system, parts, context, output, text: answer }) {
  const all = [system, parts?.map((part) => part.text), context, output ?? answer]
  return all.flat().filter(Boolean).join("\n\n")
}

/** Write the file as the tool did: a hook may read it. */
function perform(tool, args) {
  const patch = args.patchText?.match(/Add File: (.*)\n([^]*)\n\*\*\* End/)
  const file = path.resolve(project, args.filePath ?? patch?.[1] ?? "")
  if (!file.startsWith(project + path.sep)) return
  if (tool === "write") fs.writeFileSync(file, args.content)
  else if (patch) fs.writeFileSync(file, patch[2].replace(/^\+/gm, "") + "\n")
  else if (tool === "edit") {
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace(args.oldString, args.newString))
  }
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  const step = JSON.parse(line.replaceAll("{project}", JSON.stringify(project).slice(1, -1)))
  if (step.restart) {
    await show("dispose", "", () => hooks.dispose(), "", () => "")
    hooks = await start()
  } else if (step.event) {
    const { type, properties } = step.event
    if (type === "session.created") session = properties.info.id
    const send = async () => {
      await hooks.event(step)
      do await new Promise((resolve) => setTimeout(resolve, 100)) // the host does not wait
      while (process.getActiveResourcesInfo().includes("ProcessWrap")) // for hooks, but we do
    }
    await show(type, "", send, "", () => "")
  } else if (step.hook) {
    const { output } = step
    const what = output.parts?.[0].text ?? output.text ?? ""
    const call = () => hooks[step.hook](step.input, output)
    await show(step.hook.replace("experimental.", ""), what, call, text(output), () => text(output))
  } else {
    const { tool, args, output, metadata = {} } = step
    const input = { tool, sessionID: session, callID: "call_" + ++calls, args }
    const about = args.filePath ?? args.command ?? args.patchText.match(/File: (.*)/)[1]
    const what = tool + " " + about
    const before = () => hooks["tool.execute.before"](input, { args })
    await show("tool.execute.before", what, before, "", () => "")
    perform(tool, args)
    const result = { title: "", output, metadata }
    const after = () => hooks["tool.execute.after"](input, result)
    await show("tool.execute.after", what, after, output, () => result.output)
  }
}
process.exit(0)
