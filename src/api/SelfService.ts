import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "@effect/platform"
import { Checked } from "./Checked.ts"
import { failures } from "./ErrorTable.ts"
import { CreatedKey, IssuedKey, KeyList, KeyRecord } from "./KeyRecords.ts"
import { CreateMyKeyBody, RotateKeyBody, withOptionalBody } from "./KeyRequests.ts"
import { KeyPath } from "./Parameters.ts"
import { bodyFailures } from "./RouteFailures.ts"
import { CarriesSecret } from "./RouteLimits.ts"
import { SessionAuth } from "./Security.ts"
import { ChallengeBody, ChallengeResult, SessionBody, SessionResult } from "./SessionBodies.ts"

const page = HttpApiEndpoint.get("page", "/keys")
  .addSuccess(HttpApiSchema.Text({ contentType: "text/html" }))
  .annotate(OpenApi.Identifier, "getKeysPage")
  .annotate(OpenApi.Summary, "The self-service page")
  .annotate(OpenApi.Description, "A page on which a person proves control of an account and manages its API keys.")

const challenge = HttpApiEndpoint.post("challenge", "/keys/challenge")
  .setPayload(ChallengeBody)
  .addSuccess(ChallengeResult)
  .addError(failures("InvalidAddress", "NetworkUnavailable", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "createChallenge")
  .annotate(OpenApi.Summary, "Ask for a challenge")
  .annotate(OpenApi.Description, "A challenge transaction to be signed in the person's own wallet.")

const session = HttpApiEndpoint.post("session", "/keys/session")
  .setPayload(SessionBody)
  .addSuccess(SessionResult)
  .addError(
    failures(
      "InvalidTransaction",
      "ChallengeRefused",
      "BadSignatures",
      "NetworkUnavailable",
      "UpstreamRateLimited",
      "UpstreamUnusable",
      "SourcesDisagree",
      "KeyStoreUnavailable"
    )
  )
  .addError(bodyFailures)
  .annotate(CarriesSecret, true)
  .annotate(OpenApi.Identifier, "openSession")
  .annotate(OpenApi.Summary, "Open a session")
  .annotate(
    OpenApi.Description,
    "Checks the signed challenge against the signers of the account and gives a token for 30 minutes. A challenge opens one session."
  )

/** Getting keys without the operator: the steps before a session. */
export class SelfService extends HttpApiGroup.make("selfService")
  .add(page)
  .add(challenge)
  .add(session)
  .middleware(Checked)
  .annotate(OpenApi.Title, "Self-service")
  .annotate(OpenApi.Description, "How a person gets an API key.")
{}

const list = HttpApiEndpoint.get("list", "/keys/mine")
  .addSuccess(KeyList)
  .addError(failures("KeyStoreUnavailable"))
  .annotate(OpenApi.Identifier, "listMyKeys")
  .annotate(OpenApi.Summary, "List my keys")
  .annotate(
    OpenApi.Description,
    "The newest 1000 records of the keys that were made for the account on the session's network, revoked and expired ones included."
  )

const create = withOptionalBody(HttpApiEndpoint.post("create", "/keys/mine").setPayload(CreateMyKeyBody))
  .addSuccess(CreatedKey)
  .addError(failures("KeyLimitReached", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(CarriesSecret, true)
  .annotate(OpenApi.Identifier, "createMyKey")
  .annotate(OpenApi.Summary, "Create a key of mine")
  .annotate(
    OpenApi.Description,
    "At most 5 live keys for an account on a network; a key that was rotated is not counted while its `graceSeconds` last."
  )

const rotate = withOptionalBody(HttpApiEndpoint.post("rotate", "/keys/mine/:id/rotate").setPath(KeyPath).setPayload(RotateKeyBody))
  .addSuccess(IssuedKey)
  .addError(failures("ApiKeyNotFound", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(CarriesSecret, true)
  .annotate(OpenApi.Identifier, "rotateMyKey")
  .annotate(OpenApi.Summary, "Rotate a key of mine")
  .annotate(
    OpenApi.Description,
    "Gives the successor of a live key, shown once, with the same label, expiry and window of the rate limit. The old key ends at once, or after `graceSeconds`."
  )

const revoke = HttpApiEndpoint.post("revoke", "/keys/mine/:id/revoke")
  .setPath(KeyPath)
  .addSuccess(KeyRecord)
  .addError(failures("ApiKeyNotFound", "KeyStoreUnavailable"))
  .addError(bodyFailures)
  .annotate(OpenApi.Identifier, "revokeMyKey")
  .annotate(OpenApi.Summary, "Revoke a key of mine")
  .annotate(OpenApi.Description, "May be repeated.")

/** The keys of the person whose session it is. */
export class MyKeys extends HttpApiGroup.make("myKeys")
  .add(list)
  .add(create)
  .add(rotate)
  .add(revoke)
  .middleware(Checked)
  .middleware(SessionAuth)
  .annotate(OpenApi.Title, "My keys")
  .annotate(OpenApi.Description, "The keys of the person whose session it is.")
{}
