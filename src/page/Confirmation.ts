import { briefLumens } from "../client/BriefAmount.ts"
import type { Plan } from "../client/CloseEvent.ts"
import type { Decision } from "../client/Question.ts"
import { lumen, parseAmount } from "../domain/Amount.ts"
import type { Memo } from "../domain/Memo.ts"
import { shownMemo } from "../domain/ShownMemo.ts"
import { doing, el, field, Problem, section, textIn, textInput } from "./Dom.ts"
import type { ServedNetwork } from "./Facts.ts"
import { impactsIn } from "./Questions.ts"

/** What is to be confirmed. */
export interface ToConfirm {
  readonly plan: Plan
  readonly network: ServedNetwork
  readonly source: string
  readonly destination: string
  readonly memo: Memo | null
  /** Everything that was agreed: what the plan suggested, and what the person answered. */
  readonly decisions: ReadonlyArray<Decision>
  /** Whether the destination is a second test account, whose address only this page knows. */
  readonly isTest: boolean
}

/** From so many stroops on the page asks once more. */
const much = 1_000n * lumen

/** The mediator of a plan whose last transaction goes through one. */
export const mediatorIn = ({ signing, transactions }: Plan, source: string): string | null =>
  transactions.some(({ reason }) => reason === "mediator") ? signing.find(({ account }) => account !== source)?.account ?? null : null

const consent = (id: string, text: string): ReadonlyArray<HTMLElement> => [
  el("label", { class: "choice", for: id }, el("input", { type: "checkbox", id, "aria-describedby": `${id}-problem` }), el("b", {}, text)),
  el("p", { class: "problem", id: `${id}-problem`, role: "alert" })
]

const consents = ({ decisions, network, plan, source }: ToConfirm): ReadonlyArray<readonly [string, string]> => {
  const impacts = impactsIn(plan, decisions)
  const mediator = mediatorIn(plan, source)
  const { receivedLumens } = plan.estimate
  return [
    ["agree", "I know that this cannot be undone: the account is gone afterwards."],
    ...(network.name === "mainnet" ? [["agree-mainnet", "I know that this is the public network, and the money is real."] as const] : []),
    ...((parseAmount(receivedLumens ?? "") ?? 0n) >= much
      ? [
        [
          "agree-much",
          `I know that ${briefLumens(receivedLumens ?? "")} are much. I have compared the whole address of the destination.`
        ] as const
      ]
      : []),
    ...(impacts.length === 0 ? [] : [["agree-impact", `I accept sales far below the best price. ${impacts.join(" ")}`] as const]),
    ...(mediator === null
      ? []
      : [
        [
          "agree-mediator",
          `I agree that the lumens go through ${mediator}, an account of this service, which passes them on to the exchange.`
        ] as const
      ])
  ]
}

/** Asks for everything that cannot be undone. `goOn` runs once all of it is confirmed. */
export const confirmation = (asked: ToConfirm, goOn: () => Promise<void>): void => {
  const { destination, isTest, memo, network, plan } = asked
  const { minReceivedLumens, receivedLumens } = plan.estimate
  const all = consents(asked)
  const form = el(
    "form",
    {},
    ...field(
      "last-four",
      "Last four characters of the destination",
      textInput({ class: "mono", maxlength: "4", autocapitalize: "characters", required: "" }),
      isTest ? "For this test, copy them from above." : "Read them where you got the address from, not from this page."
    ),
    ...all.flatMap(([id, text]) => consent(id, text)),
    el("button", { class: "act" }, "Close this account")
  )
  form.addEventListener(
    "submit",
    doing("confirm", async () => {
      if (textIn("last-four").toUpperCase() !== destination.slice(-4)) {
        throw new Problem("These are not the last four characters of the destination.", "last-four")
      }
      for (const [id] of all) {
        if (!(document.getElementById(id) as HTMLInputElement).checked) throw new Problem("Tick this box to close the account.", id)
      }
      await goOn()
    })
  )
  section(
    "confirm",
    "4. Confirm",
    network.name === "mainnet" ? el("p", { class: "danger" }, "Public network: what you sign moves real money.") : null,
    el("p", { class: "big" }, briefLumens(receivedLumens ?? "?")),
    el("p", {}, `arrive at the prices of now, and never less than ${briefLumens(minReceivedLumens ?? "?")}, at`),
    el("p", { class: "mono" }, destination),
    memo === null ? el("p", { class: "quiet" }, "Without a memo.") : el("p", { class: "exact" }, `With the memo ${shownMemo(memo)}.`),
    form
  )
}
