import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "@effect/platform"
import { AccountState } from "../domain/Account.ts"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { AccountPath, TokensQuery } from "./Parameters.ts"
import { networkFailures } from "./RouteFailures.ts"
import { ApiKeyAuth } from "./Security.ts"

const read = HttpApiEndpoint.get("read", "/:network/account/:address")
  .setPath(AccountPath)
  .setUrlParams(TokensQuery)
  .addSuccess(AccountState)
  .addError(failures("InvalidAddress", "InvalidTokens", "AccountNotFound"))
  .addError(networkFailures)
  .annotate(OpenApi.Identifier, "getAccount")
  .annotate(OpenApi.Summary, "Read an account")
  .annotate(
    OpenApi.Description,
    "Everything the account holds: balances, offers, data, signers, pool shares, claimable balances, sponsorships, positions and contract tokens. " +
      "What could not be read is said, never left empty. `tokens` are checked in addition to what discovery finds."
  )

/** Reading accounts. */
export class Account extends HttpApiGroup.make("account")
  .add(read)
  .middleware(Checked)
  .middleware(ApiKeyAuth)
  .annotate(OpenApi.Title, "Account")
  .annotate(OpenApi.Description, "What an account holds.")
{}
