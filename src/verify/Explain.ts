import type * as xdr from "@stellar/stellar-sdk/xdr"
import { showAmount } from "../domain/Amount.ts"
import { shownJson } from "../domain/ShownText.ts"
import { memoOf } from "../stellar/MemoOf.ts"
import { fromMuxed } from "../stellar/Names.ts"
import { hashOf, openEnvelope } from "./Envelope.ts"
import { readOperations } from "./JudgedOperations.ts"
import { type Naming, operationSentence } from "./OperationSentence.ts"

const endOf = ({ cond }: xdr.Transaction): string => {
  const { timeBounds } = cond.type === "precondV2" ? cond.v2 : { timeBounds: cond.type === "precondTime" ? cond.timeBounds : null }
  const end = timeBounds?.maxTime ?? 0n
  // The last moment that a date can name is enough of an end.
  return end === 0n || end > 8_640_000_000_000n ? "without an end" : `until ${new Date(Number(end) * 1_000).toISOString()}`
}

/** An invisible character stands as `\uXXXX`. */
const memoSentence = ({ memo }: xdr.Transaction): ReadonlyArray<string> => {
  const found = memoOf(memo)
  return found === null ? [] : [`Its memo is the ${found.type} ${shownJson(JSON.stringify(found.value))}.`]
}

const operationSentences = (
  tx: xdr.Transaction,
  source: NonNullable<ReturnType<typeof fromMuxed>>,
  named: Naming
): ReadonlyArray<string> => {
  const operations = readOperations(tx, source)
  return tx.operations.map(({ body }, index) => {
    const operation = operations[index] ?? null
    const does = operation === null
      ? `DANGER: does something that a close never does (${body.type}).`
      : operationSentence(operation, source, named)
    return `${index + 1}. ${does}`
  })
}

/**
 * What a transaction (base64) would do, in sentences for who signs it: whose it is, what it costs, and each of its operations with assets and
 * amounts. It judges nothing: that is what `verify` is for. `names`: how addresses are called, for instance tokens by their symbols.
 */
export const explain = (
  envelope: string,
  networkPassphrase: string,
  names: Readonly<Record<string, string>> = {}
): ReadonlyArray<string> => {
  const opened = openEnvelope(envelope)
  if (opened._tag === "Closed") return [`DANGER: ${opened.breach.message}`]
  const { tx } = opened
  const named: Naming = (address) => (Object.hasOwn(names, address) ? names[address] ?? address : address)
  const source = fromMuxed(tx.sourceAccount)
  if (source === null) return ["DANGER: the transaction is that of a multiplexed account, which a close never has."]
  return [
    `A transaction of ${named(source)} for ${JSON.stringify(networkPassphrase)}: ${hashOf(tx, networkPassphrase)}.`,
    `It costs at most ${showAmount(BigInt(tx.fee))} lumens, and can be used ${endOf(tx)}.`,
    ...memoSentence(tx),
    ...operationSentences(tx, source, named)
  ]
}
