import type { TokenRoute } from "../../tokens/TokenRoutes.ts"

/** Whether a route goes through a token that is neither lumens nor in the token list: its maker decides whether the sale can be made. */
export const isThroughUnlisted = ({ unlisted }: Pick<TokenRoute, "unlisted">): boolean => unlisted.length > 0

/** What the note of such a route says of these tokens. */
export const unlistedNote = ({ unlisted }: Pick<TokenRoute, "unlisted">): string =>
  `It goes through ${unlisted.join(" and ")}, which no token list names. The issuer of that token can make the sale fail.`
