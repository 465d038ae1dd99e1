/** A word or phrase that makes a reader guess, and its replacement. */
export interface Riddle {
  readonly pattern: RegExp
  readonly instead: string
}

/** Every word or phrase that texts for readers avoid. Patterns match in any case, and across the end of a line. */
export const riddles: ReadonlyArray<Riddle> = [
  { pattern: /\bwho(so)?ever\b/, instead: "name the person or part" },
  { pattern: /\bwhat(so)?ever\b/, instead: "name the thing, or \"any\"" },
  { pattern: /\bnobody\b/, instead: "\"no one\", or say who does not" },
  { pattern: /\b(any|every|some)body\b/, instead: "\"anyone\", \"everyone\", \"someone\", or name the person" },
  { pattern: /\bwhat lacks\b/, instead: "name what is missing" },
  { pattern: /\bc[ao]mes? of (it|them)\b/, instead: "\"the result\"" },
  { pattern: /\bas good as nothing\b/, instead: "give the amount" },
  { pattern: /\blet(s|ting)? go( of)?\b/, instead: "\"release\", \"close\" or \"delete\"" },
  { pattern: /\b(is|are|be|was) at hand\b/, instead: "\"is available\"" },
  { pattern: /\bin the way\b/, instead: "\"blocks\", or name the blocker" },
  { pattern: /\ba slip away\b/, instead: "\"misspelled\"" },
  { pattern: /\bfor ever\b/, instead: "\"permanently\"" },
  { pattern: /\b(is|are|be|was|were) (asked|told)\b/, instead: "\"queried\", \"reported\", or say who does it" },
  { pattern: /\b(asked|told) (about|of)\b/, instead: "\"decided\", \"reported\", or say who does it" },
  { pattern: /\btells? of\b/, instead: "\"reports\"" },
  { pattern: /\bspoken? (of|for)\b/, instead: "\"reported\", or say who acts" },
  { pattern: /\breckon(s|ed|ing)?\b/, instead: "\"compute\" or \"count\"" },
  { pattern: /\bheld (up )?against\b/, instead: "\"compared with\"" },
  { pattern: /\b(has|have|had|having) not (the|a|an|enough)\b/, instead: "\"does not have\"" },
  { pattern: /\ball the same\b/, instead: "\"still\" or \"anyway\"" },
  { pattern: /\ball there is\b/, instead: "\"all of it\" or \"the whole balance\"" },
  { pattern: /\bas it stands\b/, instead: "\"unchanged\" or \"as it is now\"" },
  { pattern: /\b(that|which|who) are there\b/, instead: "name where" },
  { pattern: /\bgoes? on\b/, instead: "\"continues\"" },
  { pattern: /\bis (it|they) refused\b/, instead: "\"the service rejects it\"" },
  { pattern: /\bthen and there\b/, instead: "\"at once\"" },
  { pattern: /\bmeanwhile\b/, instead: "say during what" },
  { pattern: /\bthe like\b/, instead: "name the things" },
  { pattern: /\bby word of\b/, instead: "say who reports it" }
]
