import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Question, Receipt } from "../../src/client/Client.ts"
import { DemoAccount } from "../../src/sandbox/scenarios/DemoAccount.ts"
import { Pair } from "../close/support/Accounts.ts"
import { lumensOf } from "../close/support/LedgerView.ts"
import { exchanges } from "../close/support/Mediated.ts"
import { Service } from "../close/support/Service.ts"
import { pairShares, pairsOnly } from "../support/PairShares.ts"
import { startTestService } from "../support/TestService.ts"
import { isThorough } from "../support/Thorough.ts"
import { careful } from "./support/CarefulOwner.ts"
import { closed, optionsFor } from "./support/Closes.ts"

const script = "scripts/receipt-check.ts"

/** The output of the script for a receipt, run in a process of its own. */
const checkedBy = (receipt: Receipt, rpcUrl: string) =>
  Effect.acquireUseRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "receipt-"))),
    (folder) =>
      Effect.async<{ readonly code: number | null; readonly said: string }>((resume) => {
        writeFileSync(join(folder, "receipt.json"), JSON.stringify(receipt))
        const child = spawn(process.execPath, [script, join(folder, "receipt.json"), rpcUrl])
        let said = ""
        for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text: string) => (said += text))
        child.on("close", (code) => resume(Effect.succeed({ code, said })))
      }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )

describe("the receipt", () => {
  it("is recomputed by a script of at most sixty lines that imports nothing of this project", () => {
    const text = readFileSync(script, "utf8")
    assert.isAtMost(text.split("\n").filter((line) => line.trim() !== "").length, 60)
    assert.notMatch(text, /from "\.|account-closeout/)
  })

  it.live.runIf(isThorough)(
    "says what the ledger says, for a classic close, one by a mediator, and one through contracts",
    () =>
      Effect.scoped(Effect.flatMap(startTestService({}, pairsOnly), (service) =>
        Effect.gen(function*() {
          const demo = yield* service.on(DemoAccount)
          const { source } = yield* service.on(Pair("37.5"))
          const { payments } = yield* exchanges
          const holder = yield* pairShares(service)
          const witness = service.ledger
          const gives = ({ options }: Question) => options.find(({ id }) => id === "return_to_issuer")?.id ?? null
          const closes = [
            {
              ...optionsFor(service, demo.source, demo.destination.publicKey()),
              decide: (question: Question) => careful(question) ?? gives(question)
            },
            { ...optionsFor(service, source, payments), memo: { type: "text" as const, value: "customer 42" }, mediator: service.mediator },
            optionsFor(service, holder.source, holder.destination.publicKey())
          ]
          for (const options of closes) {
            const { receipt } = yield* closed({ ...options, witness })
            const { code, said } = yield* checkedBy(receipt, service.ledger.rpcUrl)
            assert.strictEqual(code, 0, said)
            const arrived = receipt.transactions.flatMap(({ outcome }) => outcome?.arrived ?? []).filter(({ asset }) => asset === "native")
            assert.deepStrictEqual(arrived.map(({ amount }) => amount), [receipt.closed.receivedLumens])
            assert.include(said, receipt.closed.receivedLumens)
          }
          assert.isTrue((yield* lumensOf(holder.destination)) > 0n)
        }).pipe(Effect.provideService(Service, service)))),
    600_000
  )
})
