import { Option } from "effect"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { AssetId } from "../../domain/Asset.ts"
import type { CloseInput } from "../situation/CloseInput.ts"
import { subjectOf } from "../situation/DecisionId.ts"
import { cutoffIn } from "../situation/LaterGifts.ts"

/** Where answers want assets transferred to, and which. */
const transfersIn = ({ answers }: CloseInput): ReadonlyMap<AccountAddress, ReadonlyArray<AssetId>> => {
  const transfers = new Map<AccountAddress, ReadonlyArray<AssetId>>()
  for (const { choice, id, params } of answers.all) {
    if (choice !== "transfer_to_account" || params?.destination === undefined) continue
    const subject = Option.getOrNull(subjectOf(id))
    const asset = subject?._tag === "asset" ? [subject.asset] : []
    transfers.set(params.destination, [...(transfers.get(params.destination) ?? []), ...asset])
  }
  return transfers
}

/** Accounts that something goes to: the destination of the close and those of transfers, with the assets transferred. */
export const receiversIn = (input: CloseInput): ReadonlyMap<AccountAddress, ReadonlyArray<AssetId>> =>
  new Map([...(input.destination === null ? [] : [[input.destination, []] as const]), ...transfersIn(input)])

const tokensIn = (ids: Iterable<string>): ReadonlyArray<ContractAddress> =>
  [...ids].flatMap((id) => {
    const subject = Option.getOrNull(subjectOf(id))
    return subject?._tag === "token" ? [subject.contract] : []
  })

/** Token contracts that answers name: they are looked at whether or not anything else names them. */
export const tokensNamed = ({ answers }: CloseInput): ReadonlyArray<ContractAddress> =>
  answers.subjects("token").map(({ contract }) => contract)

/** Token contracts that the plan saw whose answer leaves behind what came later, and the ledger of that plan. */
export const seenBefore = ({ later }: CloseInput) => ({ had: tokensIn(later?.had ?? []), hadAt: cutoffIn({ later }) })
