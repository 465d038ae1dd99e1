/**
 * Makes the corpus of the verifier's attack suite from a recorded test run: `RECORD_VERIFIED=/tmp/built.jsonl npx vitest run test/close &&
 * node test/verify/support/MakeCorpus.ts /tmp/built.jsonl`. It keeps the few shortest transactions of every kind.
 */
import { xdr } from "@stellar/stellar-sdk"
import { readFileSync, writeFileSync } from "node:fs"
import type { Case } from "./Case.ts"
import { corpusFile, corpusOf, readBack, written } from "./Corpus.ts"

/** Number of cases of each kind, and the most characters of one: of a longer kind the shortest is still kept. */
const [mostOfEach, longest] = [5, 9_000]

const feeOf = (envelope: string): number => {
  const opened = xdr.TransactionEnvelope.fromXdr(envelope, "base64")
  return opened.type === "envelopeTypeTx" ? opened.v1.tx.fee : 0
}

/** The kind of a case, with its decisions by choice: a sale with a minimum is another kind than one that accepts a price impact. */
const kindOf = ({ expected, name }: Case): string =>
  [
    name,
    expected.memo?.type,
    expected.mediator?.memoType,
    ...new Set(
      expected.decisions.map(({ choice, id, params = {} }) => `${id.split(":")[0]}:${choice}:${Object.keys(params).toSorted().join()}`)
    )
  ].join(" ")

const [, , recorded = ""] = process.argv
const all = readFileSync(recorded, "utf8").split("\n").filter((line) => line !== "").map((line) => readBack(line) as Case)
const sizeOf = ({ envelope, expected: { decisions, phase } }: Case): number => envelope.length + written({ decisions, phase }).length
const byName = Map.groupBy(all.toSorted((a, b) => sizeOf(a) - sizeOf(b)), ({ name }) => name)
const kept = [...byName.values()].flatMap((cases) => {
  const shortest = [...Map.groupBy(cases, kindOf).values()].flatMap(([first]) => first ?? [])
  return shortest.filter((one, index) => index === 0 || sizeOf(one) <= longest).slice(0, mostOfEach)
}).map((one) => ({ ...one, expected: { ...one.expected, feeCap: BigInt(2 * Math.max(feeOf(one.envelope), 100)) } }))
writeFileSync(corpusFile, `${written(corpusOf(kept))}\n`)
console.log(`${kept.length} of ${all.length} transactions kept, of ${byName.size} kinds`)
