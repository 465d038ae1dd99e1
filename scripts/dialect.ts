/** Checks of this project's dialect that the linter has no rule for: the case of constants, the subjects of commits, the words of pages. */
import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { commentBreaches } from "./dialect/Comments.ts"
import { proseBreaches } from "./dialect/Prose.ts"
import { textBreaches } from "./dialect/SourceTexts.ts"
import { pagesBelow, root, sourcesIn } from "./sources.ts"

/** The number of newest commits to check. */
const commits = 50

/** `room: imperative summary`, or several rooms by commas, at most 72 characters. */
const subject = /^[a-z0-9-]+(, [a-z0-9-]+)*: \S.*$/
const mostCharacters = 72

const capitals = /\b(?:const|let)\s+([A-Z][A-Z0-9_]+)\b(?=\s*[:=])/g

const constants = ["src", "scripts"].flatMap((folder) =>
  sourcesIn(folder).flatMap(({ path }) =>
    [...readFileSync(join(root, path), "utf8").matchAll(capitals)].map((match) =>
      `${path}: ${match[1]} is a constant; write it in camelCase`
    )
  )
)

const subjects = (): ReadonlyArray<string> =>
  existsSync(join(root, ".git"))
    ? execFileSync("git", ["log", `--max-count=${commits}`, "--no-merges", "--format=%h %s"], { cwd: root, encoding: "utf8" }).trim().split(
      "\n"
    )
    : []

const badSubjects = subjects()
  .map((line) => ({ hash: line.slice(0, line.indexOf(" ")), text: line.slice(line.indexOf(" ") + 1) }))
  .filter(({ text }) => text.length > mostCharacters || !subject.test(text))
  .map(({ hash, text }) => `commit ${hash}: "${text}" is not "room: imperative summary" of at most ${mostCharacters} characters`)

/** Pages whose sentences are not counted, because they are generated from texts in `src`, where their words are checked. */
const generated: ReadonlySet<string> = new Set(["docs/errors.md"])

const prose = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ...pagesBelow("docs")]
  .filter((path) => !generated.has(path))
  .flatMap((path) => proseBreaches(path, readFileSync(join(root, path), "utf8")))

/** Most texts of `src` that may still break the word list. This number may only be lowered. */
const mostTextBreaches = 1

/** Texts for callers and logs: every literal of `src` except those of the sandbox. */
const texts = sourcesIn("src")
  .filter(({ path }) => !path.startsWith("src/sandbox/"))
  .flatMap(({ path }) => textBreaches(path, readFileSync(join(root, path), "utf8")))

/** Its strings hold comments that break the rules. */
const brokenOnPurpose = "test/scripts/Prose.test.ts"

const comments = ["src", "scripts", "test"]
  .flatMap((folder) => sourcesIn(folder))
  .filter(({ path }) => path !== brokenOnPurpose)
  .flatMap(({ path }) => commentBreaches(path, readFileSync(join(root, path), "utf8")))

const breaches = [...constants, ...badSubjects, ...prose, ...(texts.length > mostTextBreaches ? texts : []), ...comments]
for (const line of breaches) console.error(line)
console.log(`dialect: ${breaches.length} breaches`)
process.exitCode = breaches.length === 0 ? 0 : 1
