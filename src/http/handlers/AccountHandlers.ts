import { HttpApiBuilder } from "@effect/platform"
import { type Context, Effect } from "effect"
import { AccountReader } from "../../account/AccountReader.ts"
import { Api } from "../../api/Api.ts"
import { admittedRead } from "../../close/load/Admission.ts"
import { AccountState } from "../../domain/Account.ts"
import type { AccountAddress, ContractAddress } from "../../domain/Address.ts"
import type { Network } from "../../domain/Network.ts"
import { Networks } from "../../Networks.ts"
import { answerInParts } from "../wire/AnswerInParts.ts"

const answer = answerInParts(AccountState)

/** Everything an account holds. `tokens` are checked in addition to what discovery finds. */
export const readAccount =
  (networks: Context.Tag.Service<Networks>, network: Network) => (address: AccountAddress, tokens: ReadonlyArray<ContractAddress> = []) =>
    AccountReader.pipe(
      Effect.flatMap((reader) => reader.read(address, tokens)),
      Effect.map(({ state }) => state),
      admittedRead,
      networks.on(network)
    )

/** Handlers of the group `account`. */
export const layer = HttpApiBuilder.group(
  Api,
  "account",
  (handlers) =>
    Effect.map(
      Networks,
      (networks) =>
        handlers.handle("read", ({ path, urlParams }) =>
          Effect.flatMap(readAccount(networks, path.network)(path.address, urlParams.tokens), answer))
    )
)
