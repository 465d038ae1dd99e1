import { assert } from "@effect/vitest"
import type { BrowserPage } from "./Browser.ts"

/** Presses Tab until the right element has the focus. A page that traps the keyboard fails. */
export const tabTo = async (page: BrowserPage, selector: string) => {
  for (let count = 0; count < 40; count++) {
    if (await page.evaluate(`document.activeElement !== null && document.activeElement.matches(${JSON.stringify(selector)})`) === true) {
      return
    }
    await page.press("Tab")
  }
  assert.fail(`the keyboard does not get to ${selector}`)
}

/** Replaces the text of the focused field. */
export const retype = async (page: BrowserPage, text: string) => {
  await page.evaluate("document.activeElement.value = ''")
  await page.type(text)
}
