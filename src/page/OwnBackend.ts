import type { Plan } from "../client/CloseEvent.ts"

/** Who is signed in: for which account on which network, until when. */
export interface Session {
  readonly network: "mainnet" | "testnet"
  readonly source: string
  readonly token: string
  readonly expiresAt: string
}

const json = (body: object, status = 200): Response =>
  new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })

type About = Plan["decisionPoints"][number]["about"]
type OfKind<Kind extends About["kind"]> = Extract<About, { readonly kind: Kind }>

const ofKind = <Kind extends About["kind"]>({ decisionPoints }: Plan, kind: Kind): ReadonlyArray<OfKind<Kind>> =>
  decisionPoints.flatMap(({ about }) => (about.kind === kind ? [about as OfKind<Kind>] : []))

/** A row of the account read for a position of the plan, as far as the client looks at it. */
const positionRow = ({ contract, key, protocol, tokens, wasmHash }: OfKind<"position">) => {
  const common = {
    protocol,
    contractAddress: contract,
    positionId: `position:${protocol}:${contract}:${key}`,
    usdValue: null,
    ...(wasmHash === undefined ? {} : { wasmHash })
  }
  if (protocol.startsWith("amm_")) return { ...common, positionType: "lp", shareAmount: "0", ...(tokens === undefined ? {} : { tokens }) }
  if (protocol === "cdp_1") return { ...common, positionType: "cdp", denomination: "", collateralAmount: "0", debtAmount: "0" }
  return { ...common, positionType: "other", holds: [] }
}

const trustlineRow = ({ amount, asset }: OfKind<"asset">) => {
  const [code = "", issuer = ""] = asset.split(":")
  return { asset, balance: amount, authorized: true, issuer, code }
}

/** The account as a plan shows it, in the form of the account read. What the plan does not tell, the client does not look at. */
const accountIn = (plan: Plan, { network, source }: Session): object => ({
  address: source,
  network,
  sequence: plan.snapshot.sequence,
  nativeBalanceLumens: plan.snapshot.balanceLumens ?? "0.0000000",
  dataEntries: [],
  signers: [],
  thresholds: { low: 0, med: 0, high: 0 },
  numSubEntries: 0,
  numSponsoring: 0,
  sponsoredEntries: [],
  sponsorshipEnumerationIncomplete: false,
  sponsoredBy: null,
  authImmutable: false,
  trustlines: ofKind(plan, "asset").map(trustlineRow),
  openOffers: [],
  poolShares: [],
  claimableBalances: ofKind(plan, "claim").map(({ amount, asset, balanceId }) => ({
    id: balanceId,
    asset,
    amount,
    claimants: [],
    sponsor: null
  })),
  subEntryMismatch: false,
  defiPositions: {
    address: source,
    network,
    positions: ofKind(plan, "position").map(positionRow),
    unrecognizedPositions: [],
    enrichment: {},
    source: "snapshot",
    timestamp: null,
    queryKeys: {
      rpcEndpoints: [],
      rpcPolicy: { maxKeysPerCall: 200, recommendedConcurrency: 4, backoffOn429Ms: [], timeoutMs: 10_000 },
      slices: {}
    }
  },
  defiPositionsWarnings: [],
  warnings: [],
  contractTokens: {
    tokens: ofKind(plan, "token").flatMap(({ amount, contract, decimals, symbol }) =>
      amount === null ? [] : [{ contract, balance: amount, symbol, decimals, sources: ["list"] }]
    ),
    unreadable: [],
    coverage: [],
    eventsScanned: null,
    warnings: []
  }
})

/** Routes of the API, and those that a session of the page opens in their place. */
const own = ({ network }: Session): Readonly<Record<string, string>> => ({
  [`/v1/${network}/close/plan`]: "/close/plan",
  [`/v1/${network}/close/transactions`]: "/close/transactions",
  [`/v1/${network}/submit`]: "/close/submit",
  [`/${network}/mediator/sign`]: "/close/mediator-sign"
})

const textOf = async (body: RequestInit["body"]): Promise<string> => new Response(body ?? "").text()

/**
 * The client's `fetch`, over the routes that a session opens. It adds the token. The account read comes from a plan made for it, with the answers
 * of the last one. A transaction is not looked up but handed in again, which is safe.
 */
export const ownBackend = (session: Session): typeof fetch => {
  let request = JSON.stringify({ source: session.source })
  const ask = (path: string, body: string, init: RequestInit | undefined) =>
    fetch(path, {
      ...init,
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${session.token}` },
      body
    })
  return async (input, init) => {
    const path = new URL(input instanceof Request ? input.url : String(input)).pathname
    const route = own(session)[path]
    if (route !== undefined) {
      const body = await textOf(init?.body)
      if (route === "/close/plan") request = body
      return ask(route, body, init)
    }
    if (path === `/${session.network}/account/${session.source}`) {
      const { body: _, ...get } = init ?? {}
      const answer = await ask("/close/plan", request, get)
      return answer.ok ? json(accountIn(await answer.json() as Plan, session)) : answer
    }
    const hash = /\/transactions\/([0-9a-f]{64})$/.exec(path)?.[1]
    if (hash !== undefined) return json({ hash, status: "unknown" })
    throw new TypeError(`The page has no ${path}`)
  }
}
