import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startTestService } from "../support/TestService.ts"

const deployed = (name: string): string => readFileSync(new URL(`../../deploy/${name}`, import.meta.url), "utf8")
const guide = readFileSync(new URL("../../docs/operating.md", import.meta.url), "utf8")

const Dashboard = Schema.parseJson(Schema.Struct({
  panels: Schema.Array(Schema.Struct({
    title: Schema.String,
    targets: Schema.NonEmptyArray(Schema.Struct({ expr: Schema.String }))
  }))
}))

/** Every query of the dashboard, with a time in place of Grafana's variable. */
const queries = Schema.decodeSync(Dashboard)(deployed("dashboard.json")).panels
  .flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m")))

const rules = deployed("alerts.yml")
const alerts = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name)

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0
if (!hasPromtool) console.log("skipped: no promtool")

const checked = (text: string) => {
  const folder = mkdtempSync(join(tmpdir(), "rules-"))
  writeFileSync(join(folder, "rules.yml"), text)
  const { status, stderr, stdout } = spawnSync("promtool", ["check", "rules", join(folder, "rules.yml")], { encoding: "utf8" })
  rmSync(folder, { recursive: true })
  return { status, said: `${stdout}${stderr}` }
}

/** Metrics that a text names, without the suffixes that Prometheus adds to a histogram's name. */
const namedIn = (text: string): ReadonlyArray<string> => [
  ...new Set([...text.matchAll(/\b(?:closeout|process|nodejs)_\w+/g)].map(([name]) => name.replace(/_(bucket|count)$/, "")))
]

/** Labels by which a query selects or groups. */
const labelsIn = (query: string): ReadonlyArray<string> => [
  ...[...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", ")),
  ...[...query.matchAll(/(\w+)(?:=~|!=|=)"/g)].map(([, name = ""]) => name)
]

const declared = [...guide.matchAll(/^\| ((?:`\w+`(?:, )?)+) \| .*$/gm)].flatMap(([row, names = ""]) =>
  [...names.matchAll(/`(\w+)`/g)].map(([, name = ""]) => ({ name, row }))
)

describe("the shipped dashboard and alerts", () => {
  it("name metrics that the operator's guide describes, and group them by labels that it names", () => {
    const described = new Map(declared.map(({ name, row }) => [name, row]))
    assert.isAbove(queries.length, 20)
    for (const query of [...queries, ...rules.split("- alert:")]) {
      const names = namedIn(query)
      const rows = names.map((name) =>
        described.get(name) ?? (/^(process|nodejs)_/.test(name) ? "" : assert.fail(`${name} is not described`))
      )
      for (const label of labelsIn(query)) {
        if (["instance", "job", "le"].includes(label)) continue
        assert.isTrue(rows.some((row) => row.includes(`\`${label}\``)), `${label} of ${names.join()}`)
      }
    }
  })

  it.scopedLive("are answered by metrics that a service gives after a request, but for those that count what went wrong", () =>
    Effect.gen(function*() {
      const { key, url } = yield* startTestService({ METRICS_TOKEN: "a-token-of-sixteen" })
      yield* Effect.promise(() => fetch(`${url}/testnet/account/GNOBODY`, { headers: { authorization: `Bearer ${key}` } }))
      const answer = yield* Effect.promise(() => fetch(`${url}/metrics`, { headers: { authorization: "Bearer a-token-of-sixteen" } }))
      const given = new Set(namedIn(yield* Effect.promise(() => answer.text())))
      const missing = namedIn([...queries, rules].join("\n")).filter((name) => !given.has(name))
      const later =
        /failures|refused|refusals|throttled|retries|failovers|residue|swept|cosigned|plan|submissions|upgrade|store_away|cache|mediator|turns/
      assert.deepStrictEqual(missing.filter((name) => !later.test(name)), [])
      assert.includeMembers([...given], ["closeout_component_up", "closeout_build_info", "closeout_http_requests_total"])
    }))

  it("have a heading in the runbook for each alert, which the alert names", () => {
    assert.isAbove(alerts.length, 10)
    for (const alert of alerts) {
      assert.include(guide, `\n### ${alert}\n`)
      assert.include(rules, `docs/operating.md#${alert.toLowerCase()}"`)
    }
  })

  it.skipIf(!hasPromtool)(`are valid by promtool${hasPromtool ? "" : " (skipped: no promtool)"}`, () => {
    const told = checked(rules)
    assert.strictEqual(told.status, 0, told.said)
    const recorded = queries.map((query, at) => `      - record: query:${at}\n        expr: ${JSON.stringify(query)}`).join("\n")
    const asked = checked(`groups:\n  - name: dashboard\n    rules:\n${recorded}\n`)
    assert.strictEqual(asked.status, 0, asked.said)
  })
})
