/**
 * The newest protocol of the ledger whose rules for transactions this model was checked against. On a newer ledger its outcomes are guesses: plans
 * say so, and are `partial`. `test/ledger/README.md` names what was read for each protocol. Raise it only together with that page.
 */
export const modelProtocol = 30

/**
 * The first protocol in which an offer that is limited by what it may receive is used up to the last unit of that limit, and in which a hop
 * through a pool does not count as an offer crossed.
 */
const accurateCrossing = 29

/** Whether offers are crossed by the rules of protocol 29 and newer. */
export const crossesAccurately = (ledgerVersion: number): boolean => ledgerVersion >= accurateCrossing
