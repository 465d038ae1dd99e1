import { Asset } from "@stellar/stellar-sdk"

const fx = "GAVH5ZWACAY2PHPUG4FL3LHHJIYIHOFPSIUGM2KHK25CJWXHAV6QKDMN"

/** Assets of mainnet whose contract addresses are known: code and issuer determine them. */
export const mainnetAssets: ReadonlyArray<Asset> = [
  Asset.native(),
  new Asset("USDC", "GA5ZSEJYB37JRC5AVCIA5MOP4RHTM335X2KGX3IHOJAPP5RE34K4KZVN"),
  new Asset("BLND", "GDJEHTBE6ZHUXSWFI642DCGLUOECLHPF3KSXHPXTSTJ7E3JF6MQ5EZYY"),
  new Asset("AQUA", "GBNZILSTVQZ4R7IKQDGHYGY2QXL5QOFJYQMXPKWRRM5PAV7Y4M67AQUA"),
  new Asset("PHO", "GAX5TXB5RYJNLBUR477PEXM4X75APK2PGMTN6KEFQSESGWFXEAKFSXJO"),
  new Asset("USDx", fx),
  new Asset("EURx", fx),
  new Asset("GBPx", fx)
]
