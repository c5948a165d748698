// ecc-hooks for OpenCode: turn the host's hooks into Claude Code's events, pass these to hooks/run
// and apply the answers. It has no dependencies and knows nothing about single hooks.
//
// The host has no time limit, and an error thrown by a hook breaks the user's session. So every
// process has a limit, every hook runs inside `guarded`, and only a deliberate refusal is thrown.
// The host takes every named export for a plugin, so there is exactly one.

import { spawn } from "node:child_process"
import fs from "node:fs"
import os from "node:os"
import path from "node:path"
import { fileURLToPath } from "node:url"

const ROOT = path.dirname(fs.realpathSync(fileURLToPath(import.meta.url)))
const NAME = "ecc-hooks-opencode"
const CONFIG = process.env.CLAUDE_CONFIG_DIR || path.join(os.homedir(), ".claude")
const DATA = path.join(CONFIG, "plugins", "data", NAME + "-custom-skills")
const USUAL_SECONDS = 10 // for an event that Claude Code's wiring has no limit for
const RULES_SECONDS = 600 // the user's rules have their own limits
const ALL_BLOCKS = 3 // by any hook, until the user speaks again; the host has no limit of its own
const KEPT_DAYS = 30
const MOST_RECORDS = 1000
const MOST_TEXT = 8000
const MOST_FILE = 2_000_000 // as much as the library reads of a settings file
const MOST_LOG = 1_000_000
const TOGETHER = 4 // files of one patch that hooks see in parallel
const RUN = process.argv.includes("run") // `opencode run` ends with the first turn
const WINDOWS = process.platform === "win32"

const TOOLS = {
  bash: "Bash", edit: "Edit", glob: "Glob", grep: "Grep", list: "LS", multiedit: "MultiEdit",
  question: "AskUserQuestion", read: "Read", skill: "Skill", task: "Agent", todowrite: "TodoWrite",
  webfetch: "WebFetch", websearch: "WebSearch", write: "Write",
}
const FIELDS = {
  filePath: "file_path", newString: "new_string", oldString: "old_string",
  replaceAll: "replace_all",
}
const OWN_FIELDS = { grep: { include: "glob" }, skill: { name: "skill" } }
// prompts of the host's own requests: a title, a summary
const INTERNAL = ["You are a title generator", "You are a context summarization agent"]

// the words before a file's name in a patch
const MARKS = ["Add File", "Update File", "Delete File", "Move to"]
const CREATED = "File created successfully" // Claude Code's words

const REFUSED = ["deny", "block", "ask", "defer"]

class Refusal extends Error {}

const text = (value) => (typeof value === "string" ? value : "")
const short = (value, most = MOST_TEXT) => text(value).slice(0, most)
const unquoted = (words) => (RUN ? words.replace(/^"([^]*)"$/, "$1") : words) // as typed
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value)

export const EccHooks = async ({ client, directory }) => {
  // of the user's copy and the project's copy only one works
  const active = (globalThis[Symbol.for(NAME)] ??= new Map())
  if ((active.get(directory) ?? import.meta.url) !== import.meta.url) return {}
  if (["0", "false", "off", "no"].includes(process.env.CUSTOM_SKILLS)) return {}
  active.set(directory, import.meta.url)

  const born = Date.now()
  const pipeline = readJson("hooks", "pipeline.json").hooks ?? {}
  const { aliases = {}, editTools = [], seconds = {} } = readJson("facts.json")
  const folders = new Set([directory, repository(directory)])
  const env = { ...process.env, CLAUDE_PLUGIN_ROOT: ROOT, CLAUDE_PLUGIN_DATA: DATA }
  env.CLAUDE_PROJECT_DIR = directory
  const sessions = new Map()
  const pending = new Set() // work started by `event`, which the host does not await
  const internal = [...INTERNAL]
  let latest = "" // the session of the user's last prompt

  // ---- sessions -------------------------------------------------------------------------------

  function session(id) {
    if (!sessions.has(id)) {
      sessions.set(id, { id, records: [], calls: new Map(), refused: new Set(), todos: new Map() })
    }
    return sessions.get(id)
  }

  /** Return a session whose parent is known, from its creation or from one request to the host. */
  async function describedSession(id) {
    const s = session(id)
    const ask = () => within(3, client.session.get({ path: { id } }), {})
    s.described ??= ask().then((answer) => describe(s, answer.data))
    await s.described
    return s
  }

  async function describe(s, info) {
    s.parent = text(info?.parentID)
    s.agent = text(info?.agent) || "general"
    s.resumed = (info?.time?.created ?? born) < born
    s.top = s.parent ? (await describedSession(s.parent)).top : s.id
  }

  /** Add a record to those that the next event sends, for the transcript in our data. */
  function note(s, type, content, more) {
    if (s.records.length >= MOST_RECORDS) s.records.shift()
    const record = { type, timestamp: new Date().toISOString(), isSidechain: Boolean(s.parent) }
    s.records.push({ ...record, message: { role: type, content, ...more } })
  }

  function noteCall(s, id, call) {
    if (call.name === "TodoWrite") return // todo.updated reports it
    const input = {}
    for (const key of ["file_path", "command", "todos", "description", "subagent_type"]) {
      const value = call.input[key]
      if (value !== undefined) input[key] = typeof value === "string" ? short(value, 2000) : value
    }
    note(s, "assistant", [{ type: "tool_use", id, name: call.name, input }])
    const result = { type: "tool_result", tool_use_id: id, content: short(call.resultText, 2000) }
    note(s, "user", [call.error === undefined ? result : { ...result, is_error: true }])
  }

  // ---- one event ------------------------------------------------------------------------------

  /** Run the hooks for an event about subject (a tool, a source, ...) that began at since. */
  async function run(name, s, fields, subject, since = Date.now()) {
    const rules = hasRules(name)
    if (!rules && !isWanted(pipeline[name], subject)) return {}
    const base = { session_id: s.top ?? s.id, transcript_path: "", cwd: directory }
    const event = { ...base, hook_event_name: name, ...fields }
    if (s.parent) Object.assign(event, { agent_id: s.id, agent_type: s.agent })
    if (s.records.length) event.records = s.records.splice(0)
    const override = Number(process.env.CUSTOM_SKILLS_OPENCODE_SECONDS)
    const limit = override > 0 ? override : rules ? RULES_SECONDS : (seconds[name] ?? USUAL_SECONDS)
    const answer = parse(name, await launch(name, event, limit - (Date.now() - since) / 1000))
    if (answer.message) show(answer.message)
    if (answer.stop) quietly(() => client.session.abort({ path: { id: s.id } }))
    return answer
  }

  /** Return whether a settings file may have user rules for this event. */
  function hasRules(name) {
    const files = [path.join(CONFIG, "settings.json")]
    for (const folder of folders) {
      files.push(path.join(folder, ".claude", "settings.json"))
      files.push(path.join(folder, ".claude", "settings.local.json"))
    }
    const names = [name, ...(aliases[name] ?? [])]
    return files.some((file) => {
      const settings = read(file) ?? ""
      return settings.includes("customHooks") && names.some((one) => settings.includes(one))
    })
  }

  function launch(name, event, seconds) {
    return new Promise((resolve) => {
      const started = Date.now()
      const chunks = []
      const args = [path.join(ROOT, "hooks", "run"), name, "--host", "opencode"]
      const child = spawn("sh", args, {
        cwd: directory,
        env,
        detached: !WINDOWS, // a process group, to be ended as one
        windowsHide: true,
        stdio: ["pipe", "pipe", "ignore"],
      })
      const finish = () => {
        clearTimeout(timer)
        resolve(Buffer.concat(chunks).toString("utf8"))
      }
      const timer = setTimeout(() => {
        end(child)
        log(name, "timeout", Date.now() - started)
        chunks.length = 0
        finish()
      }, seconds * 1000)
      child.on("error", (error) => (log(name, "error", 0, error), finish()))
      child.on("exit", () => setTimeout(finish, 300)) // a child of a rule may hold the pipe open
      child.on("close", finish)
      child.stdout.on("data", (chunk) => chunks.push(chunk))
      child.stdin.on("error", () => {}) // the hook need not read all of its stdin
      child.stdin.end(JSON.stringify(event))
    })
  }

  // ---- the host -------------------------------------------------------------------------------

  function quietly(call) {
    Promise.resolve().then(call).catch(() => {}) // if the client cannot do it, go on
  }

  function show(message) {
    quietly(() => client.tui.showToast({ body: { message, variant: "info" } }))
  }

  function guarded(name, work) {
    return async (...args) => {
      try {
        await work(...args)
      } catch (error) {
        if (error instanceof Refusal) throw error
        log(name, "error", 0, error)
      }
    }
  }

  function begin(work) {
    const job = guarded("event", work)().finally(() => pending.delete(job))
    pending.add(job)
  }

  function remember(s, words) {
    s.saved = words
    if (!/^\w{1,100}$/.test(s.id)) return
    const folder = path.join(DATA, "starts")
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const file = path.join(folder, s.id)
    if (!fs.existsSync(file)) removeOld(folder)
    fs.writeFileSync(file, words, { mode: 0o600 })
  }

  /** Return the text for the session's system prompt. The host sends it with each request and does
   * not store it: keep the text, so that a resumed session has the same one. */
  async function beginning(s) {
    s.begun ??= start(s)
    const words = [await s.begun]
    if (s.compacted) {
      s.compacted = false
      s.after = run("SessionStart", s, { source: "compact" }, "compact").then((a) => a.context)
    }
    words.push(await s.after)
    const whole = words.filter(Boolean).join("\n\n")
    if (!s.parent && whole !== (s.saved ?? "")) remember(s, whole)
    return whole
  }

  async function start(s) {
    if (s.parent) return (await run("SubagentStart", s, {}, s.agent)).context
    const source = s.resumed ? "resume" : "startup"
    const saved = s.resumed && /^\w+$/.test(s.id) ? read(path.join(DATA, "starts", s.id)) : ""
    if (saved) s.saved = saved
    const { context } = await run("SessionStart", s, { source }, source)
    return [saved, context].filter(Boolean).join("\n\n")
  }

  // ---- tools ----------------------------------------------------------------------------------

  async function beforeTool({ tool, sessionID, callID }, { args }) {
    const s = await describedSession(sessionID)
    const since = Date.now()
    let calls = toCalls(tool, args, directory)
    const answers = await each(calls, (call) => {
      const fields = { tool_name: call.name, tool_input: call.input, tool_use_id: callID }
      return run("PreToolUse", s, fields, call.name, since)
    })
    const refused = answers.find((answer) => answer.stop || REFUSED.includes(answer.decision))
    if (refused) {
      s.refused.add(callID)
      throw new Refusal(why(refused))
    }
    if (tool === "apply_patch") {
      const lost = answers.some((answer) => answer.input)
      if (lost) log("PreToolUse", "cannot be delivered: updated_input")
    } else if (answers[0].input) {
      change(tool, args, answers[0].input)
      calls = toCalls(tool, args, directory)
    }
    for (const call of calls) {
      if (editTools.includes(call.name)) call.original = read(text(call.input.file_path))
    }
    const contexts = answers.map((answer) => answer.context).filter(Boolean)
    s.calls.set(callID, { calls, contexts, started: Date.now() })
  }

  async function afterTool({ tool, sessionID, callID, args }, output) {
    const s = await describedSession(sessionID)
    const before = s.calls.get(callID)
    s.calls.delete(callID)
    const calls = toResults(tool, args, output, directory, before?.calls ?? [])
    const contexts = before?.contexts ?? []
    const since = Date.now()
    calls.forEach((call, number) => noteCall(s, callID + (number || ""), call))
    const answers = await each(calls, (call) => {
      const fields = { tool_name: call.name, tool_input: call.input, tool_use_id: callID }
      if (before) fields.duration_ms = since - before.started
      if (call.error !== undefined) return run(...failure(s, fields, call.error), since)
      return run("PostToolUse", s, { ...fields, tool_response: call.response }, call.name, since)
    })
    for (const answer of answers) {
      const instead = isObject(answer.output) ? answer.output.stdout : answer.output
      if (typeof instead === "string" && typeof output.output === "string") output.output = instead
      contexts.push(...[answer.reason, answer.context, answer.stop].filter(Boolean))
    }
    if (!contexts.length) return
    const context = [...new Set(contexts)].join("\n\n")
    if (typeof output.output === "string") output.output += "\n\n" + context
    else if (Array.isArray(output.content)) {
      output.content.push({ type: "text", text: context }) // MCP
    }
  }

  // ---- events that the host only reports ------------------------------------------------------

  const EVENTS = {
    "session.created": ({ info }) => {
      const s = session(info.id)
      s.described ??= describe(s, { ...info, time: { created: Date.now() } })
    },
    "session.deleted": ({ info }) => sessions.delete(info.id),
    "session.error": ({ sessionID, error }) => {
      if (sessionID && error?.name === "MessageAbortedError") session(sessionID).aborted = true
    },
    "session.idle": ({ sessionID }) => begin(() => stop(sessionID)),
    "session.compacted": ({ sessionID }) =>
      begin(async () => {
        const s = await describedSession(sessionID)
        if (s.parent) return
        s.compacted = true
        const trigger = s.trigger ?? "auto"
        await run("PostCompact", s, { trigger, compact_summary: s.summary ?? "" }, trigger)
      }),
    "message.updated": ({ info }) => {
      if (info.role !== "assistant") return
      const s = session(info.sessionID)
      if (info.summary === true) s.summaryID = info.id
      else if (info.time?.completed) note(s, "assistant", [], usage(info))
    },
    "message.part.updated": ({ part }) => {
      const s = session(part.sessionID)
      if (part.type === "compaction") s.trigger = part.auto ? "auto" : "manual"
      if (part.type === "tool" && part.state?.status === "error") begin(() => failed(part))
    },
    "todo.updated": ({ sessionID, todos }) =>
      begin(async () => {
        const s = await describedSession(sessionID)
        const before = s.todos
        s.todos = new Map(todos.map((todo) => [text(todo.content), text(todo.status)]))
        note(s, "assistant", [{ type: "tool_use", name: "TodoWrite", input: { todos } }])
        for (const [subject, status] of s.todos) {
          const task = { task_id: subject, task_subject: subject }
          const was = before.get(subject)
          if (was === undefined) await run("TaskCreated", s, task)
          if (status === "completed" && was !== status) await run("TaskCompleted", s, task)
        }
      }),
    "file.watcher.updated": ({ file, event }) =>
      begin(() => run("FileChanged", session(latest), { file_path: file, event })),
    "permission.asked": (asked) => begin(() => permission(asked)),
    "permission.replied": ({ sessionID, reply }) => {
      if (reply === "reject") session(sessionID).aborted = true // the host ends the turn
    },
  }

  async function stop(sessionID) {
    const s = await describedSession(sessionID)
    const last_assistant_message = s.lastMessage ?? ""
    const fields = { stop_hook_active: Boolean(s.refusals), last_assistant_message }
    s.calls.clear() // left over from calls that failed
    s.refused.clear()
    if (s.parent) {
      await run("SubagentStop", s, fields, s.agent)
      return
    }
    const answer = await run("Stop", s, { ...fields, background_tasks: [], session_crons: [] })
    const refused = answer.decision === "block" ? answer.reason : ""
    const words = [refused, answer.context].filter(Boolean).join("\n\n")
    if (!words || answer.stop || s.aborted) return
    if (RUN || (s.refusals ?? 0) >= ALL_BLOCKS) {
      log("Stop", "cannot be delivered: decision")
      return
    }
    s.refusals = (s.refusals ?? 0) + 1
    s.echo = words
    const body = { agent: s.as, model: s.model, parts: [{ type: "text", text: words }] }
    quietly(() => client.session.promptAsync({ path: { id: s.id }, body }))
  }

  /** Report a tool that failed inside the host, which calls no hook after it. */
  async function failed({ sessionID, callID, tool, state }) {
    const s = await describedSession(sessionID)
    if (s.refused.delete(callID)) return
    for (const call of toCalls(tool, state.input, directory)) {
      const fields = { tool_name: call.name, tool_input: call.input, tool_use_id: callID }
      await run(...failure(s, fields, short(state.error)))
    }
  }

  async function permission({ id, sessionID, permission: kind, metadata, tool }) {
    const s = await describedSession(sessionID)
    const type = "permission_prompt"
    const notice = { message: "OpenCode needs your permission", notification_type: type }
    await run("Notification", s, notice, type)
    const [call] = s.calls.get(tool?.callID)?.calls ?? toCalls(kind, metadata, directory)
    const asked = { tool_name: call.name, tool_input: call.input }
    const { decision } = await run("PermissionRequest", s, asked, call.name)
    if (decision !== "allow" && decision !== "deny") return
    const response = decision === "allow" ? "once" : "reject"
    const where = { id: sessionID, permissionID: id }
    quietly(() => client.postSessionIdPermissionsPermissionId({ path: where, body: { response } }))
  }

  // ---- the hooks ------------------------------------------------------------------------------

  return {
    config: guarded("config", async (config) => {
      for (const name of ["title", "summary", "compaction"]) {
        const prompt = text(config?.agent?.[name]?.prompt).slice(0, 100)
        if (prompt) internal.push(prompt)
      }
    }),
    "chat.message": guarded("UserPromptSubmit", async ({ sessionID }, { message, parts }) => {
      const s = await describedSession(sessionID)
      const typed = parts.filter((part) => part.type === "text" && !part.synthetic)
      const prompt = unquoted(typed.map((part) => part.text).join("\n"))
      if (!s.parent) latest = s.id
      if (s.echo === prompt) {
        s.echo = undefined // our own text, sent at the end of a turn
        return
      }
      const { agent: as, model } = message
      Object.assign(s, { active: true, aborted: false, refusals: 0, as, model })
      await beginning(s)
      // the model writes a subagent's prompt
      const answer = s.parent ? {} : await run("UserPromptSubmit", s, { prompt })
      if (answer.stop || answer.decision === "block") {
        show(why(answer)) // the host does not show the reason of a refusal
        throw new Refusal(why(answer))
      }
      note(s, "user", short(prompt))
      if (!answer.context) return
      const last = parts.at(-1)?.id ?? "prt_" + message.id // the host sorts parts by id
      const part = { id: last + "x", sessionID, messageID: message.id, type: "text" }
      parts.push({ ...part, text: answer.context, synthetic: true })
    }),
    "experimental.chat.system.transform": guarded("SessionStart", async (input, { system }) => {
      const { sessionID } = input
      if (!sessionID || internal.some((words) => text(system[0]).startsWith(words))) return
      const words = await beginning(await describedSession(sessionID))
      if (words) system.push(words)
    }),
    "experimental.text.complete": guarded("text", async ({ sessionID, messageID }, output) => {
      const s = await describedSession(sessionID)
      if (messageID === s.summaryID) s.summary = output.text
      else {
        s.lastMessage = short(output.text, 20_000)
        note(s, "assistant", [{ type: "text", text: short(output.text) }])
      }
    }),
    "experimental.session.compacting": guarded("PreCompact", async ({ sessionID }, { context }) => {
      const s = await describedSession(sessionID)
      if (s.parent) return
      const trigger = s.trigger ?? "auto"
      const answer = await run("PreCompact", s, { trigger, custom_instructions: null }, trigger)
      if (answer.context) context.push(answer.context)
    }),
    "tool.execute.before": guarded("PreToolUse", beforeTool),
    "tool.execute.after": guarded("PostToolUse", afterTool),
    event: guarded("event", async ({ event }) => EVENTS[event.type]?.(event.properties)),
    dispose: guarded("SessionEnd", async () => {
      await Promise.all(pending)
      const open = [...sessions.values()].filter((s) => s.active && !s.parent)
      await each(open, (s) => run("SessionEnd", s, { reason: "other" }, "other"))
      if (active.get(directory) === import.meta.url) active.delete(directory)
    }),
  }
}

// ---- files and processes ------------------------------------------------------------------------

/** Return the contents of a text file, null if it is missing, binary or too large. */
function read(file) {
  try {
    const status = fs.statSync(file)
    if (!status.isFile() || status.size > MOST_FILE) return null
    const words = fs.readFileSync(file, "utf8")
    return words.includes("\0") ? null : words
  } catch {
    return null
  }
}

/** Return the top of the git working tree around folder, else folder itself. */
function repository(folder) {
  for (let top = folder; top !== path.dirname(top); top = path.dirname(top)) {
    if (fs.existsSync(path.join(top, ".git"))) return top
  }
  return folder
}

/** Return what a JSON file of this plugin holds. */
function readJson(...names) {
  try {
    return JSON.parse(read(path.join(ROOT, ...names))) ?? {}
  } catch {
    return {} // the plugin is just being replaced
  }
}

function removeOld(folder) {
  const oldest = Date.now() - KEPT_DAYS * 24 * 3600 * 1000
  for (const name of fs.readdirSync(folder)) {
    const file = path.join(folder, name)
    if (fs.statSync(file).mtimeMs < oldest) fs.rmSync(file, { force: true })
  }
}

/** Append a line, without contents, to the log of the hooks. */
function log(event, outcome, ms = 0, error = undefined) {
  const time = new Date().toISOString().slice(0, 19) + "Z"
  const line = { time, plugin: NAME, event, hook: "", ms, outcome, bytes: 0 }
  const places = text(error?.stack).match(/[\w-]+\.js:\d+/g) ?? []
  if (error) Object.assign(line, { error: error.name, at: places.slice(0, 5) })
  try {
    fs.mkdirSync(DATA, { recursive: true, mode: 0o700 })
    const file = path.join(DATA, "hooks.log")
    const { size = 0 } = fs.statSync(file, { throwIfNoEntry: false }) ?? {}
    if (size < MOST_LOG) fs.appendFileSync(file, JSON.stringify(line) + "\n", { mode: 0o600 })
  } catch {
    // an unwritable log is no error
  }
}

/** End a process and its children. */
function end(child) {
  try {
    if (WINDOWS) child.kill()
    else process.kill(-child.pid, "SIGKILL")
  } catch {
    // it has already ended
  }
}

function within(seconds, promise, otherwise) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), seconds * 1000)
    const done = (value) => (clearTimeout(timer), resolve(value ?? otherwise))
    Promise.resolve(promise).then(done, () => done(otherwise))
  })
}

/** Do work on each item, TOGETHER at a time; return the results in order. */
async function each(items, work) {
  const results = []
  let next = 0
  const worker = async () => {
    while (next < items.length) {
      const number = next++
      results[number] = await work(items[number])
    }
  }
  await Promise.all(Array.from({ length: TOGETHER }, worker))
  return results
}

// ---- input and output of hooks/run --------------------------------------------------------------

/** Return whether a rule of the pipeline may match subject: any matcher but plain names may. */
function isWanted(rules, subject) {
  return (rules ?? []).some(({ matcher }) => {
    const tools = [isObject(matcher) ? matcher.tools : matcher].flat()
    const plain = tools.every((one) => typeof one === "string" && /^[\w|, -]+$/.test(one))
    if (!plain || subject === undefined) return true
    const names = tools.flatMap((one) => one.split(/[|,]/)).map((name) => name.trim())
    return names.includes(subject) || (subject === "Agent" && names.includes("Task"))
  })
}

function parse(name, stdout) {
  if (!stdout.trim()) return {}
  if (name === "PreCompact" && stdout[0] !== "{") return { context: stdout.trim() }
  const answer = JSON.parse(stdout)
  const specific = answer.hookSpecificOutput ?? {}
  return {
    context: text(specific.additionalContext),
    message: text(answer.systemMessage),
    decision: specific.permissionDecision ?? specific.decision?.behavior ?? answer.decision,
    reason: text(specific.permissionDecisionReason ?? answer.reason),
    input: isObject(specific.updatedInput) ? specific.updatedInput : undefined,
    output: specific.updatedToolOutput,
    stop: answer.continue === false ? answer.stopReason || "stopped by a hook" : "",
  }
}

function why({ reason, stop, decision }) {
  const words = reason || stop || "refused by a hook"
  // a plugin cannot make the host ask
  return ["ask", "defer"].includes(decision) ? words + " (ask the user first)" : words
}

function failure(s, fields, error) {
  const event = { ...fields, error, is_interrupt: false }
  return ["PostToolUseFailure", s, event, fields.tool_name]
}

function usage({ modelID, tokens = {} }) {
  const { read: cache_read_input_tokens, write: cache_creation_input_tokens } = tokens.cache ?? {}
  const cache = { cache_read_input_tokens, cache_creation_input_tokens }
  const spent = { input_tokens: tokens.input, output_tokens: tokens.output, ...cache }
  return { model: text(modelID), usage: spent }
}

// ---- tools: Claude Code's names for OpenCode's --------------------------------------------------

function names(tool) {
  return { ...FIELDS, ...OWN_FIELDS[tool] }
}

/** Return a call as Claude Code's calls: one, or one per file of a patch. */
function toCalls(tool, args, directory) {
  const fields = isObject(args) ? args : {}
  if (tool === "apply_patch") return parsePatch(text(fields.patchText), directory)
  const input = {}
  for (const [key, value] of Object.entries(fields)) input[names(tool)[key] ?? key] = value
  if (input.filepath && !input.file_path) input.file_path = input.filepath // of a permission
  if (text(input.file_path)) input.file_path = path.resolve(directory, input.file_path)
  return [{ name: TOOLS[tool] ?? tool, input }]
}

/** Copy a changed input into the host's own object, the only one that it reads. */
function change(tool, args, input) {
  const back = new Map(Object.entries(names(tool)).map(([theirs, ours]) => [ours, theirs]))
  const wanted = new Map(Object.entries(input).map(([key, value]) => [back.get(key) ?? key, value]))
  for (const key of Object.keys(args)) if (!wanted.has(key)) delete args[key]
  for (const [key, value] of wanted) args[key] = value
}

/** Return the calls with a `response` or an `error`, and `resultText` for the transcript. */
function toResults(tool, args, output, directory, before) {
  const meta = isObject(output.metadata) ? output.metadata : {}
  const resultText = text(output.output)
  if (tool === "apply_patch") return patchResults(meta.files, before, directory)
  const [call] = toCalls(tool, args, directory)
  const original = before[0]?.original ?? null
  const file = call.input.file_path
  if (call.name === "Bash" && "exit" in meta && meta.exit !== 0) {
    const what = meta.exit === null ? "Command timed out" : "Exit code " + meta.exit
    const error = what + "\n" + resultText
    return [{ ...call, error, resultText: error }]
  }
  if (call.name === "Bash") {
    call.response = { stdout: resultText, stderr: "", interrupted: false, isImage: false }
  } else if (call.name === "Write") {
    call.response = written(file, text(call.input.content), meta.exists ? original : null)
    call.response.type = meta.exists ? "update" : "create"
  } else if (call.name === "Edit") {
    const { old_string: oldString, new_string: newString } = call.input
    const structuredPatch = hunks(text(meta.diff))
    const change = { oldString, newString, structuredPatch }
    call.response = { filePath: file, originalFile: original, ...change }
  } else if (call.name === "Read") {
    const content = text(meta.display?.text ?? meta.preview)
    call.response = { type: "text", file: { filePath: file, content } }
  } else call.response = { output: resultText }
  return [{ ...call, resultText: call.response.type === "create" ? CREATED : resultText }]
}

function patchResults(files, before, directory) {
  const remaining = Array.isArray(files) ? files.filter(({ type }) => type !== "delete") : []
  const of = (file) => before.find((call) => call.input.file_path === file)
  return remaining.map(({ type, filePath, movePath, patch }) => {
    const from = path.resolve(directory, filePath)
    const file = path.resolve(directory, movePath ?? filePath)
    const input = { ...of(file)?.input, file_path: file }
    if (type === "add") {
      const response = { ...written(file, text(input.content), null), type: "create" }
      return { name: "Write", input, response, resultText: CREATED }
    }
    const originalFile = of(from)?.original ?? null
    const response = { filePath: file, originalFile, structuredPatch: hunks(text(patch)) }
    return { name: "Edit", input, response, resultText: "" }
  })
}

/** Return the files of a patch as calls; the marks are the host's. */
function parsePatch(patch, directory) {
  const calls = []
  let old = []
  let now = []
  const close = () => {
    const call = calls.at(-1)
    if (call?.name === "Write") call.input.content = now.map((line) => line + "\n").join("")
    else if (call) {
      Object.assign(call.input, { old_string: old.join("\n"), new_string: now.join("\n") })
    }
    old = []
    now = []
  }
  for (const line of patch.split("\n")) {
    const [, mark, name = ""] = line.match(/^\*\*\* (\w+ (?:File|to)):(.*)/) ?? []
    if (MARKS.includes(mark) && name.trim()) {
      close() // a moved file is two calls: the old path, and the new one with the changes
      const input = { file_path: path.resolve(directory, name.trim()) }
      calls.push({ name: mark === "Add File" ? "Write" : "Edit", input })
    } else if (!line.startsWith("***")) {
      if (line[0] === " " || line[0] === "-") old.push(line.slice(1))
      if (line[0] === " " || line[0] === "+") now.push(line.slice(1))
    }
  }
  close()
  return calls
}

/** Return the hunks of a unified diff in Claude Code's form. */
function hunks(diff) {
  const result = []
  for (const line of diff.split("\n")) {
    const [, oldStart, oldLines = 1, newStart, newLines = 1] =
      line.match(/^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/) ?? []
    if (oldStart) {
      const [a, b, c, d] = [oldStart, oldLines, newStart, newLines].map(Number)
      result.push({ oldStart: a, oldLines: b, newStart: c, newLines: d, lines: [] })
    } else if (result.length && /^[-+ ]/.test(line)) result.at(-1).lines.push(line)
  }
  return result
}

/** Return the response to a Write, with one hunk from the first changed line to the last. */
function written(filePath, content, originalFile) {
  if (originalFile === null) return { filePath, content, structuredPatch: [], originalFile }
  const old = originalFile.split("\n")
  const now = content.split("\n")
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start++
  let same = 0
  const most = Math.min(old.length, now.length) - start
  while (same < most && old.at(-1 - same) === now.at(-1 - same)) same++
  const gone = old.slice(start, old.length - same)
  const come = now.slice(start, now.length - same)
  const lines = [...gone.map((line) => "-" + line), ...come.map((line) => "+" + line)]
  const hunk = { oldStart: start + 1, oldLines: gone.length, newStart: start + 1 }
  Object.assign(hunk, { newLines: come.length, lines })
  return { filePath, content, structuredPatch: lines.length ? [hunk] : [], originalFile }
}
