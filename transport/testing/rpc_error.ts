/** A JSON-RPC error that a {@linkcode TestClient} was answered with. */
export class RpcError extends Error {
  /** Always `"RpcError"`. */
  override readonly name = "RpcError";
  /** The JSON-RPC code. */
  readonly code: number;
  /** The details. */
  readonly data: unknown;
  /** The HTTP status. */
  readonly status: number;

  /**
   * Makes the error.
   *
   * @param code The JSON-RPC code.
   * @param message What is wrong.
   * @param data The details.
   * @param status The HTTP status.
   */
  constructor(code: number, message: string, data: unknown, status: number) {
    super(message);
    this.code = code;
    this.data = data;
    this.status = status;
  }
}
