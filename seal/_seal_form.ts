/** One way to seal bytes into text under one key, bound to a string. */
export interface SealForm {
  /** Seals bytes. Takes at most one Web Crypto operation. */
  seal(bytes: Uint8Array<ArrayBuffer>, binding: string): Promise<string>;
  /**
   * Gives the bytes back, or `undefined` for any text that this key did not
   * seal in this form and under this binding. Takes at most one Web Crypto
   * operation.
   */
  open(
    sealed: string,
    binding: string,
  ): Promise<Uint8Array<ArrayBuffer> | undefined>;
}
