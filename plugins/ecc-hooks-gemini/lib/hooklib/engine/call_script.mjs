// Call a user's JavaScript or TypeScript file: its function gets the event and returns the output object.
// Started as `node call_script.mjs SCRIPT` with the event on stdin. What the script prints goes to
// stderr, so that stdout holds the answer and nothing else.
import { readFileSync, writeSync } from "node:fs";
import { pathToFileURL } from "node:url";

const NAMES = ["default", "run", "hook", "handler", "main"];

process.stdout.write = process.stderr.write.bind(process.stderr);

const event = JSON.parse(readFileSync(0, "utf8"));
const loaded = await import(pathToFileURL(process.argv[2]).href);
const places = [loaded, loaded.default].filter(Boolean); // CommonJS exports arrive as the default
const found = places.flatMap((place) => NAMES.map((name) => place[name]));
const call = [loaded.default, ...found].find((value) => typeof value === "function");
if (!call) {
  console.error("no function is exported as " + NAMES.join(", "));
  process.exit(1);
}
const answer = await call(event);
if (answer !== undefined && answer !== null) {
  const bytes = Buffer.from(JSON.stringify(answer));
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(1, bytes, sent);
}
process.exit(0);
