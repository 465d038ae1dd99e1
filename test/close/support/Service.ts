import { Context, Layer } from "effect"
import { startTestService, type TestService } from "../../support/TestService.ts"

/** The production service over a sandbox of its own, shared by the tests of one file. */
export class Service extends Context.Tag("closeout/test/close/Service")<Service, TestService>() {
  static readonly layer = (settings: Readonly<Record<string, string>> = {}, serving?: Parameters<typeof startTestService>[1]) =>
    Layer.scoped(Service, startTestService(settings, serving))
}
