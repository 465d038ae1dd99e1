import { quickImports } from "../../src/serving/QuickImports.ts"

// Node loads this file once in every worker: files of tests import the whole service, and ask for the same names again and again.
quickImports()
