import { bold } from "./Screen.ts"

/** What every command is for, in the order in which they are needed. */
const commands: ReadonlyArray<readonly [string, string]> = [
  ["account", "read everything that an account holds"],
  ["preflight", "tell whether an account can be closed, and what comes back at least"],
  ["plan", "plan the close: transactions, amounts, questions"],
  ["close", "close an account"],
  ["batch", "close the accounts of a CSV file, resumable"],
  ["bundle", "close by signers who share no machine"],
  ["allowances", "list who may spend contract tokens of an account"],
  ["revoke", "end an allowance"],
  ["paths", "find the best way to sell an asset or a token for lumens"],
  ["verify", "compare a transaction with what you want"],
  ["explain", "decode a transaction into sentences"],
  ["replay", "compute a saved plan again, from its file alone"],
  ["keys", "manage API keys"],
  ["sandbox", "run a service over a sandbox network"]
]

/** What the whole command line is, for who named no command. */
export const overview: ReadonlyArray<string> = [
  "Closes accounts of the Stellar network by the Account Close-out service.",
  "",
  ...commands.map(([name, purpose]) => `  closeout ${bold(name.padEnd(11))} ${purpose}`),
  "",
  "Try it on a sandbox:    closeout close --embedded",
  "Options and examples:   closeout <command> --help",
  "Completion in a shell:  closeout --completions bash",
  "",
  "A prompt asks for secrets; or they are read from --secret-fd or CLOSEOUT_SECRET. They are never arguments.",
  "Exit status: 0 done, 1 nothing helps, 2 correct the input or answer a question, 3 try again later,",
  "4 plan again, 70 an error of this program, 130 stopped."
]
