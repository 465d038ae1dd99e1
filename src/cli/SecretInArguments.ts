/** Within a longer text, such as an envelope in base64, it is none. */
const secretShape = /(?<![A-Za-z0-9+/])S[A-Z2-7]{55}(?![A-Za-z0-9+/])/

/** Whether an argument holds a secret key (S...): other processes and the history of the shell see arguments. */
export const hasSecret = (argv: ReadonlyArray<string>): boolean => argv.some((argument) => secretShape.test(argument))

/** The failure of such a command. It does not repeat the secret. */
export const secretRefusal = {
  code: "secret_in_arguments",
  message: "A secret key (S...) stands among the arguments. Every process of this machine and the history of your shell can see it: " +
    "treat it as exposed, and move what it controls. Give secrets by the prompt, by --secret-fd, or by the variable CLOSEOUT_SECRET.",
  retry: "after_fix"
}
