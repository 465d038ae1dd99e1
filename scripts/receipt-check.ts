/** Recomputes a receipt from the ledger's answers without code of this project: `node scripts/receipt-check.ts receipt.json RPC_URL`. */
import { Asset, scValToNative, StrKey, TransactionBuilder, xdr } from "@stellar/stellar-sdk"
import { deepStrictEqual } from "node:assert"
import { readFileSync } from "node:fs"

const decimal = (units: bigint) => `${units / 10_000_000n}.${(units % 10_000_000n).toString().padStart(7, "0")}`

const assetOf = (name: string, contract: string, passphrase: string) => {
  const [code = "", issuer = ""] = name.split(":")
  if (name !== "native" && !(/^[a-zA-Z0-9]{1,12}$/.test(code) && StrKey.isValidEd25519PublicKey(issuer))) return null
  return (name === "native" ? Asset.native() : new Asset(code, issuer)).contractId(passphrase) === contract ? name : null
}

const movesIn = (text: string, passphrase: string) => {
  const { body, contractId } = xdr.ContractEvent.fromXdr(text, "base64")
  const [kind = "", ...topics] = body.value.topics.map((topic) => String(scValToNative(topic)))
  const data = scValToNative(body.value.data)
  const amount: unknown = data?.amount ?? data
  if (!["transfer", "mint", "burn", "clawback"].includes(kind) || contractId === null || typeof amount !== "bigint") return []
  const parties = topics.slice(0, kind === "transfer" ? 2 : 1)
  const contract = StrKey.encodeContract(contractId.toBytes())
  const asset = assetOf(String(topics[parties.length]), contract, passphrase)
  const [from, to] = kind === "transfer" ? parties : [kind === "mint" ? null : parties[0], kind === "mint" ? parties[0] : null]
  return [{ from, to, asset: asset ?? contract, isClassic: asset !== null, amount }]
}

const sums = (moves: ReturnType<typeof movesIn>) =>
  [...Map.groupBy(moves, ({ asset }) => asset)].map(([asset, alike]) => {
    const sum = alike.reduce((all, { amount }) => all + amount, 0n)
    return { asset, amount: alike[0]?.isClassic === true ? decimal(sum) : String(sum) }
  })

const salesIn = (envelope: string, { result }: xdr.TransactionResult, passphrase: string) =>
  TransactionBuilder.fromXdr(envelope, passphrase).operations.flatMap((operation, index) => {
    if (operation.type !== "pathPaymentStrictSend" || !operation.destAsset.isNative()) return []
    // oxlint-disable-next-line typescript/no-explicit-any -- the transaction succeeded, and its operations say which arms these are
    const { results } = (result.type === "txFeeBumpInnerSuccess" ? result.innerResultPair.result.result : result) as any
    const { amount } = results[index].tr.pathPaymentStrictSendResult.success.last
    return [{ asset: operation.sendAsset.toString(), amount: operation.sendAmount, receivedLumens: decimal(amount) }]
  })

/** The effects of a transaction, from `getTransaction`. Events name the account (G...) behind a destination with an id (M...). */
// oxlint-disable-next-line typescript/no-explicit-any -- JSON
export const recomputed = ({ envelopeXdr, events, resultXdr }: any, { destination, networkPassphrase, source }: any) => {
  const result = xdr.TransactionResult.fromXdr(resultXdr, "base64")
  const moves = (events.contractEventsXdr.flat() as Array<string>).flatMap((event) => movesIn(event, networkPassphrase))
  const base = destination.startsWith("M") && StrKey.encodeEd25519PublicKey(StrKey.decodeMed25519PublicKey(destination).slice(0, 32))
  const [received = [], arrived = []] = [source, base || destination].map((who) => sums(moves.filter(({ to }) => to === who)))
  const gone = Map.groupBy(moves.filter(({ from }) => from === source), ({ to }) => to)
  const paid = [...gone].flatMap(([to, alike]) => sums(alike).map((one) => ({ ...one, to })))
  return { feeLumens: decimal(result.feeCharged), sold: salesIn(envelopeXdr, result, networkPassphrase), received, paid, arrived }
}

if (import.meta.main) {
  const receipt = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"))
  let stroops = 0n
  for (const { hash, outcome } of receipt.transactions) {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getTransaction", params: { hash } })
    const answer = await fetch(process.argv[3] ?? "", { method: "POST", headers: { "content-type": "application/json" }, body })
    const found = recomputed(JSON.parse(await answer.text()).result, receipt)
    deepStrictEqual(outcome, found)
    for (const { amount, asset } of found.arrived) if (asset === "native") stroops += BigInt(amount.replace(".", ""))
  }
  console.log(`${receipt.transactions.length} transactions are as it says. ${decimal(stroops)} lumens arrived at ${receipt.destination}.`)
}
