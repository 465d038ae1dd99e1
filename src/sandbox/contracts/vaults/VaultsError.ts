/** The error numbers of the vaults contract (its `SCErrors`) that the model raises. */
export const VaultsError = {
  PanicModeEnabled: 20,
  VaultsInfoHasNotStarted: 200,
  ThereAreNoVaults: 201,
  InvalidMinDebtAmount: 300,
  InvalidOpeningCollateralRatio: 400,
  VaultDoesntExist: 500,
  UserAlreadyHasDenominationVault: 501,
  InvalidPrevVaultIndex: 504,
  PrevVaultCantBeNone: 505,
  PrevVaultDoesntExist: 506,
  PrevVaultNextIndexIsLowerThanNewVault: 507,
  PrevVaultNextIndexIsInvalid: 508,
  IndexProvidedIsNotTheOneSaved: 509,
  NextPrevVaultShouldBeNone: 510,
  InvalidPrevKeyDenomination: 512,
  DepositAmountIsMoreThanTotalDebt: 600,
  CollateralRateUnderMinimum: 700,
  CurrencyDoesntExist: 901,
  CurrencyIsInactive: 902
} as const
