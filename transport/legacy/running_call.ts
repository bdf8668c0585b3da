import type { Exchange } from "../exchange.ts";
import { errorMessage, type RequestId } from "../json_rpc.ts";
import { ErrorCode } from "../../errors.ts";

/** Where the answers of a POST are collected. */
export interface AnswerSink {
  /**
   * Takes the answer to one of its requests.
   *
   * @param message The message; none for a request that was cancelled.
   * @param response The response, where it is more than the message.
   */
  answer(message: string | undefined, response?: Response): void;
}

/** A request that is being answered. */
export class RunningCall {
  /**
   * @param id The id of the request.
   * @param exchange The request.
   * @param sink Takes the answer.
   */
  constructor(
    readonly id: RequestId,
    readonly exchange: Exchange,
    readonly sink: AnswerSink,
  ) {}

  /** Cancels it; it is not answered. */
  cancel(reason: string): void {
    this.exchange.cancel(new DOMException(reason, "AbortError"));
    this.sink.answer(undefined);
  }

  /** Cancels it because its session is over; whoever waits is told. */
  endWithSession(): void {
    const reason = "The session has ended";
    this.exchange.cancel(new DOMException(reason, "AbortError"));
    this.sink.answer(errorMessage(this.id, ErrorCode.InvalidRequest, reason));
  }
}
