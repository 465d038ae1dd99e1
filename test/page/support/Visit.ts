import { type Keypair, TransactionBuilder } from "@stellar/stellar-sdk"
import type { BrowserPage } from "../../support/Browser.ts"

/** Waits until an expression on the page is true. Otherwise fails with the text of the page. */
const until = async (page: BrowserPage, expression: string) => {
  const stuck = await page.evaluate(`new Promise((done) => {
    const end = performance.now() + 25_000
    const look = () => {
      if (${expression}) return done(null)
      if (performance.now() > end) return done(document.activeElement.outerHTML.slice(0, 200) + " " + document.getElementById("main").innerText.slice(-1500))
      setTimeout(look, 20)
    }
    look()
  })`)
  if (stuck !== null) throw new Error(`the page does not come to ${expression}: ${String(stuck)}`)
}

/** Opens a page of the service. `injected` runs before its script, as a wallet's would. */
export const opened = async (page: BrowserPage, url: string, injected = "") => {
  if (injected !== "") await page.send("Page.addScriptToEvaluateOnNewDocument", { source: injected })
  await page.send("Page.navigate", { url: "about:blank" })
  await page.send("Page.navigate", { url })
  await page.until("document.readyState === 'complete' && document.querySelector('main section, main .danger') !== null")
}

/** Presses the button that has a text, and fails where there is none. */
export const pressed = async (page: BrowserPage, text: string) => {
  const found = `[...document.querySelectorAll("button")].find((one) => one.textContent === ${JSON.stringify(text)} && !one.disabled)`
  await until(page, `${found} !== undefined`)
  await page.evaluate(`${found}.click()`)
}

export const filled = (page: BrowserPage, id: string, text: string) =>
  page.evaluate(`document.getElementById(${JSON.stringify(id)}).value = ${JSON.stringify(text)}`)

export const shows = (page: BrowserPage, selector: string) => until(page, `document.querySelector(${JSON.stringify(selector)}) !== null`)

export const textOf = (page: BrowserPage, selector: string) =>
  page.evaluate(`document.querySelector(${JSON.stringify(selector)})?.textContent ?? ""`).then(String)

export const says = (page: BrowserPage, selector: string, words: RegExp) =>
  until(page, `${String(words)}.test(document.querySelector(${JSON.stringify(selector)})?.textContent ?? "")`)

export const signedWith = (xdr: string, passphrase: string, ...keys: ReadonlyArray<Keypair>): string => {
  const transaction = TransactionBuilder.fromXdr(xdr, passphrase)
  transaction.sign(...keys)
  return transaction.toXdr()
}

/** An extension like xBull, whose requests the functions below answer. */
export const xBullOf = (address: string) => `
window.asked = null
window.xBullSDK = {
  connect: async () => {},
  getPublicKey: async () => ${JSON.stringify(address)},
  signXDR: (xdr, { network }) => new Promise((resolve, reject) => { window.asked = { xdr, network, resolve, reject } })
}`

/** An extension like Freighter, which communicates by messages. */
export const freighterOf = (address: string) => `
window.asked = null
window.freighter = true
window.addEventListener("message", ({ data }) => {
  if (data?.source !== "FREIGHTER_EXTERNAL_MSG_REQUEST") return
  const answer = (more) => window.postMessage({ source: "FREIGHTER_EXTERNAL_MSG_RESPONSE", messagedId: data.messageId, ...more }, location.origin)
  if (data.type === "REQUEST_ACCESS") answer({ publicKey: ${JSON.stringify(address)} })
  if (data.type === "SUBMIT_TRANSACTION") window.asked = {
    xdr: data.transactionXdr,
    network: data.networkPassphrase,
    resolve: (signedTransaction) => answer({ signedTransaction }),
    reject: (error) => answer({ error })
  }
})`

/** The extension's request to sign. */
export const askedToSign = async (page: BrowserPage): Promise<{ readonly xdr: string; readonly network: string }> => {
  await until(page, "window.asked !== null")
  return JSON.parse(String(await page.evaluate("JSON.stringify({ xdr: asked.xdr, network: asked.network })")))
}

/** Signs the extension's request. */
export const signs = async (page: BrowserPage, ...keys: ReadonlyArray<Keypair>) => {
  const { network, xdr } = await askedToSign(page)
  await page.evaluate(`{ const { resolve } = asked; asked = null; resolve(${JSON.stringify(signedWith(xdr, network, ...keys))}) }`)
}

/** Signs in by xBull, and has the plan into a destination shown. */
export const planShown = async (page: BrowserPage, source: Keypair, destination: string) => {
  await pressed(page, "Connect xBull")
  await signs(page, source)
  await shows(page, "#where")
  await filled(page, "destination", destination)
  await pressed(page, "Show the plan")
  await shows(page, "#plan fieldset")
}

/** Answers every open question with its first option, and confirms the destination. */
export const answered = async (page: BrowserPage) => {
  await page.evaluate(`document.querySelectorAll("#plan fieldset").forEach((one) => {
    if (one.querySelector("input:checked") === null) one.querySelector("input[type=radio]").click()
  })`)
  await pressed(page, "Update the plan")
  await says(page, "#status", /up to date/)
}

/** Confirms the irreversible step, and closes. */
export const confirmed = async (page: BrowserPage, destination: string) => {
  await shows(page, "#confirm")
  await filled(page, "last-four", destination.slice(-4))
  await page.evaluate("document.querySelectorAll('#confirm input[type=checkbox]').forEach((one) => one.click())")
  await pressed(page, "Close this account")
}
