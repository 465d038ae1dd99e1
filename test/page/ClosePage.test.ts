import { assert, describe } from "@effect/vitest"
import { Asset, Keypair, Memo, Operation } from "@stellar/stellar-sdk"
import { Effect } from "effect"
import type { TransactionsResult } from "../../src/domain/CloseTransaction.ts"
import { fund, perform } from "../../src/sandbox/scenarios/Scenario.ts"
import { depositInto, Issued, Pair } from "../close/support/Accounts.ts"
import { accountOf } from "../close/support/LedgerView.ts"
import { Service } from "../close/support/Service.ts"
import { type BrowserPage, browserPage, chromium } from "../support/Browser.ts"
import { retype, tabTo } from "../support/Keyboard.ts"
import { layer } from "../support/Layered.ts"
import { looked } from "../support/PageViews.ts"
import { isThorough } from "../support/Thorough.ts"
import {
  answered,
  askedToSign,
  confirmed,
  filled,
  freighterOf,
  opened,
  planShown,
  pressed,
  says,
  shows,
  signedWith,
  signs,
  textOf,
  xBullOf
} from "./support/Visit.ts"

if (chromium === null) console.log("skipped: no Chromium")

const presses = async (page: BrowserPage, selector: string, key: "Enter" | " " = "Enter") => {
  await tabTo(page, selector)
  await page.press(key)
}

/** A page of the service, and an account with a sellable asset. */
const visited = Effect.gen(function*() {
  const service = yield* Service
  const [source, destination, issuer, maker] = [Keypair.random(), Keypair.random(), Keypair.random(), Keypair.random()]
  const asset = new Asset("USD", issuer.publicKey())
  yield* service.on(fund("100", source, destination, issuer))
  yield* service.on(fund("5000", maker))
  yield* service.on(perform("something to sell", {
    as: issuer,
    signedBy: [issuer, source, maker],
    operations: [
      Operation.changeTrust({ asset, source: source.publicKey() }),
      Operation.changeTrust({ asset, source: maker.publicKey() }),
      Operation.payment({ asset, amount: "40", destination: source.publicKey() }),
      Operation.manageSellOffer({ selling: Asset.native(), buying: asset, amount: "1000", price: "0.5", source: maker.publicKey() })
    ]
  }))
  const page = yield* browserPage
  return { service, source, destination, page }
})

/** An asset with this balance on the account, and a pool of it with this many lumens and units. */
const inPool = (code: string, holder: Keypair, held: string, [lumens, units]: readonly [string, string]) =>
  Effect.gen(function*() {
    const { asset, issuer } = yield* Issued(code, [holder, held])
    yield* depositInto(issuer, asset, lumens, units)
    return { asset }
  })

/** The page treats the sandbox as the public network, and its requests still go to the sandbox. */
const asMainnet = `
document.addEventListener("readystatechange", () => {
  const { dataset } = document.body
  if (dataset.facts !== undefined) dataset.facts = dataset.facts.replace('"testnet"', '"mainnet"').replace('"sandbox":true', '"sandbox":false')
})
const fetched = window.fetch
window.fetch = (url, init) => fetched(url, init?.body === undefined ? init : { ...init, body: init.body.replace('"mainnet"', '"testnet"') });
`

/** The page's requests wait between `hold()` and `release()`. */
const holdable = `
const sent = window.fetch
let held = Promise.resolve()
window.hold = () => { held = new Promise((done) => { window.release = done }) }
window.fetch = (...given) => held.then(() => sent(...given));
`

/** Goes from the first step to the confirmation, with the installed extension. */
const agreed = async (page: BrowserPage, wallet: string, source: Keypair, destination: Keypair) => {
  await pressed(page, `Connect ${wallet}`)
  await signs(page, source)
  await shows(page, "#where")
  await filled(page, "destination", destination.publicKey())
  await pressed(page, "Show the plan")
  await shows(page, "#plan fieldset")
  await answered(page)
}

/** The requests to the service, without its pages and their files. */
const callsOf = ({ asked }: BrowserPage) => asked.filter((url) => url.includes("/close/")).map((url) => new URL(url).pathname)

describe.skipIf(chromium === null)("the page /close in a browser", () => {
  layer(Service.layer(), { excludeTestServices: true, timeout: "200 seconds" })("over the sandbox", (it) => {
    it.scoped("closes a test account by keyboard only, wide and narrow, light and dark", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const page = yield* browserPage
        yield* Effect.promise(async () => {
          await opened(page, `${service.url}/close`)
          await looked(page, "close-1-account")
          await presses(page, "#account button.act")
          await shows(page, "#where")
          const destination = String(await page.evaluate("document.getElementById('destination').value"))
          await presses(page, "#where button")
          await shows(page, "#plan")
          assert.match(await textOf(page, "#plan"), /Sell it for lumens \(recommended\).*at least 79\.6/)
          await looked(page, "close-2-plan")
          await presses(page, "#plan fieldset input", " ")
          await presses(page, "#plan form > button")
          await shows(page, "#confirm")
          await presses(page, "#confirm form > button.act")
          await tabTo(page, "#last-four")
          await page.type("AAAA")
          await page.press("Enter")
          await says(page, "#last-four-problem", /not the last four/)
          await looked(page, "close-3-confirm")
          await tabTo(page, "#last-four")
          await retype(page, destination.slice(-4))
          await page.press("Enter")
          await says(page, "#agree-problem", /Tick this box/)
          await presses(page, "#agree", " ")
          await presses(page, "#confirm form > button.act")
          await shows(page, "#receipt")
          assert.match(await textOf(page, "#progress"), /Done in ledger/)
          assert.match(await textOf(page, "#receipt"), /184\.99994 lumens/)
          assert.include(await textOf(page, "#receipt"), destination)
          await looked(page, "close-4-receipt")
          assert.isTrue(page.asked.every((url) => url.startsWith(service.url) || url.startsWith("data:") || url === "about:blank"))
          assert.deepStrictEqual(page.complaints, [])
        })
      }))

    it.scoped.runIf(isThorough)(
      "closes with an extension that is injected, and stops before the wallet where the service lies",
      () =>
        Effect.gen(function*() {
          const { destination, page, service, source } = yield* visited
          const thief = Keypair.random()
          yield* service.on(fund("10", thief))
          const lie = yield* service.call<typeof TransactionsResult.Encoded>("POST", "/v1/testnet/close/transactions", {
            source: source.publicKey(),
            destination: thief.publicKey(),
            decisions: [
              { id: `destination:${thief.publicKey()}`, choice: "i_control_this_address" }
            ],
            accept: { minReceivedLumens: "1.0000000", ledger: 1, had: [] }
          })
          assert.strictEqual(lie.status, 200, JSON.stringify(lie.body))
          yield* Effect.promise(async () => {
            await opened(page, `${service.url}/close`, xBullOf(source.publicKey()))
            await agreed(page, "xBull", source, destination)
            page.answerRequests("POST", {
              responseCode: 200,
              responseHeaders: [{ name: "content-type", value: "application/json" }],
              body: Buffer.from(JSON.stringify(lie.body)).toString("base64")
            })
            await page.send("Fetch.enable", { patterns: [{ urlPattern: "*/close/transactions" }] })
            await confirmed(page, destination.publicKey())
            await says(page, "#confirm-problem", /is not what was agreed, so it is not signed/)
            assert.strictEqual(await page.evaluate("asked"), null)
            assert.notInclude(callsOf(page), "/close/submit")
            await looked(page, "close-5-refused")

            await page.send("Fetch.disable")
            await pressed(page, "Update the plan")
            await says(page, "#status", /up to date/)
            await confirmed(page, destination.publicKey())
            await signs(page, source)
            await shows(page, "#receipt")
          })
          assert.isNull(yield* accountOf(source))
        })
    )

    it.scoped("carries out one close at a time: no other plan is made until it has ended or is stopped", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("100"))
        const other = Keypair.random()
        yield* service.on(fund("10", other))
        const page = yield* browserPage
        const plans = () => callsOf(page).filter((path) => path === "/close/plan").length
        const isDisabled = (parts: string) => page.evaluate(`[...document.querySelectorAll("${parts}")].every(({ disabled }) => disabled)`)
        yield* Effect.promise(async () => {
          await opened(page, `${service.url}/close`, holdable + xBullOf(source.publicKey()))
          await planShown(page, source, destination.publicKey())
          await answered(page)
          await confirmed(page, destination.publicKey())
          const replaced = await askedToSign(page)
          await page.evaluate("window.sign = asked.resolve; asked = null")

          const before = plans()
          await filled(page, "destination", other.publicKey())
          await page.evaluate("document.querySelectorAll('#where button, #plan form > button').forEach((one) => one.click())")
          await page.evaluate("document.getElementById('destination').focus()")
          await page.press("Enter")
          assert.isTrue(await isDisabled("#where button, #plan button, #confirm button"))
          await pressed(page, "Stop")
          await says(page, "#confirm-problem", /You stopped the close. Reject the request that your wallet may still show/)
          assert.strictEqual(plans(), before)
          await page.evaluate(`sign(${JSON.stringify(signedWith(replaced.xdr, replaced.network, source))})`)

          await page.evaluate("hold()")
          await pressed(page, "Show the plan")
          assert.isTrue(await isDisabled("#where button, #plan button, #confirm button"))
          await page.evaluate("release()")
          await says(page, "#status", /ready to read/)
          await answered(page)
          await confirmed(page, other.publicKey())
          await signs(page, source)
          await shows(page, "#receipt")
          assert.include(await textOf(page, "#receipt"), other.publicKey())
          assert.strictEqual(callsOf(page).filter((path) => path === "/close/submit").length, 1)
          assert.deepStrictEqual(page.complaints, [])
        })
        assert.isNull(yield* accountOf(source))
      }))

    it.scoped("takes no memo with an invisible character, and shows a memo as it is written", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("100"))
        const page = yield* browserPage
        yield* Effect.promise(async () => {
          await opened(page, `${service.url}/close`, xBullOf(source.publicKey()))
          await pressed(page, "Connect xBull")
          await signs(page, source)
          await shows(page, "#where")
          await filled(page, "destination", destination.publicKey())
          await filled(page, "memo-type", "text")
          for (const unseen of ["\u{200b}", "\u{202a}", "\u{3164}", "\u{a0}"]) {
            await filled(page, "memo", `custo${unseen}mer 42`)
            await pressed(page, "Show the plan")
            await says(page, "#memo-problem", /invisible character/)
          }
          assert.notInclude(callsOf(page), "/close/plan")
          await filled(page, "memo", "customer  42")
          await pressed(page, "Show the plan")
          await shows(page, "#plan fieldset")
          await answered(page)
          await shows(page, "#confirm")
          assert.include(await page.evaluate("document.getElementById('confirm').innerText"), "With the memo \"customer  42\" (text).")
        })
      }))

    it.scoped("warns of real money, of much of it, and of sales far below the best price, and sells at the person's own floor", () =>
      Effect.gen(function*() {
        const service = yield* Service
        const { destination, source } = yield* service.on(Pair("2000"))
        const { asset: thin } = yield* service.on(inPool("THIN", source, "20", ["80", "80"]))
        const { asset: bad } = yield* service.on(inPool("BAD", source, "1000", ["20", "20"]))
        const page = yield* browserPage
        yield* Effect.promise(async () => {
          await opened(page, `${service.url}/close`, asMainnet + xBullOf(source.publicKey()))
          await says(page, "#intro", /what you sign there moves real money/)
          await planShown(page, source, destination.publicKey())
          const floor = await page.evaluate(`{
            const sold = [...document.querySelectorAll("#plan fieldset")].find((one) => one.textContent.includes("BAD"))
            sold.querySelector("input[type=text], input:not([type])").id
          }`)
          await filled(page, String(floor), "15")
          await answered(page)
          await shows(page, "#confirm")
          assert.match(await textOf(page, "#confirm"), /Public network: what you sign moves real money/)
          await filled(page, "last-four", destination.publicKey().slice(-4))
          for (const consent of ["agree", "agree-mainnet", "agree-much", "agree-impact"]) {
            await pressed(page, "Close this account")
            await says(page, `#${consent}-problem`, /Tick this box/)
            await page.evaluate(`document.getElementById("${consent}").click()`)
          }
          const impacts = await textOf(page, "#confirm label[for=agree-impact]")
          for (const { code } of [thin, bad]) assert.include(impacts, code)
          await looked(page, "close-9-warnings")
          await pressed(page, "Close this account")
          await signs(page, source)
          await shows(page, "#receipt")
        })
        assert.isNull(yield* accountOf(source))
      }))

    it.scoped.runIf(isThorough)(
      "closes by pasting what is signed elsewhere, with a link for wallets and a QR code, and takes no other transaction",
      () =>
        Effect.gen(function*() {
          const service = yield* Service
          const [source, destination] = [Keypair.random(), Keypair.random()]
          yield* service.on(fund("100", source, destination))
          const page = yield* browserPage
          yield* Effect.promise(async () => {
            const pasted = async (...keys: ReadonlyArray<Keypair>) => {
              await shows(page, "#desk textarea[readonly]")
              const xdr = String(await page.evaluate("document.querySelector('#desk textarea[readonly]').value"))
              await filled(page, "signed", signedWith(xdr, service.passphrase, ...keys))
              await pressed(page, "Go on")
              return xdr
            }
            await opened(page, `${service.url}/close`)
            await page.evaluate("document.querySelector('#account details').open = true")
            await filled(page, "address", source.secret())
            await pressed(page, "Sign by pasting")
            await says(page, "#address-problem", /secret seed/)
            await filled(page, "address", source.publicKey())
            await pressed(page, "Sign by pasting")
            const challenge = await pasted(source)
            await shows(page, "#where")
            await filled(page, "destination", destination.publicKey())
            await pressed(page, "Show the plan")
            await shows(page, "#plan fieldset")
            await answered(page)
            await confirmed(page, destination.publicKey())
            await shows(page, "#desk .qr")
            const link = String(await page.evaluate("document.querySelector('#desk a').getAttribute('href')"))
            assert.match(link, /^web\+stellar:tx\?xdr=[^&]+&network_passphrase=[^&]+$/)
            await looked(page, "close-6-paste")
            await filled(page, "signed", signedWith(challenge, service.passphrase, source))
            await pressed(page, "Go on")
            await says(page, "#signed-problem", /another transaction/)
            await pasted(source)
            await shows(page, "#receipt")
          })
          assert.isNull(yield* accountOf(source))
        })
    )

    it.scoped.runIf(isThorough)("goes to a co-signer by a link, who types the destination, and back", () =>
      Effect.gen(function*() {
        const { destination, page, service, source } = yield* visited
        const cosigner = Keypair.random()
        yield* service.on(perform("a second signer", {
          as: source,
          operations: [Operation.setOptions({
            lowThreshold: 2,
            medThreshold: 2,
            highThreshold: 2,
            signer: { ed25519PublicKey: cosigner.publicKey(), weight: 1 }
          })]
        }))
        const other = yield* browserPage
        yield* Effect.promise(async () => {
          const copying =
            "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } });"
          await opened(page, `${service.url}/close`, copying + freighterOf(source.publicKey()))
          await agreed(page, "Freighter", source, destination)
          await confirmed(page, destination.publicKey())
          await signs(page, source)
          await says(page, "#desk", /weight 1 of 2/)
          await pressed(page, "Copy the link for a co-signer")
          await page.until("window.copied !== undefined")
          const link = String(await page.evaluate("copied"))
          // The saved file has the same bundle.
          await page.evaluate(
            "window.saved = new Promise((done) => { URL.createObjectURL = (blob) => (done(blob.text()), 'blob:none') }); 0"
          )
          await pressed(page, "Save it as a file")
          const file = String(await page.evaluate("saved"))
          assert.strictEqual(`${service.url}/close#bundle=${Buffer.from(file).toString("base64url")}`, link)

          await opened(other, `${service.url}/close`, freighterOf(cosigner.publicKey()))
          await other.evaluate("document.getElementById('open-hands').click()")
          await shows(other, "#bundle-file")
          await other.evaluate(`{
            const files = new DataTransfer()
            files.items.add(new File([${JSON.stringify(file)}], "close.bundle.json"))
            const input = document.getElementById("bundle-file")
            input.files = files.files
            input.dispatchEvent(new Event("change"))
          }`)
          await other.until("document.getElementById('bundle-text').value !== ''")
          await pressed(other, "Look at it")
          await shows(other, "#bundle")
          assert.strictEqual(await textOf(other, "#bundle-hash"), await textOf(page, "#desk .hash"))
          await opened(other, link, freighterOf(cosigner.publicKey()))
          await shows(other, "#bundle")
          assert.strictEqual(await other.evaluate("location.hash"), "")
          assert.match(await textOf(other, "#bundle"), new RegExp(destination.publicKey()))
          const hash = await textOf(other, "#bundle-hash")
          assert.include(await textOf(page, "#desk"), hash)
          await looked(other, "close-8-co-signer")
          await filled(other, "least", "79.6")
          await filled(other, "destination", Keypair.random().publicKey())
          await pressed(other, "Check and sign with Freighter")
          await says(other, "#destination-problem", /Do not sign it/)
          await filled(other, "memo-type", "text")
          await filled(other, "memo", "customer 42")
          await filled(other, "destination", destination.publicKey())
          await pressed(other, "Check and sign with Freighter")
          await says(other, "#memo-problem", /not the one that you gave/)
          assert.strictEqual(await other.evaluate("asked"), null)
          await filled(other, "memo-type", "none")
          await filled(other, "memo", "")
          await pressed(other, "Check and sign with Freighter")
          await signs(other, cosigner)
          await shows(other, "#signed-part")
          assert.deepStrictEqual(callsOf(other), [], "nothing is submitted, and nobody is asked")
          const back = String(await other.evaluate("document.querySelector('#signed-part textarea').value"))

          await filled(page, "signed", back)
          await pressed(page, "Go on")
          await shows(page, "#receipt")
        })
        assert.isNull(yield* accountOf(source))
      }))

    it.scoped("shows a hostile bundle as what it does, and does not have it signed", () =>
      Effect.gen(function*() {
        const { destination, page, service, source } = yield* visited
        const [thief, signer] = [Keypair.random(), Keypair.random()]
        const built = yield* service.call<typeof TransactionsResult.Encoded>("POST", "/v1/testnet/close/transactions", {
          source: source.publicKey(),
          destination: destination.publicKey(),
          decisions: [{ id: `destination:${destination.publicKey()}`, choice: "i_control_this_address" }],
          accept: { minReceivedLumens: "1.0000000", ledger: 1, had: [] }
        })
        const honest = built.body.transactions[0]
        const { bundleWith } = yield* Effect.promise(() => import("./support/HostileBundle.ts"))
        const bundles = {
          payment: bundleWith(honest, service.passphrase, [
            Operation.payment({ destination: thief.publicKey(), asset: Asset.native(), amount: "50" })
          ]),
          signer: bundleWith(honest, service.passphrase, [
            Operation.setOptions({ signer: { ed25519PublicKey: thief.publicKey(), weight: 10 } })
          ]),
          markup: bundleWith(honest, service.passphrase, [Operation.manageData({ name: "<img src=x onerror=alert(1)>", value: null })]),
          memo: bundleWith(honest, service.passphrase, [], Memo.text("custo\u{200b}mer 42"))
        }
        yield* Effect.promise(async () => {
          const visit = (text: string) =>
            opened(page, `${service.url}/close#bundle=${Buffer.from(text).toString("base64url")}`, xBullOf(signer.publicKey()))
          for (const [name, words] of [["payment", /Do not sign it/], ["signer", /close never has/]] as const) {
            await visit(bundles[name])
            await shows(page, "#bundle")
            await filled(page, "destination", destination.publicKey())
            await pressed(page, "Check and sign with xBull")
            await page.until(
              `${String(words)}.test([...document.querySelectorAll("#bundle .problem")].map((one) => one.textContent).join(" "))`
            )
            assert.strictEqual(await page.evaluate("asked"), null)
          }
          await visit(bundles.markup)
          await shows(page, "#bundle")
          assert.strictEqual(await page.evaluate("document.querySelectorAll('#main img').length"), 0)
          await visit(bundles.memo)
          await shows(page, "#bundle")
          assert.include(await textOf(page, "#bundle"), "\"custo\\u200bmer 42\"")
          await visit("{\"version\":1}")
          await says(page, "#paste-problem", /cannot be used/)
          await visit(JSON.stringify({ ...JSON.parse(bundles.payment), hash: "0".repeat(64) }))
          await says(page, "#paste-problem", /hash is not that/)
          await opened(page, `${service.url}/close#bundle=${"A".repeat(70_000)}`)
          await says(page, "#main", /too long/)
          assert.deepStrictEqual(callsOf(page), [])
        })
      }))
  })
})
