import type { TokenRoute } from "../../tokens/TokenRoutes.ts"

/** Whether a route goes through a token that is neither lumens nor in the token list: its maker decides whether the sale can be made. */
export const isThroughUnlisted = ({ unlisted }: Pick<TokenRoute, "unlisted">): boolean => unlisted.length > 0

/** What the note of a route says of such tokens; empty: there are none. */
export const unlistedNote = ({ unlisted }: Pick<TokenRoute, "unlisted">): string =>
  unlisted.length === 0
    ? ""
    : ` It goes through ${unlisted.join(" and ")}, which no token list names: whoever made that token can make the sale fail.`
