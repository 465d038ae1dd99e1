import { Data } from "effect"

/** The error member of a JSON-RPC answer. */
export class RpcFault extends Data.TaggedError("RpcFault")<{ readonly code: number; readonly message: string }> {
  static invalidRequest(message: string): RpcFault {
    return new RpcFault({ code: -32600, message })
  }

  static noSuchMethod(name: string): RpcFault {
    return new RpcFault({ code: -32601, message: `no such method "${name}"` })
  }

  static invalidParams(message: string): RpcFault {
    return new RpcFault({ code: -32602, message })
  }

  /** The server gave up on a request in the middle of its work. */
  static get tooLong(): RpcFault {
    return new RpcFault({ code: -32001, message: "request could not be processed in time" })
  }

  static internal(message: string): RpcFault {
    return new RpcFault({ code: -32603, message })
  }
}
