import { assert, describe, it } from "@effect/vitest"
import { JSONSchema, type SchemaAST } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { pagesBelow, sourcesIn } from "../scripts/sources.ts"
import { Api } from "../src/api/Api.ts"
import { BatchRequest } from "../src/api/Batch.ts"
import { ErrorTable } from "../src/api/ErrorTable.ts"
import { rules } from "../src/close/mediator/MediationRules.ts"
import { blocker, BlockerReason, warning, WarningCode } from "../src/domain/Blocker.ts"
import { TransactionsRequest } from "../src/domain/CloseTransaction.ts"
import { CloseRequest } from "../src/domain/Plan.ts"
import { placesOf } from "../src/http/route/Place.ts"
import { Behaviour } from "../src/sandbox/contracts/tokens/Behaviour.ts"
import { NetworkEvent } from "../src/sandbox/events/NetworkEvent.ts"
import { FaultRule } from "../src/sandbox/faults/FaultRule.ts"

const root = new URL("../", import.meta.url)
const textOf = (path: string): string => readFileSync(new URL(path, root), "utf8")
const pages = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ...pagesBelow("docs")]

/** The anchors that the common hosts make of headings. */
const anchorsOf = (path: string): ReadonlySet<string> =>
  new Set(
    [...textOf(path).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) =>
      title.toLowerCase().replaceAll(/[^\w\- ]/g, "").replaceAll(" ", "-")
    )
  )

/** The tags of every class a union is made of. */
const tagsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  switch (ast._tag) {
    case "Union":
      return ast.types.flatMap(tagsOf)
    case "Transformation":
      return tagsOf(ast.from)
    case "TypeLiteral":
      return ast.propertySignatures.flatMap(({ name, type }) => {
        if (name === "_tag" && type._tag === "Literal") return [String(type.literal)]
        return name === "fault" ? tagsOf(type) : []
      })
    default:
      return []
  }
}

/** What is used here of the JSON schema of a plan request. */
interface DefinedRequest {
  readonly $defs: {
    readonly CloseRequest: {
      readonly properties: Readonly<Record<string, { readonly default?: unknown; readonly maximum?: number; readonly minimum?: number }>>
    }
  }
}

describe("the pages", () => {
  it("point to pages, headings and files that exist", () => {
    for (const page of pages) {
      for (const [, target = ""] of textOf(page).matchAll(/\]\(([^)\s]+)\)/g)) {
        if (/^https?:/.test(target)) continue
        const [file = "", anchor] = target.split("#")
        const path = file === "" ? page : new URL(file, new URL(page, root)).pathname.slice(root.pathname.length)
        assert.isTrue(existsSync(new URL(path, root)), `${page}: ${target}`)
        if (anchor !== undefined) assert.include([...anchorsOf(path)], anchor, `${page}: ${target}`)
      }
      for (const [, path = ""] of textOf(page).matchAll(/`((?:src|test|scripts|docs)\/[\w./-]+)`/g)) {
        assert.isTrue(existsSync(new URL(path, root)), `${page}: ${path}`)
      }
    }
  })

  it("explain every blocker and warning where it points to", () => {
    const emitted = [
      ...BlockerReason.literals.map((reason) => blocker(reason, "in the way")),
      ...WarningCode.literals.map((code) => warning(code, "mind this", "something"))
    ]
    for (const { helpUrl = "" } of emitted) {
      const [path = "", anchor = ""] = helpUrl.slice(1).split("#")
      assert.include(pages, path, helpUrl)
      assert.include([...anchorsOf(path)], anchor, helpUrl)
    }
  })

  // With another rule for anchors, some links would point nowhere.
  it("are pointed to by everything that blocks or warns", () => {
    const written = new RegExp(`\\b(?:code|reason): "(?:${[...BlockerReason.literals, ...WarningCode.literals].join("|")})"`)
    const makers = sourcesIn("src").map(({ path }) => path).filter((path) => written.test(textOf(path)))
    assert.deepStrictEqual(makers.filter((path) => !/^src\/(api\/ErrorTable|domain\/Blocker)\.ts$/.test(path)), [])
  })

  it("name only scripts that there are", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> }
    for (const page of pages) {
      for (const [, script = ""] of textOf(page).matchAll(/npm run (?:--silent )?([\w:]+)/g)) assert.property(scripts, script, page)
    }
  })

  it("have an anchor for every error, blocker and warning", () => {
    const anchors = anchorsOf("docs/errors.md")
    const wanted = [
      ...Object.values(ErrorTable).map(({ code }) => `error-${code}`),
      ...BlockerReason.literals.map((reason) => `blocker-${reason}`),
      ...WarningCode.literals.map((code) => `warning-${code}`)
    ]
    assert.deepStrictEqual(wanted.filter((anchor) => !anchors.has(anchor)), [])
  })

  it("tell every route without a key, and no other", () => {
    const [, section = ""] = /^### Routes without a key$(.*?)^## /ms.exec(textOf("docs/operating.md")) ?? []
    const told = [...section.matchAll(/`(\/[^`]*)`/g)].map(([, path]) => path)
    const without = placesOf(Api).filter(({ needsKey }) => !needsKey).map(({ template }) => template.replaceAll(/:(\w+)/g, "{$1}"))
    assert.sameMembers([...new Set(told)], [...new Set(without)])
  })

  it("tell every rule of the mediator, in its order", () => {
    const told = [...textOf("docs/exchanges.md").matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
    assert.deepStrictEqual(told, rules.map(({ name }) => name))
  })

  it("tell every field of a plan, build and batch request, with its default and bounds", () => {
    const [, section = ""] = /^## Request fields$(.*?)^## /ms.exec(textOf("docs/closing.md")) ?? []
    const rows = new Map([...section.matchAll(/^\| `(\w+)` \|.*$/gm)].map(([row, field = ""]) => [field, row]))
    assert.sameMembers([...rows.keys()], [...new Set([TransactionsRequest, BatchRequest].flatMap(({ fields }) => Object.keys(fields)))])
    const { $defs: { CloseRequest: { properties } } } = JSONSchema.make(CloseRequest) as unknown as DefinedRequest
    const bounded = Object.entries(properties).filter(([, { maximum }]) => maximum !== undefined)
    assert.isNotEmpty(bounded)
    for (const [field, { default: otherwise, maximum, minimum }] of bounded) {
      assert.match(rows.get(field) ?? "", new RegExp(`\\| ${otherwise}\\b.*\\| ${minimum} to ${maximum} \\|`), field)
    }
  })

  it("map every folder of the source", () => {
    const map = textOf("docs/architecture.md")
    const folders = new Set(sourcesIn("src").flatMap(({ path }) => /^src\/(?:close\/)?[^/]+(?=\/)/.exec(path) ?? []))
    assert.isAbove(folders.size, 30)
    assert.deepStrictEqual([...folders].filter((folder) => !map.includes(`\`${folder}\``)), [])
  })

  it("tell every fault, every event and every hostile token of the sandbox", () => {
    const page = textOf("docs/testing.md")
    const tags = [...new Set([FaultRule, NetworkEvent, Behaviour].flatMap((schema) => tagsOf(schema.ast)))]
    assert.isAbove(tags.length, 20)
    assert.deepStrictEqual(tags.filter((tag) => !page.includes(`\`${tag}\``)), [])
  })

  it("keep the README short enough to be read", () => {
    assert.isAtMost(textOf("README.md").split(/\s+/).length, 2000)
  })
})
