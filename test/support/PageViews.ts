import { assert } from "@effect/vitest"
import { Struct } from "effect"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import type { BrowserPage } from "./Browser.ts"

/** Folder for screenshots, from PICTURES; null: none are made. */
const pictures = process.env["PICTURES"] ?? null

const views = {
  small: { width: 360, height: 740, deviceScaleFactor: 2, mobile: true },
  phone: { width: 390, height: 844, deviceScaleFactor: 2, mobile: true },
  desktop: { width: 1280, height: 900, deviceScaleFactor: 1, mobile: false }
} as const

/** Each width and each colour scheme is checked once, because axe takes seconds for a long page. */
const byAxe: Readonly<Record<string, string>> = { phone: "dark", desktop: "light" }

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** Every rule of axe, the recommended ones included, each with the element that breaks it. */
const faultsByAxe = `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
  violations.flatMap(({ id, impact, nodes }) => nodes.slice(0, 3).map(({ html }) => impact + " " + id + ": " + html.slice(0, 160))))`

/** Content wider than the window, and buttons too small for a finger. */
const faultsOfSize = `[
  ...(document.documentElement.scrollWidth > document.documentElement.clientWidth ? ["wider than the window: " + document.documentElement.scrollWidth] : []),
  ...[...document.querySelectorAll("button, summary")]
    .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 44)
    .map((one) => "small: " + one.outerHTML.slice(0, 80))
]`

const seenAs = async (page: BrowserPage, name: string, view: keyof typeof views): Promise<void> => {
  await page.send("Emulation.setDeviceMetricsOverride", views[view])
  assert.deepStrictEqual(await page.evaluate(faultsOfSize), [], `${name}, ${view}`)
}

/** Checks that a page fits the window, wide and narrow. */
export const fits = async (page: BrowserPage, name: string): Promise<void> => {
  for (const view of Struct.keys(views)) await seenAs(page, name, view)
}

/** Checks a page wide and narrow, in light and dark: it fits the window, and axe finds no fault. */
export const looked = async (page: BrowserPage, name: string): Promise<void> => {
  if (await page.evaluate("typeof axe") === "undefined") await page.evaluate(`${axe}; 0`)
  for (const view of Struct.keys(views)) {
    await seenAs(page, name, view)
    if (view === "small") continue
    for (const scheme of ["light", "dark"]) {
      await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] })
      if (byAxe[view] === scheme) assert.deepStrictEqual(await page.evaluate(faultsByAxe), [], `${name}, ${view}, ${scheme}`)
      if (pictures === null) continue
      const { data } = await page.send("Page.captureScreenshot", {})
      mkdirSync(pictures, { recursive: true })
      writeFileSync(join(pictures, `${name}-${view}-${scheme}.png`), Buffer.from(String(data), "base64"))
    }
  }
}
