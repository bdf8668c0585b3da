/** One way to seal text under one key, bound to a string. */
export interface SealForm {
  /** Seals a text. Takes at most one Web Crypto operation. */
  seal(text: string, binding: string): string | Promise<string>;
  /**
   * Gives the text back, or `undefined` for anything that this key did not
   * seal in this form and under this binding. Takes at most one Web Crypto
   * operation.
   */
  open(
    sealed: string,
    binding: string,
  ): string | undefined | Promise<string | undefined>;
}
