// Loads the adapter as OpenCode does and calls its hooks: steps on stdin, what became of them on
// stdout. A step is {hook, input, output} or {event: {type, properties}} or {wait: seconds}.
import { pathToFileURL } from "node:url"
import fs from "node:fs"

const given = JSON.parse(fs.readFileSync(0, "utf8"))
const asked = []
const record = (name) => async (call) => (asked.push([name, call]), { data: given.known?.[call?.path?.id] })
const client = {
  session: {
    get: record("get"),
    abort: record("abort"),
    promptAsync: record("prompt"),
  },
  tui: { showToast: record("toast") },
  postSessionIdPermissionsPermissionId: record("permission"),
}
const module = await import(pathToFileURL(given.plugin).href)
const [plugin] = Object.values(module)
const hooks = await plugin({ client, directory: given.directory })
const results = []
for (const step of given.steps) {
  const started = Date.now()
  const result = { error: null }
  try {
    if (step.wait) await new Promise((resolve) => setTimeout(resolve, step.wait * 1000))
    else if (step.event) await hooks.event({ event: step.event })
    else await hooks[step.hook](step.input, step.output)
  } catch (error) {
    result.error = error.message
  }
  results.push({ ...result, output: step.output, ms: Date.now() - started })
}
await hooks.dispose?.()
const kinds = Object.values(module).map((one) => typeof one)
fs.writeFileSync(1, JSON.stringify({ results, asked, kinds, hooks: Object.keys(hooks) }))
process.exit(0)
