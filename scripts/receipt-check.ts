/**
 * Recomputes a receipt from the ledger's own answers, with nothing of this project: `node scripts/receipt-check.ts receipt.json RPC_URL`.
 * It prints what arrived, and fails where the receipt says anything else than the contract RPC.
 */
import { Asset, FeeBumpTransaction, scValToNative, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { deepStrictEqual } from "node:assert"
import { readFileSync } from "node:fs"

const [file = "", rpc = ""] = process.argv.slice(2)
const { destination, networkPassphrase, source, transactions } = JSON.parse(readFileSync(file, "utf8"))
const decimal = (units: bigint) => `${units / 10_000_000n}.${(units % 10_000_000n).toString().padStart(7, "0")}`

const amountOf = (data: bigint | { amount: bigint }) => BigInt(typeof data === "bigint" ? data : data.amount)

const assetOf = (name: string, contract: string) => {
  const [code = "", issuer = ""] = name.split(":")
  if (name !== "native" && !StrKey.isValidEd25519PublicKey(issuer)) return null
  return (name === "native" ? Asset.native() : new Asset(code, issuer)).contractId(networkPassphrase) === contract ? name : null
}

const told = (text: string) => {
  const { body, contractId } = xdr.ContractEvent.fromXdr(text, "base64")
  const [kind, ...topics] = body.value.topics.map((topic) => scValToNative(topic))
  if (!["transfer", "mint", "burn", "clawback"].includes(kind) || contractId === null) return []
  const parties = topics.slice(0, kind === "transfer" ? 2 : 1).map(String)
  const contract = StrKey.encodeContract(contractId.toBytes())
  const asset = assetOf(String(topics[parties.length]), contract)
  const [from, to] = kind === "transfer" ? parties : [kind === "mint" ? null : parties[0], kind === "mint" ? parties[0] : null]
  return [{ from, to, asset: asset ?? contract, isClassic: asset !== null, amount: amountOf(scValToNative(body.value.data)) }]
}

const sums = (moves: ReturnType<typeof told>) =>
  [...new Set(moves.map(({ asset }) => asset))].map((asset) => {
    const alike = moves.filter((one) => one.asset === asset)
    const sum = alike.reduce((all, { amount }) => all + amount, 0n)
    return { asset, amount: alike[0]?.isClassic === true ? decimal(sum) : String(sum) }
  })

const salesIn = (envelope: string, text: string) => {
  const { result } = xdr.TransactionResult.fromXdr(text, "base64")
  const decoded = TransactionBuilder.fromXdr(envelope, networkPassphrase)
  const { operations } = decoded instanceof FeeBumpTransaction ? decoded.innerTransaction : decoded
  const { results } =
    (result.type === "txFeeBumpInnerSuccess" ? result.innerResultPair.result.result : result) as xdr.TransactionResultResultTxSuccess
  return operations.flatMap((operation, index) => {
    if (operation.type !== "pathPaymentStrictSend" || !operation.destAsset.isNative()) return []
    // oxlint-disable-next-line typescript/no-explicit-any -- the operation's kind says which arm of the result this is
    const { amount } = (results[index] as any).tr.pathPaymentStrictSendResult.success.last
    return [{ asset: operation.sendAsset.toString(), amount: operation.sendAmount, receivedLumens: decimal(amount) }]
  })
}

let arrived = 0n
for (const { hash, outcome } of transactions) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTransaction", params: { hash } })
  const answer = await fetch(rpc, { method: "POST", headers: { "content-type": "application/json" }, body })
  const { result: { envelopeXdr, events, resultXdr } } = JSON.parse(await answer.text())
  const moves = events.contractEventsXdr.flat().flatMap(told) as ReturnType<typeof told>
  const fee = decimal(xdr.TransactionResult.fromXdr(resultXdr, "base64").feeCharged)
  const [received = [], came = []] = [source, destination].map((who) => moves.filter(({ to }) => to === who))
  const gone = moves.filter(({ from }) => from === source)
  const paid = [...new Set(gone.map(({ to }) => to))].flatMap((to) => sums(gone.filter((o) => o.to === to)).map((o) => ({ ...o, to })))
  deepStrictEqual(outcome, { feeLumens: fee, sold: salesIn(envelopeXdr, resultXdr), received: sums(received), paid, arrived: sums(came) })
  arrived += came.filter(({ asset }) => asset === "native").reduce((all, { amount }) => all + amount, 0n)
}
console.log(`${transactions.length} transactions are as the receipt says. ${decimal(arrived)} lumens arrived at ${destination}.`)
